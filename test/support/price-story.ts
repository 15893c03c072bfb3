import { afterAll, beforeAll, expect } from "vitest";
import { ownOrigin } from "../../src/actions/origin.ts";
import { consentToPrice } from "../../src/actions/price-change/consent.ts";
import type { Json } from "./app.ts";
import { CARDS, startStory, type Story } from "./story.ts";

export const PAID = ["payment.succeeded", "invoice.paid"];
export const MOVED = ["subscription.price_change_applied", "subscription.renewed", "invoice.created", ...PAID];

/** The story of the `describe` that runs, the Product Pro, and Ada's Subscription as it was bought. */
export let story: Story;
export let productId: string;
export let ada: Json;

const customer = (name: string) => ({ email: `${name}@example.com`, externalId: name });
export const buy = (name: string, more: object = {}) =>
  story.buy({ productKey: "pro", customer: customer(name), ...more }, CARDS.pays);
export const manage = (method: "GET" | "PATCH" | "POST", path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));

/** Ada buys Pro at 30.00 a month on 10 January. Pro is sold in 1 to 9 units, and Team costs 60.00. */
export function tell(more: object = {}) {
  beforeAll(async () => {
    story = await startStory({ clock: "2026-01-10T09:00:00Z" });
    const sso = await manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" });
    const sold = { benefitIds: [sso.id], quantity: { maximum: 9 } };
    ({ id: productId } = await story.plan("pro", 3000, { ...sold, ...more }));
    await story.plan("team", 6000, { benefitIds: [sso.id] });
    ada = await buy("ada");
    await story.news();
    await story.statement();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
    await story.close();
  });
}

export const raise = (amount: number) =>
  manage("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount }] });
/** Begins a round, and lets the worker carry it out. */
export async function bring(body: object): Promise<string> {
  const { id } = await manage("POST", `/products/${productId}/price-changes`, body);
  await story.settle();
  return id;
}
export const control = async (id: string, step: string): Promise<Json> => {
  const round = await manage("POST", `/price-changes/${id}/${step}`);
  await story.settle();
  return round;
};
export const read = (id: string) => manage("GET", `/price-changes/${id}`);
export const progress = async (id: string) => (await read(id))["progress"];
export const rows = async (id: string, status = "") =>
  (await manage("GET", `/price-changes/${id}/subscriptions${status && `?status=${status}`}`))["data"];

/** A click of a Customer in the portal on a new price. */
export const agree = (subscription: Json, priceChangeId: string): Promise<boolean> =>
  consentToPrice(story.app.ctx, ownOrigin(story.app.organization.id), subscription["id"], priceChangeId);
