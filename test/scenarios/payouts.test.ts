import { describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { declines } from "../support/bank.ts";
import { openJune, usd } from "../support/june.ts";

describe("credit from two charges is paid out", () => {
  const { june, change, post, get, balance, lots, reasons, books } = openJune();
  const payOut = (body: object = {}) =>
    post(`/customers/${june.customerId}/balance-refunds`, { currency: "usd", ...body });

  it("2025-06-16: a downgrade after an upgrade leaves lots of both charges, and an operator adds a gift", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-16T00:00:00Z");
    await change("team");
    await change("free");
    expect(await story.statement()).toEqual([
      "0002 product_change paid 1500",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
      "0003 product_change paid -3000 (balance -3000)",
      "     team, unused rest of the period -3000 2025-06-16 → 2025-07-01",
    ]);
    const gift = { currency: "usd", amount: 500, reason: "Sorry" };
    await story.ok(post(`/customers/${customerId}/balance-adjustments`, gift));
    await story.news();
    expect(await lots()).toEqual([
      [500, "granted", null],
      [1500, "payment", "0002"],
      [1500, "payment", "0001"],
    ]);
  });

  it("2025-06-17: a part is paid out, newest charge first, and the bank declines one of two refunds", async () => {
    const { story, bank } = june;
    await story.travel("2025-06-17T00:00:00Z");
    const answer = await payOut({ amount: 2000, reason: "Asked for by phone" });
    expect(answer.status).toBe(201);
    const [first, second] = answer.body.data;
    expect([first.amount, second.amount]).toEqual([1500, 500]);
    for (const refund of [first, second])
      expect(refund).toMatchObject({ purpose: "balance", invoiceId: null, to: "card", creditNoteId: null });
    expect(await story.news()).toEqual(["refund.created", "refund.created"]);
    // The credit leaves the balance at once.
    expect(await balance()).toEqual(usd(1500));
    bank.says(declines("card_declined"));
    await story.settle();
    bank.says(null);
    expect([(await get(`/refunds/${first.id}`)).status, (await get(`/refunds/${second.id}`)).status]).toEqual([
      "failed",
      "failed",
    ]);
    expect(await story.news()).toEqual(["refund.failed", "refund.failed"]);
    expect(await balance()).toEqual(usd(3500));
  });

  it("2025-06-18: all of it is paid out but the gift; the invoices stay as they were", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-18T00:00:00Z");
    const answer = await payOut();
    expect(answer.body.data.map(({ amount }: Json) => amount)).toEqual([1500, 1500]);
    await story.settle();
    expect(await story.news()).toEqual(["refund.created", "refund.created"]);
    expect(await balance()).toEqual(usd(500));
    expect(await lots()).toEqual([[500, "granted", null]]);
    const moved = await reasons();
    // The two refunds are settled in any order.
    expect(moved.splice(5, 2).toSorted()).toEqual([
      ["payout_failed", 1500],
      ["payout_failed", 500],
    ]);
    expect(moved).toEqual([
      ["invoice", 1500],
      ["invoice", 1500],
      ["adjustment", 500],
      ["paid_out", -1500],
      ["paid_out", -500],
      ["paid_out", -1500],
      ["paid_out", -1500],
    ]);
    expect((await get(`/credit-notes?customerId=${customerId}`)).data).toEqual([]);
    expect(await books()).toEqual([4500, 3000]);
    expect((await payOut()).body).toMatchObject({ status: 409, code: "nothing_to_pay_out" });
  });
});

describe("a downgrade within the period, and then everything is given back", () => {
  const { june, change, refund, refundable, balance, lots, post, books, get } = openJune();

  it("2025-06-16: the credit of 15.00 pays for the rest of Basic, and 10.00 go to the balance", async () => {
    const { story } = june;
    await story.plan("basic", 1000);
    await story.travel("2025-06-16T00:00:00Z");
    await story.news();
    await change("basic");
    expect((await story.news()).toSorted()).toEqual(["invoice.created", "invoice.paid", "subscription.updated"]);
    expect(await story.statement()).toEqual([
      "0002 product_change paid -1000 (balance -1000)",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     basic, rest of the period 500 2025-06-16 → 2025-07-01",
    ]);
    expect(await refundable()).toEqual([
      [1500, 1500],
      [0, 500],
    ]);
  });

  it("2025-06-17: the credit that paid for Basic goes to the balance, with a credit note", async () => {
    const { story } = june;
    await story.travel("2025-06-17T00:00:00Z");
    expect(await refund(2)).toMatchObject({ status: 422, errors: [{ code: "not_paid_by_card" }] });
    expect(await refund(2, { to: "balance", amount: 501 })).toMatchObject({ status: 422 });
    expect(await refund(2, { to: "balance", amount: 200 })).toMatchObject({ amount: 200, status: "succeeded" });
    expect(await refund(2, { to: "balance" })).toMatchObject({ amount: 300, status: "succeeded" });
    const gives = ["refund.created", "invoice.refunded"];
    expect(await story.news()).toEqual([...gives, ...gives]);
    expect(await refund(2, { to: "balance" })).toMatchObject({ code: "nothing_to_refund" });
    expect(await balance()).toEqual(usd(1500));
    expect(await lots()).toEqual([
      [300, "payment", "0001"],
      [200, "payment", "0001"],
      [1000, "payment", "0001"],
    ]);
    const notes = (await get(`/credit-notes?customerId=${june.customerId}`)).data;
    expect(notes.map(({ totalAmount }: Json) => totalAmount)).toEqual([300, 200]);
  });

  it("2025-06-18: all that was paid is back on the card", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-18T00:00:00Z");
    expect(await refund(1)).toMatchObject({ amount: 1500 });
    expect((await post(`/customers/${customerId}/balance-refunds`, { currency: "usd" })).status).toBe(201);
    await story.settle();
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded", "refund.created"]);
    expect(await books()).toEqual([3000, 3000]);
    expect(await refundable()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    // The period has no worth any more.
    await change("free");
    expect(await story.statement()).toEqual([]);
  });
});
