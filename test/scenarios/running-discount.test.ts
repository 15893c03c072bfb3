import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { mrrMovementsOf } from "../support/movements.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The example of rule X4 in docs/rules.md, and the other begins of a period. */
let story: Story;
const give = (id: string, discountCode: string | null) =>
  story.ok(story.app.manage("POST", `/subscriptions/${id}/discount`, { discountCode }));
const buy = async (email: string, more: object = {}, card: string = CARDS.pays) => {
  const sold = await story.buy({ productKey: "pro", customer: { email }, ...more }, card);
  await story.statement();
  await story.news();
  return sold as { id: string; customerId: string };
};
const redemptions = async (code: string) =>
  (await story.ok(story.app.manage("GET", `/discounts?code=${code}`)))["data"].map((each: Json) => each.redemptions);
/** Totals with their discount, for instance `4800 = 6000 − 1200`, newest first. */
const invoices = async (id: string): Promise<string[]> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`)))["data"].map(
    ({ totalAmount, subtotalAmount, discountAmount }: Json) => `${totalAmount} = ${subtotalAmount} − ${discountAmount}`,
  );

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("pro", 3000);
  await story.plan("team", 6000);
  await story.plan("yearly", 36_500, { interval: "year" });
  await story.plan("tried", 3000, { trialDays: 14 });
  const months = { type: "percentage", basisPoints: 2000, duration: "repeating", months: 2 };
  await story.ok(story.app.manage("POST", "/discounts", { code: "SPRING", ...months }));
  await story.ok(
    story.app.manage("POST", "/discounts", {
      code: "FREE",
      type: "percentage",
      basisPoints: 10_000,
      duration: "forever",
    }),
  );
  await story.ok(
    story.app.manage("POST", "/discounts", {
      code: "ONCE",
      type: "fixed",
      amount: 500,
      currency: "usd",
      duration: "once",
    }),
  );
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("a discount that is given and taken off (rule X4)", () => {
  let id: string;

  it("10 June: the discount waits, and a use is taken", async () => {
    ({ id } = await buy("ada@example.com"));
    await story.travel("2025-06-10");
    await give(id, "SPRING");
    expect(await story.news()).toEqual(["subscription.updated"]);
    expect(await redemptions("SPRING")).toEqual([1]);
    expect(await story.statement()).toEqual([]);
  });

  it("16 June: a change within the period has no discount", async () => {
    await story.travel("2025-06-16");
    await story.change(id, { productKey: "team" });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 1500",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
    ]);
    await story.news();
  });

  it("1 July: the discount begins with the period", async () => {
    await story.travel("2025-07-01");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect((await invoices(id))[0]).toBe("4800 = 6000 − 1200");
  });

  it("10 July: the discount is taken off, and July stays as billed", async () => {
    await story.travel("2025-07-10");
    await give(id, null);
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("1 August: the price is due in full, and the use stays", async () => {
    await story.travel("2025-08-02");
    expect((await invoices(id))[0]).toBe("6000 = 6000 − 0");
    expect(await redemptions("SPRING")).toEqual([1]);
    const movements = await mrrMovementsOf(story, id);
    expect(movements).toEqual(["new 3000", "expansion 3000", "contraction -1200", "expansion 1200"]);
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    await story.news();
  });
});

describe("the begin of the discount (rule X4a)", () => {
  it("is a period that a change of the interval begins at once", async () => {
    const { id } = await buy("ben@example.com");
    await give(id, "SPRING");
    const preview = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, { productKey: "yearly" }));
    expect(preview.lines.map((line: Json) => line.discountAmount)).toEqual([0, 1220]);
    await story.change(id, { productKey: "yearly" });
    expect((await invoices(id))[0]).toBe("32280 = 33500 − 1220");
    expect(await story.subscription(id)).toMatchObject({ pendingDiscount: null });
  });

  it("is the first paid period after a trial", async () => {
    const { id } = await buy("cleo@example.com", { productKey: "tried" });
    await give(id, "SPRING");
    await story.travel("2025-08-16");
    expect(await invoices(id)).toEqual(["2400 = 3000 − 600"]);
    await story.travel("2025-10-16");
    expect(await invoices(id)).toEqual(["3000 = 3000 − 0", "2400 = 3000 − 600", "2400 = 3000 − 600"]);
  });

  it("is the resume after a pause", async () => {
    const { id } = await buy("dora@example.com");
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, { access: "keep" }));
    await give(id, "ONCE");
    await story.travel("2025-12-20");
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/resume`));
    await story.settle();
    expect((await invoices(id))[0]).toBe("2500 = 3000 − 500");
    await story.travel("2026-01-21");
    expect((await invoices(id))[0]).toBe("3000 = 3000 − 0");
    expect(await give(id, "ONCE")).toMatchObject({ pendingDiscount: { effectiveAt: "2026-02-20T09:00:00.000Z" } });
    expect(await redemptions("ONCE")).toEqual([1]);
  });

  it("leaves an open invoice as it is, and a planned end drops the change", async () => {
    const { id, customerId } = await buy("finn@example.com");
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel("2026-02-22");
    await give(id, "FREE");
    expect((await invoices(id))[0]).toBe("3000 = 3000 − 0");
    await story.newCard(customerId, CARDS.pays);
    await story.change(id, { cancelAtPeriodEnd: true });
    await story.travel("2026-03-22");
    expect(await story.subscription(id)).toMatchObject({ status: "canceled", pendingDiscount: null });
  });

  it("makes the next invoice free, and later one that is taken off is charged again", async () => {
    const { id } = await buy("gwen@example.com");
    await give(id, "FREE");
    await story.travel("2026-04-23");
    expect((await invoices(id))[0]).toBe("0 = 3000 − 3000");
    await give(id, null);
    await story.travel("2026-05-23");
    expect((await invoices(id))[0]).toBe("3000 = 3000 − 0");
  });
});
