import type { Json } from "../support/app.ts";
import { CARDS, type Story } from "../support/story.ts";

export type Shop = { story: Story; benefit: string };
/** The resources from before the action, by name. */
export type World = Shop & Record<string, Json>;
export type Action = {
  settings?: object;
  before?: (shop: Shop) => Promise<Json>;
  act: (world: World) => Promise<unknown>;
  /** The operations of the API that `act` calls. */
  operations?: string[];
};

export const ADA = { email: "ada@example.com", externalId: "ada" };

export const post = ({ story }: Shop, path: string, body: object = {}) =>
  story.ok(story.app.manage("POST", path, body));
export const patch = ({ story }: Shop, path: string, body: object) => story.ok(story.app.manage("PATCH", path, body));
export const checkout = ({ story }: Shop, body: object) => story.ok(story.app.api("POST", "/checkouts", body));
export const pay = (shop: Shop, id: string, card: string) => post(shop, `/sandbox/checkouts/${id}/pay`, { card });

/** An unpaid Checkout of an existing Customer. */
export const opened =
  (product: object = {}, body: object = {}) =>
  async (shop: Shop) => {
    const { story } = shop;
    if (Object.keys(product).length > 0) await story.plan("other", 500, product);
    const customer = await story.ok(story.app.api("POST", "/customers", ADA));
    const productKey = Object.keys(product).length > 0 ? "other" : "pro";
    return { checkout: await checkout(shop, { productKey, customerId: customer.id, ...body }), customer };
  };

/** A Subscription to `pro`, bought on 31 January 2025 with a card. */
export const bought =
  (card: string = CARDS.pays, product: object = {}) =>
  async (shop: Shop) => {
    const changed = Object.keys(product).length > 0;
    if (changed) await shop.story.plan("other", 3000, product);
    return { sub: await shop.story.buy({ productKey: changed ? "other" : "pro", customer: ADA }, card) };
  };

/** A Subscription to `pro`, bought at a Checkout that names no Customer. */
export const boughtByAddress = async (shop: Shop) => {
  const { id } = await checkout(shop, { productKey: "pro" });
  const body = { card: CARDS.pays, email: ADA.email };
  const { subscriptionId } = await post(shop, `/sandbox/checkouts/${id}/pay`, body);
  return { sub: await shop.story.subscription(subscriptionId) };
};

/** The same, later. */
export const later = (before: (shop: Shop) => Promise<Json>, to: string) => async (shop: Shop) => {
  const found = await before(shop);
  await shop.story.travel(to);
  return found;
};
/** A Subscription with a declined renewal on 28 February. */
export const pastDue = later(bought(CARDS.failsLater), "2025-02-28");
/** A Subscription with a new card, for which the bank asks the buyer each time. */
export const askedEachTime = async (shop: Shop) => {
  const found = await bought()(shop);
  await shop.story.newCard(found.sub.customerId, CARDS.asksBuyer);
  return found;
};
/** A Subscription with another card. */
export const cardOf = (card: string) => async (shop: Shop) => {
  const found = await bought()(shop);
  await shop.story.newCard(found.sub.customerId, card);
  return found;
};
/** A Subscription with a card that is held back, because its only payment is disputed. */
export const disputed = async (shop: Shop) => {
  const found = await bought()(shop);
  await post(shop, `/sandbox/payments/${(await paymentOf(shop)).id}/dispute`);
  return found;
};
export const changed = (body: object) => async (shop: Shop) => {
  const found = await bought()(shop);
  await shop.story.change(found.sub.id, body);
  return found;
};
/** A Subscription with a pause from the end of its first period on. */
export const paused =
  (more: object = {}) =>
  async (shop: Shop) => {
    const found = await bought()(shop);
    await post(shop, `/subscriptions/${found.sub.id}/pause`, { access: "revoke", ...more });
    return found;
  };
export const atTheBank = async (shop: Shop) => {
  const found = await opened()(shop);
  await pay(shop, found.checkout.id, CARDS.asksBuyer);
  return found;
};
export const invoiceOf = async ({ story }: Shop) =>
  (await story.ok(story.app.manage("GET", "/invoices?limit=1"))).data[0] as Json;
export const cardOnFile = async ({ story, sub }: Shop & { sub?: Json }): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/customers/${sub!.customerId}/payment-methods`))).data[0];
export const paymentOf = async ({ story }: Shop) =>
  (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data[0] as Json;
export const travel =
  (to: string) =>
  ({ story }: World) =>
    story.travel(to);
export const change = (body: object) => (world: World) => world.story.change(world["sub"].id, body);
/** A PATCH that is answered with 402. */
export const refused = (body: object) => async (world: World) => {
  const answer = await world.story.app.api("PATCH", `/subscriptions/${world["sub"].id}`, body);
  if (answer.status !== 402) throw new Error(`${answer.status} instead of 402`);
};
