import { describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { openJune, usd } from "../support/june.ts";

/** The amounts of one author's refunds in the provider's book. */
async function bookedBy({ story }: ReturnType<typeof openJune>["june"], author: "billow" | "dashboard") {
  const { ctx, organization } = story.app;
  return (await ctx.payments.sandbox.listRefunds(organization.id, "", author)).map(({ amount }) => amount);
}

describe("a refund fails two weeks after its success", () => {
  const { june, get, post, invoices, change, refund, refundable, balance, lots, reasons, books } = openJune();
  const payOut = () => post(`/customers/${june.customerId}/balance-refunds`, { currency: "usd" });
  let made: Json;

  it("2025-06-05: 10.00 of the first invoice go back to the card, with a credit note", async () => {
    const { story } = june;
    await story.travel("2025-06-05T00:00:00Z");
    made = await refund(1, { amount: 1000 });
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await get(`/refunds/${made.id}`)).toMatchObject({ status: "succeeded", failureCode: null, failedAt: null });
    expect(await books()).toEqual([3000, 1000]);
  });

  it("2025-06-19: the bank sends the money back, and the money is on the balance", async () => {
    const { story } = june;
    await story.travel("2025-06-19T00:00:00Z");
    const answer = await post(`/sandbox/refunds/${made.id}/fail`);
    expect([answer.status, answer.body.status]).toEqual([200, "failed"]);
    expect(await story.news()).toEqual(["refund.failed"]);
    expect(await get(`/refunds/${made.id}`)).toMatchObject({
      status: "failed",
      failureCode: "card_gone",
      settledAt: "2025-06-05T00:00:00.000Z",
      failedAt: "2025-06-19T00:00:00.000Z",
    });
    expect(await balance()).toEqual(usd(1000));
    expect(await lots()).toEqual([[1000, "refund_failed", "0001"]]);
    expect(await reasons()).toEqual([["refund_failed", 1000]]);
    // The refund has left the provider's book.
    expect(await books()).toEqual([3000, 0]);
  });

  it("2025-06-19: the sale stays given back, and the credit can't go to that card", async () => {
    const { story, customerId } = june;
    const [note] = (await get(`/credit-notes?customerId=${customerId}`)).data;
    expect(note).toMatchObject({ totalAmount: 1000, refundId: made.id });
    expect((await invoices())[0]).toMatchObject({ refundedAmount: 1000 });
    expect(await refundable()).toEqual([[2000, 2000]]);
    expect((await payOut()).body.code).toBe("nothing_to_pay_out");
    expect(await refund(1, { amount: 2001 })).toMatchObject({ status: 422 });
    expect((await post(`/sandbox/refunds/${made.id}/fail`)).body.code).toBe("refund_not_failable");
    const { notices } = await get("/organization");
    expect(notices).toMatchObject([{ type: "refund_failed", resourceId: made.id, at: "2025-06-19T00:00:00.000Z" }]);
    expect(await story.news()).toEqual([]);
  });

  it("2025-07-01: the renewal uses the credit, and the notice is gone", async () => {
    const { story } = june;
    await story.travel("2025-07-01T00:00:00Z");
    expect(await story.statement()).toEqual([
      "0002 renewal paid 3000 (balance 1000)",
      "     pro 3000 2025-07-01 → 2025-08-01",
    ]);
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await balance()).toEqual(usd(0));
    expect((await get("/organization")).notices).toEqual([]);
    expect(await refundable()).toEqual([
      [2000, 2000],
      [2000, 3000],
    ]);
  });

  it("2025-07-16: the credit for the rest of the period keeps its source", async () => {
    const { story } = june;
    await story.travel("2025-07-16T12:00:00Z");
    await change("free");
    // The credit of 15.00 takes the lots first, and then the money of the second charge.
    expect(await lots()).toEqual([
      [1000, "refund_failed", "0001"],
      [500, "payment", "0002"],
    ]);
    const answer = await payOut();
    expect(answer.body.data.map(({ amount }: Json) => amount)).toEqual([500]);
    await story.settle();
    expect(await balance()).toEqual(usd(1000));
  });

  it("2025-07-20: the operator pays the rest by other means, and takes it off the balance", async () => {
    const { story, customerId } = june;
    await story.travel("2025-07-20T00:00:00Z");
    const paid = { currency: "usd", amount: -1000, reason: "Sent by bank transfer" };
    await story.ok(post(`/customers/${customerId}/balance-adjustments`, paid));
    expect(await lots()).toEqual([]);
    expect(await balance()).toEqual(usd(0));
  });
});

describe("a payout fails late", () => {
  const { june, post, change, balance, lots } = openJune();
  const payOut = () => post(`/customers/${june.customerId}/balance-refunds`, { currency: "usd" });
  let made: Json;

  it("2025-06-16: a downgrade leaves 15.00, and they are paid out to the card", async () => {
    const { story } = june;
    await story.travel("2025-06-16T00:00:00Z");
    await change("free");
    [made] = (await payOut()).body.data;
    await story.settle();
    expect(await balance()).toEqual(usd(0));
    await story.news();
  });

  it("2025-06-30: the payout fails, and the 15.00 are back, but not for that card", async () => {
    const { story } = june;
    await story.travel("2025-06-30T00:00:00Z");
    await story.ok(post(`/sandbox/refunds/${made.id}/fail`, { failureCode: "card_lost" }));
    expect(await story.news()).toEqual(["refund.failed"]);
    expect(await lots()).toEqual([[1500, "refund_failed", "0001"]]);
    expect((await payOut()).body.code).toBe("nothing_to_pay_out");
  });

  it("2025-07-05: the buyer disputes the charge, and the credit is held; the bank keeps the money", async () => {
    const { story, customerId } = june;
    await story.travel("2025-07-05T00:00:00Z");
    const [payment] = (await story.ok(story.app.manage("GET", `/payments?customerId=${customerId}`))).data;
    const dispute = await story.ok(post(`/sandbox/payments/${payment.id}/dispute`));
    // The bank takes back all of the charge: the failed payout had not left.
    expect(dispute.amount).toBe(3000);
    expect(await balance()).toEqual(usd(1500, 1500));
    await story.ok(post(`/sandbox/disputes/${dispute.id}/close`, { outcome: "lost" }));
    expect(await balance()).toEqual(usd(0));
    expect(await lots()).toEqual([]);
  });
});

describe("a refund fails while the rest of its charge is disputed", () => {
  const { june, post, refund, balance, lots } = openJune();

  it("2025-06-10: the bank takes back 20.00, the rest of the charge", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-10T00:00:00Z");
    const made = await refund(1, { amount: 1000 });
    const [payment] = (await story.ok(story.app.manage("GET", `/payments?customerId=${customerId}`))).data;
    const dispute = await story.ok(post(`/sandbox/payments/${payment.id}/dispute`));
    expect(dispute.amount).toBe(2000);
    await story.ok(post(`/sandbox/refunds/${made.id}/fail`));
    // The dispute does not concern this money, so the credit is free, and the loss leaves the credit alone.
    expect(await lots()).toEqual([[1000, "refund_failed", null]]);
    expect(await balance()).toEqual(usd(1000));
    await story.ok(post(`/sandbox/disputes/${dispute.id}/close`, { outcome: "lost" }));
    expect(await balance()).toEqual(usd(1000));
  });
});

describe("refunds that were made at the provider", () => {
  const { june, get, post, change, refundable, invoices, balance, lots, reasons } = openJune();
  const atProvider = (paymentId: string, body: object = {}) =>
    june.story.ok(post(`/sandbox/payments/${paymentId}/refund`, body));
  const payments = async (): Promise<Json[]> =>
    (await get(`/payments?customerId=${june.customerId}`)).data.toReversed();
  let made: Json;

  it("2025-06-04: 10.00 are refunded in the dashboard, as if Billow had refunded them", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-04T00:00:00Z");
    const [payment] = await payments();
    made = await atProvider(payment!.id, { amount: 1000 });
    expect(made).toMatchObject({
      origin: "provider",
      purpose: "invoice",
      status: "succeeded",
      amount: 1000,
      fromBalance: 0,
      to: "card",
      reason: null,
    });
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded"]);
    const [note] = (await get(`/credit-notes?customerId=${customerId}`)).data;
    expect(note).toMatchObject({ totalAmount: 1000, refundId: made.id });
    expect(await refundable()).toEqual([[2000, 2000]]);
    expect(await bookedBy(june, "dashboard")).toEqual([1000]);
  });

  it("2025-06-16: the upgrade credits the 10.00 that are left of the period, and the credit is spent", async () => {
    const { story } = june;
    await story.travel("2025-06-16T00:00:00Z");
    await change("team");
    expect(await story.statement()).toEqual([
      "0002 product_change paid 2000",
      "     pro, unused rest of the period -1000 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
    ]);
    await story.news();
    expect(await refundable()).toEqual([
      [1000, 1000],
      [2000, 2000],
    ]);
  });

  it("2025-06-17: all the rest is refunded in the dashboard; the excess is a debt", async () => {
    const { story } = june;
    await story.travel("2025-06-17T00:00:00Z");
    const [payment] = await payments();
    expect((await post(`/sandbox/payments/${payment!.id}/refund`, { amount: 2001 })).body).toMatchObject({
      code: "payment_not_refundable",
      available: 2000,
    });
    expect(await atProvider(payment!.id)).toMatchObject({ amount: 2000, fromBalance: 1000, purpose: "invoice" });
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await balance()).toEqual(usd(-1000));
    expect(await reasons()).toEqual([["paid_out", -1000]]);
    expect((await invoices())[0]).toMatchObject({ refundedAmount: 2000, refundableToCard: 0 });
  });

  it("2025-06-20: the first of them fails; the money settles the debt", async () => {
    const { story } = june;
    await story.travel("2025-06-20T00:00:00Z");
    await story.ok(post(`/sandbox/refunds/${made.id}/fail`));
    expect(await story.news()).toEqual(["refund.failed"]);
    expect(await balance()).toEqual(usd(0));
    expect(await lots()).toEqual([]);
    expect(await bookedBy(june, "dashboard")).toEqual([2000]);
  });

  it("2025-07-01: the renewal is charged in full", async () => {
    const { story } = june;
    await story.travel("2025-07-01T00:00:00Z");
    expect(await story.statement()).toEqual(["0003 renewal paid 6000", "     team 6000 2025-07-01 → 2025-08-01"]);
  });
});
