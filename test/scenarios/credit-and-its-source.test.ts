import { describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { openJune, usd } from "../support/june.ts";

const CHANGED = ["subscription.updated", "invoice.created", "payment.succeeded", "invoice.paid"];

describe.each([
  ["newest invoice first", [3, 2, 1]],
  ["oldest invoice first", [1, 2, 3, 2, 1]],
])("two upgrades, and then everything is refunded, %s", (_, order) => {
  const { june, change, refund, refundable, balance, invoices, books, get } = openJune();

  it("2025-06-16: the first upgrade nets 15.00 of the first month", async () => {
    await june.story.travel("2025-06-16T00:00:00Z");
    await change("team");
    expect((await june.story.news()).toSorted()).toEqual(CHANGED.toSorted());
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid 1500",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
    ]);
    expect(await refundable()).toEqual([
      [1500, 1500],
      [1500, 1500],
    ]);
  });

  it("2025-06-21: the second upgrade nets 20.00 of the first, money of both charges", async () => {
    await june.story.travel("2025-06-21T00:00:00Z");
    await change("max");
    expect((await june.story.news()).toSorted()).toEqual(CHANGED.toSorted());
    expect(await june.story.statement()).toEqual([
      "0003 product_change paid 2000",
      "     team, unused rest of the period -2000 2025-06-21 → 2025-07-01",
      "     max, rest of the period 4000 2025-06-21 → 2025-07-01",
    ]);
    // The credit used the netted 15.00 of the first charge before 5.00 of the second charge.
    expect(await refundable()).toEqual([
      [1500, 1500],
      [1000, 1000],
      [2000, 2000],
    ]);
    expect(await books()).toEqual([6500, 0]);
  });

  it("2025-06-22: refunds of the whole rest give back all that was paid, once", async () => {
    await june.story.travel("2025-06-22T00:00:00Z");
    for (const n of order) {
      const made = await refund(n);
      expect(made).toMatchObject({ to: "card", fromBalance: 0 });
      expect(await june.story.news()).toEqual(["refund.created", "invoice.refunded"]);
    }
    expect(await refundable()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect((await invoices()).map(({ refundedAmount }) => refundedAmount)).toEqual([3000, 1500, 2000]);
    const { data: entries } = await get(`/subscriptions/${june.id}/timeline?limit=100`);
    const refunds = entries.map(({ text }: Json) => text).filter((text: string) => text.startsWith("A refund of"));
    expect(refunds).toHaveLength(order.length);
    expect(await books()).toEqual([6500, 6500]);
    for (const n of [1, 2, 3]) expect(await refund(n, { amount: 1 })).toMatchObject({ code: "nothing_to_refund" });
  });

  it("2025-06-22: so the period is worth nothing, and leaving it early gives no credit", async () => {
    await change("free");
    expect(await june.story.statement()).toEqual([]);
    expect(await balance()).toEqual([]);
  });
});

describe("credit on the balance, and then a refund (the second example of the rules)", () => {
  const { june, change, refund, refundable, balance, lots, reasons, books, get, invoices } = openJune();

  it("2025-06-01: a downgrade gives the month back as a lot from its charge", async () => {
    await change("free");
    expect((await june.story.news()).toSorted()).toEqual(["invoice.created", "invoice.paid", "subscription.updated"]);
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid -3000 (balance -3000)",
      "     pro, unused rest of the period -3000 2025-06-01 → 2025-07-01",
    ]);
    expect(await lots()).toEqual([[3000, "payment", "0001"]]);
    expect(await refund(1)).toMatchObject({ status: 409, code: "credited", available: 3000 });
  });

  it("2025-06-03: the balance pays another plan, and the rest of the lot is left", async () => {
    await june.story.travel("2025-06-03T00:00:00Z");
    await change("plus");
    expect(await june.story.statement()).toEqual([
      "0003 product_change paid 2000 (balance 2000)",
      "     plus 2000 2025-06-03 → 2025-07-03",
    ]);
    await june.story.news();
    const explained = await get(`/invoices/${(await invoices())[2]!.id}/explanation`);
    expect(explained.balance.text).toBe(
      "The balance had US$30.00. It settles US$20.00 of the total. Of this credit, US$20.00 came from payments.",
    );
    expect(await balance()).toEqual(usd(1000));
    expect(await refundable()).toEqual([
      [0, 0],
      [0, 0],
      [0, 2000],
    ]);
    expect(await refund(1, { amount: 3000 })).toMatchObject({ status: 409, code: "credit_spent", available: 1000 });
    expect(await refund(1, { amount: 3001 })).toMatchObject({ status: 422, errors: [{ code: "too_large" }] });
  });

  it("2025-06-05: a refund to the balance brings the credit back with its source", async () => {
    expect(await refund(3, { to: "balance" })).toMatchObject({ amount: 2000, status: "succeeded", paymentId: null });
    expect(await june.story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await lots()).toEqual([
      [2000, "payment", "0001"],
      [1000, "payment", "0001"],
    ]);
  });

  it("2025-06-06: now the first month goes back to the card, off the balance and without a credit note", async () => {
    const made = await refund(1, { amount: 3000 });
    const { data: entries } = await get(`/subscriptions/${june.id}/timeline?limit=100`);
    expect(entries.map(({ text }: Json) => text)).toContain(
      "A refund of US$30.00 to the card was asked for. US$30.00 of it is taken off the balance.",
    );
    expect(made).toMatchObject({ amount: 3000, fromBalance: 3000, to: "card", purpose: "invoice" });
    expect(await june.story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await get(`/refunds/${made.id}`)).toMatchObject({ status: "succeeded", creditNoteId: null });
    expect(await balance()).toEqual(usd(0));
    expect(await reasons()).toEqual([
      ["invoice", 3000],
      ["invoice", -2000],
      ["refund", 2000],
      ["paid_out", -3000],
    ]);
    expect(await books()).toEqual([3000, 3000]);
    expect(await refund(1, { amount: 1 })).toMatchObject({ code: "nothing_to_refund" });
  });
});

describe("credit that was spent before its dispute is lost (the third example of the rules)", () => {
  const { june, change, post, get, balance, lots, refundable, reasons, invoices } = openJune();
  let disputeId: string;

  it("2025-06-01: the credit of Pro and a charge of 30.00 pay for Team", async () => {
    await change("free");
    await change("team");
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid -3000 (balance -3000)",
      "     pro, unused rest of the period -3000 2025-06-01 → 2025-07-01",
      "0003 product_change paid 6000 (balance 3000)",
      "     team 6000 2025-06-01 → 2025-07-01",
    ]);
    expect((await june.story.news()).toSorted()).toEqual(
      ["subscription.updated", "invoice.created", "invoice.paid", ...CHANGED].toSorted(),
    );
    expect((await refundable()).at(-1)).toEqual([3000, 6000]);
  });

  it("2025-06-10: the first charge is disputed, so no change may credit Team", async () => {
    const { story, id } = june;
    await story.travel("2025-06-10T00:00:00Z");
    const paid = (await get(`/payments?subscriptionId=${id}`)).data.at(-1);
    disputeId = (await story.ok(post(`/sandbox/payments/${paid.id}/dispute`))).id;
    expect(await story.news()).toEqual(["dispute.created"]);
    const refused = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "free" });
    expect([refused.status, refused.body.code]).toEqual([409, "payment_disputed"]);
    const waits = await story.app.api("PATCH", `/subscriptions/${id}`, {
      productKey: "free",
      prorationBehavior: "next_period",
    });
    expect(waits.status).toBe(200);
    await story.news();
  });

  it("2025-06-15: the dispute is lost, and the half of Team that its credit paid is worth nothing", async () => {
    const { story } = june;
    await story.travel("2025-06-15T00:00:00Z");
    await story.ok(post(`/sandbox/disputes/${disputeId}/close`, { outcome: "lost" }));
    expect(await story.news()).toEqual(["dispute.closed"]);
    expect((await refundable()).at(-1)).toEqual([3000, 3000]);
  });

  it("2025-06-16: leaving early credits half of the other half, as a lot from the second charge", async () => {
    const { story } = june;
    await story.travel("2025-06-16T00:00:00Z");
    await change("free");
    expect(await story.statement()).toEqual([
      "0004 product_change paid -1500 (balance -1500)",
      "     team, unused rest of the period -1500 2025-06-16 → 2025-07-01",
    ]);
    expect((await story.news()).toSorted()).toEqual(["invoice.created", "invoice.paid", "subscription.updated"]);
    const { lines, balance: added } = await get(`/invoices/${(await invoices()).at(-1)!.id}/explanation`);
    expect([lines[0].amount.text, added.text]).toEqual([
      "US$30.00 was billed for 1 June 2025 to 1 July 2025, after discounts, refunds and lost payments. " +
        "On 16 June 2025, 15 days of 30 days were left. That part is given back: US$15.00.",
      "The total is below zero: US$15.00 goes to the balance. Of this credit, US$15.00 came from payments.",
    ]);
    const { data: entries } = await get(`/subscriptions/${june.id}/timeline?limit=100`);
    expect(entries.map(({ text }: Json) => text)).toContain(
      "The dispute is lost: the buyer's bank keeps US$30.00. " +
        "Credit that came from this payment is worth nothing any more.",
    );
    expect(await balance()).toEqual(usd(1500));
    expect(await lots()).toEqual([[1500, "payment", "0003"]]);
    expect(await reasons()).toEqual([
      ["invoice", 3000],
      ["invoice", -3000],
      ["invoice", 1500],
    ]);
  });
});
