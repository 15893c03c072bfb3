import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { carryOutRefund } from "../../src/actions/refund/carry-out.ts";
import type { Json, TestAnswer } from "../support/app.ts";
import { declines, keepsSilent, loses, type BankAnswer } from "../support/bank.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { openRefundShop, refused, type RefundShop } from "../support/refunds.ts";
import { CARDS, type Story } from "../support/story.ts";

let shop: RefundShop;
let story: Story;

beforeAll(async () => {
  shop = await openRefundShop();
  ({ story } = shop);
  await story.plan("free", 0);
});
afterEach(() => shop.expectToAgree());
afterAll(() => story.close());

const payOut = (customerId: string, body: object = { currency: "usd" }): Promise<TestAnswer> =>
  shop.manage("POST", `/customers/${customerId}/balance-refunds`, body);
const entriesOf = (customerId: string) => shop.listed(`/customers/${customerId}/balance-entries`);
const paymentOf = async (invoice: Json) => (await shop.listed(`/payments?invoiceId=${invoice.id}`))[0];
const booked = async (paymentId: string) =>
  (await story.app.ctx.payments.sandbox.listRefunds(story.app.organization.id))
    .filter(({ chargeKey }) => chargeKey === paymentId)
    .map(({ amount }) => amount);
const sum = (amounts: number[]) => amounts.reduce((running, amount) => running + amount, 0);

/** A Customer that bought a book for 9.00 for each amount, and got this amount of the price as credit. */
async function credited(...amounts: number[]) {
  const customer = shop.someone();
  const invoices: Json[] = [];
  for (const _ of amounts) invoices.push(await shop.sell("book", CARDS.pays, customer));
  for (const [n, amount] of amounts.entries()) {
    await story.ok(shop.refund(invoices[n].id, { to: "balance", amount }));
  }
  const payments = await Promise.all(invoices.map(paymentOf));
  return { customer, customerId: invoices[0].customerId as string, invoices, payments: payments.map(({ id }) => id) };
}

/** A Customer that bought a month of `max` for 30.00, changed to a free Product at once, and has a payout under way. */
async function paidOut(amount: number) {
  const invoice = await shop.sell("max");
  await story.change(invoice.subscriptionId, { productKey: "free" });
  const { id: paymentId } = await paymentOf(invoice);
  const customerId = invoice.customerId as string;
  const [refund] = (await story.ok(payOut(customerId, { currency: "usd", amount }))).data;
  return { invoice, refund, paymentId, customerId, lineId: invoice.lines[0].id };
}

describe("sent again", () => {
  /** The answer as text. `replayed`: the answer to a repeated request. */
  async function send(customerId: string, body: string, key: string) {
    const { url, keys } = story.app;
    const headers = {
      Authorization: `Bearer ${keys.manage}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    };
    const path = `${url}/manage/v1/customers/${customerId}/balance-refunds`;
    const answer = await fetch(path, { method: "POST", headers, body });
    return { status: answer.status, replayed: answer.headers.has("Idempotency-Replayed"), text: await answer.text() };
  }
  const listed = (customerId: string) => shop.listed(`/refunds?customerId=${customerId}&purpose=balance`);

  it("with its Idempotency-Key, a payout is made once and answered with the same bytes, also later", async () => {
    const { customerId } = await credited(900, 500);
    const body = '{"currency":"usd","amount":600}';
    const first = await send(customerId, body, "once");
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(await send(customerId, body, "once")).toEqual({ ...first, replayed: true });
    await story.app.runDue();
    expect(await send(customerId, body, "once")).toEqual({ ...first, replayed: true });
    const other = await send(customerId, '{"currency":"usd","amount":601}', "once");
    expect([other.status, JSON.parse(other.text).code]).toEqual([422, "idempotency_key_reused"]);
    expect(await listed(customerId)).toHaveLength(2);
    expect(await story.balance(customerId)).toBe(800);
  });

  it("many times at once with one key, it is one", async () => {
    const { customerId } = await credited(900);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(customerId, '{"currency":"usd","amount":100}', "at-once")),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await listed(customerId)).toHaveLength(1);
    expect(await story.balance(customerId)).toBe(800);
  });

  it("after the Customer's deletion, the answer is not repeated", async () => {
    const { customerId } = await credited(500);
    const body = '{"currency":"usd","reason":"Ada has left"}';
    expect(await send(customerId, body, "deleted")).toMatchObject({ status: 201 });
    await story.app.runDue();
    expect((await shop.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
    const again = await send(customerId, body, "deleted");
    expect([again.status, JSON.parse(again.text).code]).toEqual([409, "idempotency_key_used"]);
    expect(again.text).not.toContain("Ada has left");
  });

  it("a refusal leaves the key free", async () => {
    const { customerId } = await credited(500);
    expect(await send(customerId, '{"currency":"usd","amount":501}', "refused")).toMatchObject({ status: 409 });
    expect(await send(customerId, '{"currency":"usd","amount":500}', "refused")).toMatchObject({
      status: 201,
      replayed: false,
    });
  });
});

describe("the provider", () => {
  it("declines: the credit is back with its source and its line, and can be paid out again", async () => {
    const { refund, paymentId, customerId, lineId } = await paidOut(1000);
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    const at = expect.any(String);
    const failed = { status: "failed", failureCode: "declined", settledAt: at, failedAt: at };
    expect(await shop.read(`/refunds/${refund.id}`)).toEqual({ ...refund, ...failed });
    const source = { source: "payment", paymentId, creditedLineId: lineId };
    expect(await entriesOf(customerId)).toMatchObject([
      { reason: "payout_failed", amount: 1000, remaining: 1000, refundId: refund.id, invoiceId: null, ...source },
      { reason: "paid_out", amount: -1000, remaining: 0, refundId: refund.id, source: null },
      { reason: "invoice", amount: 3000, remaining: 2000, ...source },
    ]);
    expect(await story.balance(customerId)).toBe(3000);
    expect(await shop.listed(`/events?resourceId=${refund.id}`)).toHaveLength(2);
    expect((await story.ok(payOut(customerId))).data).toMatchObject([{ amount: 3000, paymentId }]);
    await story.app.runDue();
    expect(await booked(paymentId)).toEqual([3000]);
  });

  it("declines, and the credit first settles the debt that an operator has made meanwhile", async () => {
    const { customerId, payments } = await credited(900);
    await story.ok(payOut(customerId));
    const adjustment = { currency: "usd", amount: -400, reason: "By hand" };
    await story.ok(shop.manage("POST", `/customers/${customerId}/balance-adjustments`, adjustment));
    expect(await story.balance(customerId)).toBe(-400);
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    expect(await entriesOf(customerId)).toMatchObject([
      { reason: "payout_failed", amount: 900, remaining: 500, paymentId: payments[0] },
      { reason: "adjustment", amount: -400, remaining: 0 },
      { reason: "paid_out", amount: -900, remaining: 0 },
      { reason: "refund", amount: 900, remaining: 0 },
    ]);
    expect((await story.ok(payOut(customerId))).data).toMatchObject([{ amount: 500 }]);
  });

  it("declines one of two Refunds: each one is settled by itself", async () => {
    const { customerId, payments } = await credited(900, 500);
    await story.ok(payOut(customerId));
    let asked = 0;
    const first: BankAnswer = {
      charge: (send) => ((asked += 1) === 1 ? declines("processing_error").charge(send) : send()),
    };
    shop.bank.says(first);
    await story.app.runDue();
    shop.bank.says(null);
    const refunds = await shop.listed(`/refunds?customerId=${customerId}&purpose=balance`);
    expect(refunds.map(({ status }) => status).sort()).toEqual(["failed", "succeeded"]);
    const failed = refunds.find(({ status }) => status === "failed")!;
    expect(await story.balance(customerId)).toBe(failed.amount);
    expect((await entriesOf(customerId))[0]).toMatchObject({
      reason: "payout_failed",
      amount: failed.amount,
      paymentId: failed.paymentId,
    });
    expect([await booked(payments[0]), await booked(payments[1])].flat()).toEqual([1400 - failed.amount]);
  });

  it("keeps silent: the outcome is unknown, the credit stays away, and the payout is made once", async () => {
    const { refund, customerId, paymentId } = await paidOut(1000);
    shop.bank.says(keepsSilent);
    await story.app.runDue();
    expect(await shop.read(`/refunds/${refund.id}`)).toEqual({ ...refund, status: "unknown" });
    await story.settle();
    expect(await story.balance(customerId)).toBe(2000);
    const over = await payOut(customerId, { currency: "usd", amount: 2001 });
    expect([over.status, over.body.available]).toEqual([409, 2000]);
    shop.bank.says(null);
    await story.settle();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "succeeded", creditNoteId: null });
    expect([await booked(paymentId), await story.balance(customerId)]).toEqual([[1000], 2000]);
  });

  it("never got the request: it is sent again, and may still be declined", async () => {
    const { refund, customerId, paymentId } = await paidOut(1000);
    for (const answer of [loses, loses, declines("card_declined")]) {
      // The provider has no record of a lost request, so the worker sends the request again.
      shop.bank.says(answer);
      await story.settle();
    }
    shop.bank.says(null);
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "failed" });
    expect([await booked(paymentId), await story.balance(customerId)]).toEqual([[], 3000]);
  });

  it("has a card whose answers get lost (4000 0000 0000 0507)", async () => {
    const invoice = await shop.sell("book", CARDS.answerLost);
    await story.ok(shop.refund(invoice.id, { to: "balance" }));
    const [refund] = (await story.ok(payOut(invoice.customerId))).data;
    await story.app.runDue();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "unknown" });
    await story.settle();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "succeeded" });
    expect(await booked(refund.paymentId)).toEqual([900]);
  });

  const carryOut = (id: string) => carryOutRefund(story.app.ctx, story.app.organization.id, id);

  it.each([
    ["pays", null, "succeeded", 2000, 0],
    ["declines", declines("card_declined"), "failed", 3000, 1],
  ] as const)("%s: many workers at once settle the payout once", async (_, answer, status, balance, returned) => {
    const { refund, customerId, paymentId } = await paidOut(1000);
    shop.bank.says(answer);
    await Promise.all(Array.from({ length: 6 }, () => carryOut(refund.id)));
    await carryOut(refund.id);
    shop.bank.says(null);
    await story.settle();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status });
    expect(await story.balance(customerId)).toBe(balance);
    expect(sum(await booked(paymentId))).toBe(3000 - balance);
    const reasons = (await entriesOf(customerId)).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === "payout_failed")).toHaveLength(returned);
  });

  it("has paid, and the worker dies before it writes this down: the next worker finds the payout done", async () => {
    const { refund, customerId, paymentId } = await paidOut(1000);
    const { ctx } = story.app;
    const { tx } = ctx.db;
    const dying: typeof ctx = {
      ...ctx,
      db: Object.assign(Object.create(ctx.db), { tx: () => Promise.reject(new Error("died")) }),
    };
    await expect(carryOutRefund(dying, story.app.organization.id, refund.id)).rejects.toThrow("died");
    expect(ctx.db.tx).toBe(tx);
    expect(await booked(paymentId)).toEqual([1000]);
    expect(await shop.read(`/refunds/${refund.id}`)).toEqual(refund);
    await story.settle();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "succeeded" });
    expect([await booked(paymentId), await story.balance(customerId)]).toEqual([[1000], 2000]);
  });
});

describe("reads and lists", () => {
  it("find payouts by their purpose and their references, in pages", async () => {
    const { customer, customerId, invoices, payments } = await credited(900, 500);
    const [toBalance] = await shop.listed(`/refunds?invoiceId=${invoices[1].id}`);
    const made = (await story.ok(payOut(customerId))).data;
    await story.app.runDue();
    const rows = await Promise.all(made.map(({ id }: Json) => shop.read(`/refunds/${id}`)));
    const newestFirst = rows.toReversed();
    const own = `externalCustomerId=${customer.externalId}`;
    for (const filter of [`${own}&purpose=balance`, `customerId=${customerId}&purpose=balance`, `${own}&to=card`]) {
      expect(await shop.listed(`/refunds?${filter}`)).toEqual(newestFirst);
    }
    expect(await shop.listed(`/refunds?${own}&purpose=invoice`)).toHaveLength(2);
    expect(await shop.listed(`/refunds?${own}`)).toHaveLength(4);
    expect(await shop.listed(`/refunds?${own}&purpose=balance&status=failed`)).toEqual([]);
    expect(await shop.listed(`/refunds?paymentId=${payments[1]}`)).toEqual([rows[0]]);
    // A payout belongs to no invoice.
    expect(await shop.listed(`/refunds?invoiceId=${invoices[1].id}`)).toEqual([toBalance]);
    const first = await shop.read(`/refunds?${own}&purpose=balance&limit=1`);
    expect(first.data).toEqual([newestFirst[0]]);
    const second = await shop.read(`/refunds?${own}&purpose=balance&limit=1&cursor=${first.nextCursor}`);
    expect(second).toEqual({ data: [newestFirst[1]], nextCursor: null });
    expect((await shop.manage("GET", "/refunds?purpose=cash")).status).toBe(422);
  });

  it("are another Organization's 404, and the ETag changes with the outcome", async () => {
    const { refund } = await paidOut(1000);
    const foreign = await foreignCallersOf(story.app);
    expect((await foreign.manage("GET", `/refunds/${refund.id}`)).status).toBe(404);
    expect((await foreign.manage("GET", "/refunds?purpose=balance")).body.data).toEqual([]);
    const pending = await shop.manage("GET", `/refunds/${refund.id}`);
    expect(pending.body).toEqual(refund);
    const unchanged = { "If-None-Match": pending.headers.get("ETag")! };
    expect((await shop.manage("GET", `/refunds/${refund.id}`, undefined, unchanged)).status).toBe(304);
    await story.app.runDue();
    expect((await shop.manage("GET", `/refunds/${refund.id}`, undefined, unchanged)).status).toBe(200);
  });
});

describe("many at once", () => {
  it("never pay out more than there is", async () => {
    const { customerId, payments } = await credited(900, 900);
    const answering = Array.from({ length: 16 }, () => payOut(customerId, { currency: "usd", amount: 250 }));
    // The worker settles some payouts while others are still being asked for.
    for (let round = 0; round < 3; round += 1) {
      await turn();
      await Promise.all([story.app.runDue(), story.app.runDue()]);
    }
    const answers = await Promise.all(answering);
    await story.settle();
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => 201),
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect(await story.balance(customerId)).toBe(50);
    expect(sum([...(await booked(payments[0])), ...(await booked(payments[1]))])).toBe(1750);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.available)).toContain(50);
  });

  it("beside refunds, purchases and adjustments, no more comes back than was paid", async () => {
    const { customer, customerId, invoices, payments } = await credited(600, 600);
    const buy = async () => {
      const open = await story.ok(story.app.api("POST", "/checkouts", { productKey: "book", customer }));
      return shop.manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card: CARDS.pays });
    };
    await Promise.all([
      ...Array.from({ length: 4 }, () => payOut(customerId, { currency: "usd", amount: 200 })),
      ...invoices.map(({ id }) => shop.refund(id, { amount: 500 })),
      ...invoices.map(({ id }) => shop.refund(id, { amount: 100, to: "balance" })),
      buy(),
      shop.manage("POST", `/customers/${customerId}/balance-adjustments`, {
        currency: "usd",
        amount: -150,
        reason: "By hand",
      }),
    ]);
    await story.settle();
    for (const paymentId of payments) expect(sum(await booked(paymentId))).toBeLessThanOrEqual(900);
    const lots = (await entriesOf(customerId)).filter(({ remaining }) => remaining > 0);
    for (const paymentId of payments) {
      const left = sum(lots.filter((lot) => lot.paymentId === paymentId).map(({ remaining }) => remaining));
      expect(sum(await booked(paymentId)) + left).toBeLessThanOrEqual(900);
    }
  });
});

describe("a dispute of a payment with credit that was paid out", () => {
  const dispute = (paymentId: string) => shop.manage("POST", `/sandbox/payments/${paymentId}/dispute`);
  const close = (id: string, outcome: "won" | "lost") =>
    story.ok(shop.manage("POST", `/sandbox/disputes/${id}/close`, { outcome }));

  test("has the amount of the charge less the payouts, settled or not", async () => {
    const { paymentId, customerId } = await paidOut(1000);
    await story.app.runDue();
    expect((await story.ok(payOut(customerId, { currency: "usd", amount: 500 }))).data).toHaveLength(1);
    expect(await dispute(paymentId)).toMatchObject({ status: 201, body: { amount: 1500 } });
    expect(refused(await payOut(customerId))).toEqual([409, "nothing_to_pay_out", undefined, undefined]);
  });

  test("is refused if the whole charge was paid out, unless the payout fails", async () => {
    const { refund, paymentId } = await paidOut(3000);
    expect(refused(await dispute(paymentId))).toEqual([409, "payment_not_disputable", undefined, undefined]);
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "failed" });
    expect(await dispute(paymentId)).toMatchObject({ status: 201, body: { amount: 3000 } });
  });

  test("holds the credit of a payout that fails during the dispute, until it is won", async () => {
    const { paymentId, customerId } = await paidOut(1000);
    const { id } = await story.ok(dispute(paymentId));
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    const balance = async () => (await shop.read(`/customers/${customerId}/balance`)).data;
    expect(await balance()).toEqual([{ currency: "usd", amount: 3000, held: 3000, available: 0 }]);
    await close(id, "won");
    expect(await balance()).toEqual([{ currency: "usd", amount: 3000, held: 0, available: 3000 }]);
    expect((await story.ok(payOut(customerId))).data).toMatchObject([{ amount: 3000, paymentId }]);
  });

  test("that is lost before the payout fails leaves no credit", async () => {
    const { paymentId, customerId } = await paidOut(1000);
    const { id } = await story.ok(dispute(paymentId));
    await close(id, "lost");
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    expect(await story.balance(customerId)).toBe(0);
    expect((await entriesOf(customerId)).slice(0, 2)).toMatchObject([
      { reason: "dispute_lost", amount: -1000 },
      { reason: "payout_failed", amount: 1000, remaining: 0, paymentId },
    ]);
  });

  test("that is lost writes off the credit that is left", async () => {
    const { paymentId, customerId } = await paidOut(1000);
    await story.app.runDue();
    const { id } = await story.ok(dispute(paymentId));
    await close(id, "lost");
    expect(await story.balance(customerId)).toBe(0);
    expect((await entriesOf(customerId))[0]).toMatchObject({ reason: "dispute_lost", amount: -2000 });
    expect(refused(await payOut(customerId))).toEqual([409, "nothing_to_pay_out", undefined, undefined]);
    expect(await booked(paymentId)).toEqual([1000]);
  });
});
