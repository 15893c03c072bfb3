import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reportRefund } from "../../src/actions/refund/report.ts";
import { instant } from "../../src/domain/calendar.ts";
import type { RefundReport } from "../../src/domain/model/refund-report.ts";
import { newId } from "../../src/ids.ts";
import type { Json, TestAnswer } from "../support/app.ts";
import { keepsSilent } from "../support/bank.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { get } from "../support/pages.ts";
import { openRefundShop, type RefundShop } from "../support/refunds.ts";
import { CARDS } from "../support/story.ts";

const SANDBOX = { provider: "sandbox", providerAccount: "sandbox" };
let shop: RefundShop;
beforeAll(async () => {
  shop = await openRefundShop();
});
afterEach(() => shop.expectToAgree());
afterAll(() => shop.story.close());

async function sell(card: string = CARDS.pays): Promise<{ invoice: Json; payment: Json }> {
  const invoice = await shop.sell("book", card);
  return { invoice, payment: (await shop.listed(`/payments?invoiceId=${invoice.id}`))[0] };
}
type Headers_ = Record<string, string>;
const fail = (id: string, body: object = {}, headers?: Headers_): Promise<TestAnswer> =>
  shop.manage("POST", `/sandbox/refunds/${id}/fail`, body, headers);
const atProvider = (id: string, body: object = {}, headers?: Headers_): Promise<TestAnswer> =>
  shop.manage("POST", `/sandbox/payments/${id}/refund`, body, headers);
async function refunded(amount = 900) {
  const sold = await sell();
  const { body } = await shop.refund(sold.invoice.id, { amount });
  await shop.story.app.runDue();
  return { ...sold, refund: await shop.read(`/refunds/${body.id}`) };
}
const eventsOf = async (id: string) => (await shop.listed(`/events?resourceId=${id}`)).map(({ type }) => type);
const balanceOf = (customerId: string) => shop.story.balance(customerId);

describe("a refund that fails after its success", () => {
  it("answers the failed Refund with a new ETag, and is told once", async () => {
    const { invoice, refund } = await refunded(400);
    const before = await shop.manage("GET", `/refunds/${refund.id}`);
    const answer = await fail(refund.id, { failureCode: "card_lost" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...refund,
      status: "failed",
      failureCode: "card_lost",
      failedAt: expect.any(String),
    });
    expect(answer.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
    expect((await eventsOf(refund.id)).toSorted()).toEqual(["refund.created", "refund.failed"]);
    expect(await shop.listed(`/refunds?customerId=${invoice.customerId}&status=failed`)).toEqual([answer.body]);
    expect(await balanceOf(invoice.customerId)).toBe(400);
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 400, refundableToCard: 500 });
  });

  it("is refused a second time, for the balance, and before the provider has made it", async () => {
    const { invoice, refund } = await refunded(300);
    expect((await fail(refund.id)).status).toBe(200);
    expect((await fail(refund.id)).body).toMatchObject({ status: 409, code: "refund_not_failable" });
    const toBalance = (await shop.refund(invoice.id, { amount: 100, to: "balance" })).body;
    expect((await fail(toBalance.id)).body).toMatchObject({ status: 409, code: "refund_not_failable" });
    const pending = (await shop.refund(invoice.id, { amount: 100 })).body;
    expect((await fail(pending.id)).body).toMatchObject({ status: 409, code: "refund_not_failable" });
    expect((await fail(refund.id, { failureCode: "whim" })).status).toBe(422);
    expect((await fail(newId("rfd"))).status).toBe(404);
  });

  it("repeats the answer to a repeated request", async () => {
    const { refund } = await refunded();
    const key = { "Idempotency-Key": "fail-once" };
    const first = await fail(refund.id, {}, key);
    expect((await fail(refund.id, {}, key)).body).toEqual(first.body);
    expect(await eventsOf(refund.id)).toHaveLength(2);
  });

  it("is unknown to another Organization", async () => {
    const { refund, payment } = await refunded(100);
    const { manage } = await foreignCallersOf(shop.story.app);
    for (const path of [`/sandbox/refunds/${refund.id}/fail`, `/sandbox/payments/${payment.id}/refund`])
      expect((await manage("POST", path, {})).status).toBe(404);
  });

  it("fails at once if Billow does not know of the success yet, and can be asked for again", async () => {
    const { invoice } = await sell();
    shop.bank.says(keepsSilent);
    const { body } = await shop.refund(invoice.id, { amount: 900 });
    await shop.story.app.runDue();
    expect(await shop.read(`/refunds/${body.id}`)).toMatchObject({ status: "unknown" });
    expect((await fail(body.id)).body).toMatchObject({
      status: "failed",
      creditNoteId: null,
      failureCode: "card_gone",
    });
    shop.bank.says(null);
    expect(await balanceOf(invoice.customerId)).toBe(0);
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 0, refundableToCard: 900 });
  });

  it("is written off for a deleted Customer", async () => {
    const { invoice, refund } = await refunded();
    expect((await shop.manage("DELETE", `/customers/${invoice.customerId}`)).status).toBe(204);
    expect((await fail(refund.id)).status).toBe(200);
    expect((await shop.read("/organization")).notices.map(({ resourceId }: Json) => resourceId)).not.toContain(
      refund.id,
    );
  });

  it("shows the account balance on the invoice and on the credit note", async () => {
    const { invoice, refund } = await refunded(400);
    const noteUrl = (await shop.read(`/credit-notes/${refund.creditNoteId}`)).url;
    await fail(refund.id);
    for (const url of [invoice.url, noteUrl]) {
      const { text } = await get(url);
      expect(text).toMatch(/[Aa]ccount balance/);
      expect(text).toContain("The refund to Visa •••• 4242 failed on");
    }
  });

  it("comes with the clock for a card whose refunds fail later", async () => {
    const { invoice } = await sell("4000000000005126");
    const { body } = await shop.refund(invoice.id, {});
    await shop.story.app.runDue();
    expect(await shop.read(`/refunds/${body.id}`)).toMatchObject({ status: "succeeded" });
    await shop.story.travel("2025-06-02T09:00:00Z");
    expect(await shop.read(`/refunds/${body.id}`)).toMatchObject({ status: "failed", failureCode: "card_gone" });
    expect(await balanceOf(invoice.customerId)).toBe(900);
  });
});

describe("a refund at the provider", () => {
  it("is booked once for one Idempotency-Key", async () => {
    const { invoice, payment } = await sell();
    const key = { "Idempotency-Key": "dashboard-once" };
    const first = await atProvider(payment.id, { amount: 300 }, key);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ origin: "provider", amount: 300, fromBalance: 0, status: "succeeded" });
    expect((await atProvider(payment.id, { amount: 300 }, key)).body).toEqual(first.body);
    expect(await shop.listed(`/refunds?invoiceId=${invoice.id}`)).toEqual([first.body]);
    expect((await eventsOf(first.body.id)).concat(await eventsOf(invoice.id))).toContain("invoice.refunded");
  });

  it("is refused beyond the rest of the charge, and beside a dispute", async () => {
    const { payment } = await sell();
    expect((await atProvider(payment.id, { amount: 901 })).body).toMatchObject({
      status: 409,
      code: "payment_not_refundable",
      available: 900,
    });
    await shop.story.ok(shop.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
    expect((await atProvider(payment.id)).body).toMatchObject({ code: "payment_not_refundable", available: 0 });
    expect((await atProvider(newId("pay"))).status).toBe(404);
    expect((await atProvider(payment.id, { amount: 0 })).status).toBe(422);
  });

  it("after a refund to the balance leaves a debt, if that credit is gone", async () => {
    const { invoice, payment } = await sell();
    await shop.story.ok(shop.refund(invoice.id, { to: "balance" }));
    await shop.story.ok(
      shop.manage("POST", `/customers/${invoice.customerId}/balance-adjustments`, {
        currency: invoice.currency,
        amount: -600,
        reason: "spent",
      }),
    );
    const { body } = await atProvider(payment.id);
    expect(body).toMatchObject({ purpose: "balance", invoiceId: null, creditNoteId: null, fromBalance: 900 });
    expect(await balanceOf(invoice.customerId)).toBe(-600);
  });

  it("uses the credit of a refund that failed, if the operator tries again there", async () => {
    const { invoice, payment, refund } = await refunded();
    await fail(refund.id);
    expect((await atProvider(payment.id)).body).toMatchObject({ purpose: "balance", fromBalance: 900 });
    expect(await balanceOf(invoice.customerId)).toBe(0);
  });
});

describe("a provider's report", () => {
  const report = (fact: Partial<RefundReport> & Pick<RefundReport, "chargeKey">, account = SANDBOX) => {
    const { ctx, organization } = shop.story.app;
    const whole = { ref: "re_x", key: null, status: "succeeded", amount: 100, failureCode: null } as const;
    return reportRefund(ctx, organization.id, account, {
      ...whole,
      currency: "usd",
      createdAt: instant(0),
      ...fact,
    });
  };

  it("of an unknown charge, or of another account, is unmatched", async () => {
    const { payment } = await sell();
    expect(await report({ chargeKey: newId("pay") })).toBe("unmatched");
    expect(await report({ chargeKey: payment.id }, { ...SANDBOX, providerAccount: "acct_2" })).toBe("unmatched");
  });

  it("that is not final must come again", async () => {
    const { payment, refund } = await refunded(100);
    expect(await report({ chargeKey: payment.id, status: "processing" })).toBe("later");
    expect(await report({ chargeKey: payment.id, key: refund.id, status: "processing" })).toBe("later");
    expect(await eventsOf(refund.id)).toHaveLength(1);
  });

  it("of a success and a failure in any order ends in the failure", async () => {
    const { invoice, payment } = await sell();
    const failed = { chargeKey: payment.id, ref: "re_early", status: "failed", failureCode: "declined" } as const;
    const first = await report(failed);
    expect(first).toMatchObject({ status: "failed", failedLate: false, fromBalance: 0, invoiceId: invoice.id });
    expect(await report({ chargeKey: payment.id, ref: "re_early" })).toMatchObject({ status: "failed" });
    expect(await report(failed)).toMatchObject({ status: "failed", failedLate: false });
    expect(await shop.listed(`/refunds?invoiceId=${invoice.id}`)).toMatchObject([
      { origin: "provider", status: "failed", failureCode: "declined", amount: 100, fromBalance: 0 },
    ]);
    expect(await balanceOf(invoice.customerId)).toBe(0);
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 0, refundableToCard: 900 });
  });

  it("with our key settles our refund, however often it comes", async () => {
    const { payment, refund } = await refunded(200);
    const success = { chargeKey: payment.id, key: refund.id, ref: "re_ours", amount: 200 };
    const events = await eventsOf(refund.id);
    expect(await report(success)).toMatchObject({ status: "succeeded", providerRef: "re_ours" });
    expect(await report(success)).toMatchObject({ status: "succeeded", providerRef: "re_ours" });
    expect(await eventsOf(refund.id)).toEqual(events);
    expect(await shop.read(`/refunds/${refund.id}`)).toEqual(refund);
  });

  it("in another currency than the charge is a fault", async () => {
    const { payment } = await sell();
    await expect(report({ chargeKey: payment.id, currency: "eur" })).rejects.toThrow("another currency");
  });
});
