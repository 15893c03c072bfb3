import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { mrrMovementsOf } from "../support/movements.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** A change of the Product of a Subscription whose discount is to change (rules X4, P9, R1). */
let story: Story;
const give = (id: string, discountCode: string | null) =>
  story.ok(story.app.manage("POST", `/subscriptions/${id}/discount`, { discountCode }));
const buy = async (email: string, more: object = {}) => {
  const sold = await story.buy({ productKey: "pro", customer: { email }, ...more }, CARDS.pays);
  await story.statement();
  await story.news();
  return sold as { id: string; customerId: string };
};
const newest = async (id: string): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`)))["data"][0];
const change = (id: string, body: object) => story.app.api("PATCH", `/subscriptions/${id}`, body);

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("pro", 3000);
  await story.plan("team", 6000);
  await story.plan("yearly", 36_500, { interval: "year" });
  const half = { type: "percentage", basisPoints: 5000, duration: "repeating", months: 3 };
  await story.ok(story.app.manage("POST", "/discounts", { code: "HALF", ...half }));
  const free = { type: "percentage", basisPoints: 10_000, duration: "forever" };
  await story.ok(story.app.manage("POST", "/discounts", { code: "FREE", ...free }));
  await story.ok(story.app.manage("POST", "/discounts", { code: "LAST", ...half, maxRedemptions: 1 }));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("a change of the Product", () => {
  it("that also undoes the end moves the MRR once, by the new discount", async () => {
    const { id } = await buy("ada@example.com");
    await give(id, "HALF");
    await story.change(id, { cancelAtPeriodEnd: true });
    await story.travel("2025-06-10");
    await story.change(id, { productKey: "yearly", cancelAtPeriodEnd: false });
    expect(await newest(id)).toMatchObject({ discountAmount: 4600 });
    expect(await mrrMovementsOf(story, id)).toEqual(["new 3000", "contraction -342"]);
  });

  it("needs a card for the rest of a period that the waiting discount does not cover", async () => {
    const { id, customerId } = await buy("ben@example.com");
    await give(id, "FREE");
    const [card] = (await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`)))["data"];
    await story.ok(story.app.manage("POST", `/sandbox/payment-methods/${card.id}/detach`, {}));
    await story.news();
    for (const prorationBehavior of ["next_invoice", "invoice_now"]) {
      const refused = await change(id, { productKey: "team", prorationBehavior });
      expect(refused).toMatchObject({ status: 402, body: { code: "payment_method_required" } });
    }
    expect(await story.subscription(id)).toMatchObject({ amount: 3000 });
    expect(await change(id, { productKey: "team", prorationBehavior: "none" })).toMatchObject({ status: 200 });
    await story.travel("2025-07-11");
    expect(await newest(id)).toMatchObject({ totalAmount: 0, discountAmount: 6000 });
  });

  it("has no rest of a discount that was taken off before", async () => {
    const { id } = await buy("cleo@example.com", { productKey: "yearly", discountCode: "HALF" });
    expect(await give(id, null)).toMatchObject({ pendingDiscount: { discountId: null } });
    await story.change(id, { productKey: "pro" });
    expect((await newest(id)).lines.at(-1)).toMatchObject({ amount: 3000, discountAmount: 0 });
  });
});

describe("the code of a Discount", () => {
  it("names the held discount also after the Discount is deleted, and gives it to no other Subscription", async () => {
    const { id } = await buy("dora@example.com", { discountCode: "HALF" });
    const other = await buy("eve@example.com");
    const { discountId } = await story.subscription(id);
    await give(id, null);
    await story.ok(story.app.manage("DELETE", `/discounts/${discountId}`));
    expect(await give(id, "half")).toMatchObject({ discountId, pendingDiscount: null });
    const refused = await story.app.manage("POST", `/subscriptions/${other.id}/discount`, { discountCode: "half" });
    expect(refused.body.errors).toMatchObject([{ code: "unknown_discount" }]);
  });

  it("with one use left is given to one of two Subscriptions at once", async () => {
    const sold = [await buy("finn@example.com"), await buy("gwen@example.com")];
    const answers = await Promise.all(
      sold.map(({ id }) => story.app.manage("POST", `/subscriptions/${id}/discount`, { discountCode: "LAST" })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});
