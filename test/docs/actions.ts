import type { Json } from "../support/app.ts";
import { CARDS, type Story } from "../support/story.ts";

type Place = { story: Story; benefit: string };
/** What was there before: ids by name. */
type World = Place & Record<string, Json>;
type Action = { settings?: object; before?: (place: Place) => Promise<Json>; act: (world: World) => Promise<unknown> };

const ADA = { email: "ada@example.com", externalId: "ada" };

const post = ({ story }: Place, path: string, body: object = {}) => story.ok(story.app.manage("POST", path, body));
const patch = ({ story }: Place, path: string, body: object) => story.ok(story.app.manage("PATCH", path, body));
const checkout = ({ story }: Place, body: object) => story.ok(story.app.api("POST", "/checkouts", body));
const pay = (place: Place, id: string, card: string) => post(place, `/sandbox/checkouts/${id}/pay`, { card });

/** A Checkout that nobody has paid yet, of a Customer who is there already. */
const opened =
  (product: object = {}, body: object = {}) =>
  async (place: Place) => {
    const { story } = place;
    if (Object.keys(product).length > 0) await story.plan("other", 500, product);
    const customer = await story.ok(story.app.api("POST", "/customers", ADA));
    const productKey = Object.keys(product).length > 0 ? "other" : "pro";
    return { checkout: await checkout(place, { productKey, customerId: customer.id, ...body }), customer };
  };

/** A Subscription to `pro`, bought on 31 January 2025 with a card. */
const bought =
  (card: string = CARDS.pays, product: object = {}) =>
  async (place: Place) => {
    const changed = Object.keys(product).length > 0;
    if (changed) await place.story.plan("other", 3000, product);
    return { sub: await place.story.buy({ productKey: changed ? "other" : "pro", customer: ADA }, card) };
  };

/** The same, later. */
const later = (before: (place: Place) => Promise<Json>, to: string) => async (place: Place) => {
  const found = await before(place);
  await place.story.travel(to);
  return found;
};
/** One whose renewal on 28 February was declined. */
const pastDue = later(bought(CARDS.failsLater), "2025-02-28");
/** A Subscription whose card has since become one whose bank asks each time. */
const askedEachTime = async (place: Place) => {
  const found = await bought()(place);
  await place.story.newCard(found.sub.customerId, CARDS.asksBuyer);
  return found;
};
const changed = (body: object) => async (place: Place) => {
  const found = await bought()(place);
  await place.story.change(found.sub.id, body);
  return found;
};
const atTheBank = async (place: Place) => {
  const found = await opened()(place);
  await pay(place, found.checkout.id, CARDS.asksBuyer);
  return found;
};
const invoiceOf = async ({ story }: Place) => (await story.ok(story.app.manage("GET", "/invoices?limit=1"))).data[0] as Json;
const paymentOf = async ({ story }: Place) => (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data[0] as Json;
const travel =
  (to: string) =>
  ({ story }: World) =>
    story.travel(to);
const change = (body: object) => (world: World) => world.story.change(world["sub"].id, body);
const refused = (body: object) => async (world: World) => {
  const answer = await world.story.app.api("PATCH", `/subscriptions/${world["sub"].id}`, body);
  if (answer.status !== 402) throw new Error(`${answer.status} instead of 402`);
};

/** What docs/events.md tells of, row by row. */
export const ACTIONS: Record<string, Action> = {
  // Selling
  "`POST /customers`": { act: ({ story }) => story.ok(story.app.api("POST", "/customers", ADA)) },
  "`POST /checkouts` for somebody new": { act: (world) => checkout(world, { productKey: "pro", customer: ADA }) },
  "`POST /checkouts` for a Customer": {
    before: async ({ story }) => ({ ada: await story.ok(story.app.api("POST", "/customers", ADA)) }),
    act: (world) => checkout(world, { productKey: "pro", customerId: world["ada"].id }),
  },
  "a Checkout is paid": { before: opened(), act: (world) => pay(world, world["checkout"].id, CARDS.pays) },
  "its card is declined": { before: opened(), act: (world) => pay(world, world["checkout"].id, CARDS.declined) },
  "its bank asks the buyer to authenticate": { before: opened(), act: (world) => pay(world, world["checkout"].id, CARDS.asksBuyer) },
  "the buyer passes": {
    before: atTheBank,
    act: ({ story }) => story.answerChallenge(true),
  },
  "the buyer fails": {
    before: atTheBank,
    act: ({ story }) => story.answerChallenge(false),
  },
  "a Checkout of a trial is paid": {
    before: opened({ trialDays: 14 }),
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "a one-time Product is bought": {
    before: (place) => opened({ interval: null, benefitIds: [place.benefit] })(place),
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "a free Product is taken": {
    before: opened({ prices: [{ currency: "usd", amount: 0 }] }),
    act: (world) => post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`),
  },
  "a buyer whom nobody named types an e-mail address and pays": {
    before: async (place) => ({ checkout: await checkout(place, { productKey: "pro" }) }),
    act: (world) => post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`, { card: CARDS.pays, email: "ada@example.com" }),
  },
  "a Checkout is not paid in time": { before: opened(), act: travel("2025-02-28") },
  "`POST /subscriptions` with a card on file": {
    before: async (place) => {
      const ada = await place.story.ok(place.story.app.api("POST", "/customers", ADA));
      await post(place, `/sandbox/customers/${ada.id}/card`, { card: CARDS.pays });
      return { ada };
    },
    act: async (world) => {
      await post(world, "/subscriptions", { productKey: "pro", customerId: world["ada"].id });
      await world.story.settle();
    },
  },
  // Time
  "a trial ends in 3 days": { before: bought(CARDS.pays, { trialDays: 14 }), act: travel("2025-02-11") },
  "a trial ends": {
    before: later(bought(CARDS.pays, { trialDays: 14 }), "2025-02-12"),
    act: travel("2025-02-14"),
  },
  "a month ends in 7 days": { before: bought(), act: travel("2025-02-21") },
  "a period ends and is paid": {
    before: later(bought(), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "a period ends and the balance settles it": {
    before: async (place) => {
      const found = await bought()(place);
      await post(place, `/customers/${found.sub.customerId}/balance-adjustments`, { currency: "usd", amount: 3000, reason: "sorry" });
      await place.story.travel("2025-02-22");
      return found;
    },
    act: travel("2025-02-28"),
  },
  "a period ends at a planned end": {
    before: changed({ cancelAtPeriodEnd: true }),
    act: travel("2025-02-28"),
  },
  "a period ends with a change to `basic` planned": {
    before: later(changed({ productKey: "basic", prorationBehavior: "next_period" }), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  // Dunning
  "the card is declined at a renewal": {
    before: later(bought(CARDS.failsLater), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "the bank asks the buyer to authenticate at a renewal": {
    before: later(askedEachTime, "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "the buyer authenticates at last": {
    before: later(askedEachTime, "2025-02-28"),
    act: ({ story }) => story.answerChallenge(true),
  },
  "a retry is declined": { before: pastDue, act: travel("2025-03-03") },
  "the grace is over": {
    settings: { dunning: { retryDays: [3, 14], graceDays: 7 } },
    before: later(pastDue, "2025-03-04"),
    act: travel("2025-03-07"),
  },
  "a new card pays what is owed": {
    before: pastDue,
    act: (world) => world.story.newCard(world["sub"].customerId, CARDS.pays),
  },
  "a new card pays what is owed after the grace": {
    before: later(pastDue, "2025-03-10"),
    act: (world) => world.story.newCard(world["sub"].customerId, CARDS.pays),
  },
  "the last retry is declined": {
    settings: { dunning: { retryDays: [3], graceDays: 7 } },
    before: pastDue,
    act: travel("2025-03-03"),
  },
  // Changes
  "PATCH to a dearer Product, charged now": { before: bought(), act: change({ productKey: "max" }) },
  "PATCH to a cheaper Product, credited now": { before: bought(), act: change({ productKey: "basic" }) },
  "PATCH, billed with the next invoice": { before: bought(), act: change({ productKey: "basic", prorationBehavior: "next_invoice" }) },
  "PATCH, planned for the next period": { before: bought(), act: change({ productKey: "basic", prorationBehavior: "next_period" }) },
  "PATCH whose charge is declined (402)": { before: bought(CARDS.failsLater), act: refused({ productKey: "max" }) },
  "a Checkout to a dearer Product is paid": {
    before: async (place) => {
      const { sub } = await bought()(place);
      return { checkout: await checkout(place, { subscriptionId: sub.id, productKey: "max" }) };
    },
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "PATCH that plans the end": { before: bought(), act: change({ cancelAtPeriodEnd: true }) },
  "PATCH that takes a planned end back": {
    before: changed({ cancelAtPeriodEnd: true }),
    act: change({ cancelAtPeriodEnd: false }),
  },
  "`POST /subscriptions/{id}/cancel-now`": {
    before: bought(),
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/cancel-now`),
  },
  // By hand
  "a refund to the card": {
    before: bought(),
    act: async (world) => {
      await post(world, `/invoices/${(await invoiceOf(world)).id}/refunds`, {});
      await world.story.settle();
    },
  },
  "a refund to the balance": {
    before: bought(),
    act: async (world) => post(world, `/invoices/${(await invoiceOf(world)).id}/refunds`, { to: "balance" }),
  },
  "a buyer disputes a payment at their bank": {
    before: bought(),
    act: async (world) => post(world, `/sandbox/payments/${(await paymentOf(world)).id}/dispute`),
  },
  "their bank decides": {
    before: async (place) => {
      const found = await bought()(place);
      return { ...found, dispute: await post(place, `/sandbox/payments/${(await paymentOf(place)).id}/dispute`) };
    },
    act: (world) => post(world, `/sandbox/disputes/${world["dispute"].id}/close`, { outcome: "won" }),
  },
  "an open invoice is charged by hand and declined": {
    before: pastDue,
    act: async (world) => {
      const answer = await world.story.app.manage("POST", `/invoices/${(await invoiceOf(world)).id}/pay`);
      if (answer.status !== 402) throw new Error(`${answer.status} instead of 402`);
    },
  },
  "an open invoice is marked paid": {
    before: pastDue,
    act: async (world) => post(world, `/invoices/${(await invoiceOf(world)).id}/mark-paid`),
  },
  "an open invoice is voided": { before: pastDue, act: async (world) => post(world, `/invoices/${(await invoiceOf(world)).id}/void`) },
  "PATCH of a Customer": { before: bought(), act: (world) => patch(world, `/customers/${world["sub"].customerId}`, { name: "Ada" }) },
  "a Customer with a Subscription is deleted": {
    before: bought(),
    act: ({ story, sub }) => story.app.manage("DELETE", `/customers/${sub.customerId}`),
  },
  // What is sold
  "`POST /products`": { act: ({ story }) => story.plan("new", 700) },
  "PATCH of a Product": {
    before: async ({ story }) => ({ product: await story.plan("new", 700) }),
    act: (world) => patch(world, `/products/${world["product"].id}`, { name: "Newer" }),
  },
  "a Benefit is added to a Product that one Subscription has": {
    before: async (place) => ({
      ...(await bought()(place)),
      added: await post(place, "/benefits", { key: "seats", type: "feature", name: "Seats" }),
    }),
    act: async (world) => {
      await patch(world, `/products/${world["sub"].productId}`, { benefitIds: [world.benefit, world["added"].id] });
      await world.story.settle();
    },
  },
  "a license key is activated": {
    before: async (place) => {
      const key = await post(place, "/benefits", {
        key: "editor",
        type: "license_key",
        name: "Editor",
        properties: { activationLimit: 2 },
      });
      return bought(CARDS.pays, { benefitIds: [key.id] })(place);
    },
    act: async ({ story }) => {
      const [grant] = (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
      const body = { organizationId: story.app.organization.id, key: grant.properties.key };
      await story.ok(story.app.licenses("POST", "/activate", body));
    },
  },
};
