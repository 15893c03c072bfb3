import { CARDS } from "../support/story.ts";
import { ADA, atTheBank, checkout, opened, pay, post, travel, type Action } from "./world.ts";

/** An assignment by `POST /subscriptions` to a Customer without a card. */
const assigned = (body: object = {}): Action => ({
  operations: ["POST /subscriptions"],
  before: async ({ story }) => ({ ada: await story.ok(story.app.api("POST", "/customers", ADA)) }),
  act: async (world) => {
    await post(world, "/subscriptions", { productKey: "pro", customerId: world["ada"].id, ...body });
    await world.story.settle();
  },
});

/** An open Checkout of a Customer whose balance pays all of it. */
const openedWithCredit =
  (product: object): NonNullable<Action["before"]> =>
  async (shop) => {
    const found = await opened({ benefitIds: [shop.benefit], ...product })(shop);
    const credit = { currency: "usd", amount: 10_000, reason: "sorry" };
    await post(shop, `/customers/${found.checkout.customerId}/balance-adjustments`, credit);
    return found;
  };

/** Rows of "Selling". */
export const SELLING: Record<string, Action> = {
  "`POST /customers`": {
    operations: ["POST /customers"],
    act: ({ story }) => story.ok(story.app.api("POST", "/customers", ADA)),
  },
  "`POST /checkouts` for a new Customer": {
    operations: ["POST /checkouts"],
    act: (world) => checkout(world, { productKey: "pro", customer: ADA }),
  },
  "`POST /checkouts` for an existing Customer": {
    operations: ["POST /checkouts"],
    before: async ({ story }) => ({ ada: await story.ok(story.app.api("POST", "/customers", ADA)) }),
    act: (world) => checkout(world, { productKey: "pro", customerId: world["ada"].id }),
  },
  "`POST /checkouts` that sets the `externalId` of a Customer": {
    operations: ["POST /checkouts"],
    before: async ({ story }) => story.ok(story.app.api("POST", "/customers", { email: ADA.email })),
    act: (world) => checkout(world, { productKey: "pro", customer: ADA }),
  },
  "a Checkout is paid": {
    operations: ["POST /sandbox/checkouts/{checkoutId}/pay"],
    before: opened(),
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "the card of a Checkout is declined": {
    before: opened(),
    act: (world) => pay(world, world["checkout"].id, CARDS.declined),
  },
  "the provider refuses all charges while a Checkout is paid": {
    before: opened(),
    act: (world) => pay(world, world["checkout"].id, CARDS.refusesAccount),
  },
  "the bank asks the buyer of a Checkout to authenticate": {
    before: opened(),
    act: (world) => pay(world, world["checkout"].id, CARDS.asksBuyer),
  },
  "the buyer passes the challenge": {
    before: atTheBank,
    act: ({ story }) => story.answerChallenge(true),
  },
  "the buyer fails the challenge": {
    before: atTheBank,
    act: ({ story }) => story.answerChallenge(false),
  },
  "the buyer does not answer the bank": {
    before: atTheBank,
    act: async ({ story }) => {
      await story.travel("2025-02-28");
      await story.settle();
    },
  },
  "a Checkout of a trial is paid": {
    before: (shop) => opened({ trialDays: 14, benefitIds: [shop.benefit] })(shop),
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "a one-time Product is bought": {
    before: (shop) => opened({ interval: null, benefitIds: [shop.benefit] })(shop),
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "a Checkout is paid, and the balance settles it": {
    before: openedWithCredit({}),
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "a one-time Product is bought, and the balance settles it": {
    before: openedWithCredit({ interval: null }),
    act: (world) => post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`),
  },
  "a free Product is taken": {
    before: opened({ prices: [{ currency: "usd", amount: 0 }] }),
    act: (world) => post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`),
  },
  "an unnamed buyer types an e-mail address and pays": {
    before: async (shop) => ({ checkout: await checkout(shop, { productKey: "pro" }) }),
    act: (world) =>
      post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`, { card: CARDS.pays, email: "ada@example.com" }),
  },
  "an unnamed buyer types an e-mail address and is declined": {
    before: async (shop) => ({ checkout: await checkout(shop, { productKey: "pro" }) }),
    act: (world) =>
      post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`, { card: CARDS.declined, email: "ada@example.com" }),
  },
  "a Customer without an address gives one, for the tax, and pays": {
    settings: { taxRates: [{ country: "DE", basisPoints: 1900, name: "VAT" }] },
    before: opened(),
    act: (world) =>
      post(world, `/sandbox/checkouts/${world["checkout"].id}/pay`, {
        card: CARDS.pays,
        billingAddress: { country: "DE" },
      }),
  },
  "a Checkout is not paid in time": {
    operations: ["POST /sandbox/clock/advance"],
    before: opened(),
    act: travel("2025-02-28"),
  },
  "`POST /subscriptions` with a card on file": {
    operations: ["POST /subscriptions"],
    before: async (shop) => {
      const ada = await shop.story.ok(shop.story.app.api("POST", "/customers", ADA));
      await post(shop, `/sandbox/customers/${ada.id}/card`, { card: CARDS.pays });
      return { ada };
    },
    act: async (world) => {
      await post(world, "/subscriptions", { productKey: "pro", customerId: world["ada"].id });
      await world.story.settle();
    },
  },
  "`POST /subscriptions` without a card": assigned(),
  "`POST /subscriptions` with `amount` 0": assigned({ amount: 0 }),
  "`POST /subscriptions` with a trial": assigned({ trialEnd: "2025-02-14T09:00:00Z" }),
  "`POST /subscriptions` for a Subscription that began elsewhere": assigned({ startedAt: "2025-01-15T09:00:00Z" }),
};
