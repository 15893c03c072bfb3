import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, type Json, type TestAnswer } from "../support/app.ts";
import { declines, keepsSilent } from "../support/bank.ts";
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

const payOut = (customerId: string, body: unknown = { currency: "usd" }, headers?: Record<string, string>) =>
  shop.manage("POST", `/customers/${customerId}/balance-refunds`, body, headers);
const entriesOf = (customerId: string) => shop.listed(`/customers/${customerId}/balance-entries`);
const paymentOf = async (invoice: Json) => (await shop.listed(`/payments?invoiceId=${invoice.id}`))[0];
const booked = async (paymentId: string) =>
  (await story.app.ctx.payments.sandbox.listRefunds(story.app.organization.id))
    .filter(({ chargeKey }) => chargeKey === paymentId)
    .map(({ amount }) => amount);
const adjust = (customerId: string, amount: number) =>
  story.ok(
    shop.manage("POST", `/customers/${customerId}/balance-adjustments`, { currency: "usd", amount, reason: "By hand" }),
  );
const available = ({ status, body }: TestAnswer) => [status, body.code, body.available];

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

/** A Customer that bought a month of `max` for 30.00 and changed to a free Product at once. */
async function downgraded() {
  const invoice = await shop.sell("max");
  await story.change(invoice.subscriptionId, { productKey: "free" });
  const { id: paymentId } = await paymentOf(invoice);
  return { invoice, paymentId, customerId: invoice.customerId as string, lineId: invoice.lines[0].id };
}

describe("a payout", () => {
  it("makes one Refund for each Payment, newest Payment first, and each reaches its own charge", async () => {
    const { customerId, invoices, payments } = await credited(900, 500);
    const before = await Promise.all(invoices.map(({ id }) => shop.read(`/invoices/${id}`)));
    const notes = await shop.listed(`/credit-notes?customerId=${customerId}`);
    const made = await payOut(customerId, { currency: "USD", reason: " Moved \n away " });
    expect(made.status).toBe(201);
    const refund = {
      id: expect.stringMatching(/^rfd_/),
      purpose: "balance",
      origin: "billow",
      invoiceId: null,
      customerId,
      status: "pending",
      taxAmount: 0,
      currency: "usd",
      to: "card",
      reason: "Moved \n away",
      creditNoteId: null,
      failureCode: null,
      createdAt: expect.any(String),
      settledAt: null,
      failedAt: null,
    };
    expect(made.body).toEqual({
      data: [
        { ...refund, paymentId: payments[1], amount: 500, fromBalance: 500 },
        { ...refund, paymentId: payments[0], amount: 900, fromBalance: 900 },
      ],
    });
    // The credit has left the balance at once.
    expect(await story.balance(customerId)).toBe(0);
    const [newest, oldest] = made.body.data;
    const paidOut = { reason: "paid_out", source: null, paymentId: null, creditedLineId: null, remaining: 0 };
    expect(await entriesOf(customerId)).toMatchObject([
      { ...paidOut, amount: -900, refundId: oldest.id, invoiceId: null, note: null },
      { ...paidOut, amount: -500, refundId: newest.id, invoiceId: null, note: null },
      { reason: "refund", amount: 500, remaining: 0, source: "payment", paymentId: payments[1] },
      { reason: "refund", amount: 900, remaining: 0, source: "payment", paymentId: payments[0] },
    ]);

    await story.app.runDue();
    for (const [n, { id }] of made.body.data.entries()) {
      expect(await shop.read(`/refunds/${id}`)).toEqual({
        ...made.body.data[n],
        status: "succeeded",
        settledAt: expect.any(String),
      });
      expect((await shop.listed(`/events?resourceId=${id}`)).map(({ type, data }) => [type, data])).toEqual([
        ["refund.created", made.body.data[n]],
      ]);
    }
    expect([await booked(payments[0]), await booked(payments[1])]).toEqual([[900], [500]]);
    // No sale was given back, so no document and no invoice has changed.
    expect(await shop.listed(`/credit-notes?customerId=${customerId}`)).toEqual(notes);
    expect(await Promise.all(invoices.map(({ id }) => shop.read(`/invoices/${id}`)))).toEqual(before);
  });

  it("of a part takes credit from the newest Payment first, and the rest can be paid out later", async () => {
    const { customerId, payments } = await credited(900, 500);
    const amounts = ({ body }: TestAnswer) => body.data.map(({ paymentId, amount }: Json) => [paymentId, amount]);
    expect(amounts(await payOut(customerId, { currency: "usd", amount: 700 }))).toEqual([
      [payments[1], 500],
      [payments[0], 200],
    ]);
    expect(await story.balance(customerId)).toBe(700);
    const lots = (await entriesOf(customerId)).filter(({ source }) => source !== null);
    expect(lots.map(({ amount, remaining }) => [amount, remaining])).toEqual([
      [500, 0],
      [900, 700],
    ]);
    expect(amounts(await payOut(customerId, { currency: "usd", amount: 1 }))).toEqual([[payments[0], 1]]);
    expect(amounts(await payOut(customerId))).toEqual([[payments[0], 699]]);
    await story.app.runDue();
    expect((await booked(payments[0])).toSorted((one, other) => one - other)).toEqual([1, 200, 699]);
  });

  it("gives back credit of a change; then there is no money of the charge left", async () => {
    const { invoice, customerId, paymentId, lineId } = await downgraded();
    expect(await entriesOf(customerId)).toMatchObject([
      { amount: 3000, remaining: 3000, reason: "invoice", source: "payment", paymentId, creditedLineId: lineId },
    ]);
    expect(await payOut(customerId)).toMatchObject({ status: 201, body: { data: [{ amount: 3000, paymentId }] } });
    await story.app.runDue();
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({
      refundedAmount: 0,
      refundableToCard: 0,
      refundableToBalance: 0,
    });
    expect(refused(await shop.refund(invoice.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    expect(refused(await shop.refund(invoice.id, { amount: 1 }))).toEqual([
      409,
      "nothing_to_refund",
      undefined,
      undefined,
    ]);
  });

  it("leaves granted credit on the balance", async () => {
    const { customerId } = await credited(500);
    await adjust(customerId, 300);
    const over = await payOut(customerId, { currency: "usd", amount: 501 });
    expect(available(over)).toEqual([409, "credit_spent", 500]);
    expect(await payOut(customerId)).toMatchObject({ status: 201, body: { data: [{ amount: 500 }] } });
    expect(await story.balance(customerId)).toBe(300);
  });
});

describe("409 nothing_to_pay_out", () => {
  const refusal = [409, "nothing_to_pay_out", undefined, undefined];

  test("without credit, in this currency or at all", async () => {
    const { id } = await story.ok(story.app.api("POST", "/customers", shop.someone()));
    expect(refused(await payOut(id))).toEqual(refusal);
    expect(refused(await payOut(id, { currency: "usd", amount: 1 }))).toEqual(refusal);
    const { customerId } = await credited(500);
    expect(refused(await payOut(customerId, { currency: "eur" }))).toEqual(refusal);
    expect(await story.balance(customerId)).toBe(500);
  });

  test("with granted credit or a debt alone", async () => {
    const { id } = await story.ok(story.app.api("POST", "/customers", shop.someone()));
    await adjust(id, 300);
    expect(refused(await payOut(id))).toEqual(refusal);
    await adjust(id, -400);
    expect(refused(await payOut(id))).toEqual(refusal);
    expect(await story.balance(id)).toBe(-100);
  });

  test("with money from outside alone", async () => {
    const { subscriptionId } = await shop.sell("pro", CARDS.failsLater);
    const open = await shop.renewal(subscriptionId);
    await story.ok(shop.manage("POST", `/invoices/${open.id}/mark-paid`, {}));
    await story.ok(shop.refund(open.id, { to: "balance" }));
    expect(await entriesOf(open.customerId)).toMatchObject([{ amount: 1000, source: "outside", paymentId: null }]);
    expect(refused(await payOut(open.customerId))).toEqual(refusal);
  });

  test("with held credit alone, until the dispute is won", async () => {
    const { customerId, payments } = await credited(500);
    const dispute = await story.ok(shop.manage("POST", `/sandbox/payments/${payments[0]}/dispute`));
    expect(refused(await payOut(customerId))).toEqual(refusal);
    await story.ok(shop.manage("POST", `/sandbox/disputes/${dispute.id}/close`, { outcome: "won" }));
    expect(await payOut(customerId)).toMatchObject({ status: 201, body: { data: [{ amount: 500 }] } });
  });

  test("while a change that is being paid reserves the credit", async () => {
    const customer = shop.someone();
    const [pro, book] = [await shop.sell("pro", CARDS.pays, customer), await shop.sell("book", CARDS.pays, customer)];
    await story.ok(shop.refund(book.id, { to: "balance" }));
    shop.bank.says(keepsSilent);
    const change = await story.app.api("PATCH", `/subscriptions/${pro.subscriptionId}`, { productKey: "max" });
    expect(change.status).toBe(503);
    expect(refused(await payOut(pro.customerId))).toEqual(refusal);
    shop.bank.says(null);
    await story.settle();
    expect(await story.balance(pro.customerId)).toBe(0);
  });
});

test("credit that an open invoice used can be paid out once the invoice is void", async () => {
  const customer = shop.someone();
  const book = await shop.sell("book", CARDS.pays, customer);
  const { subscriptionId, customerId } = await shop.sell("pro", CARDS.failsLater, customer);
  await story.ok(shop.refund(book.id, { to: "balance" }));
  const open = await shop.renewal(subscriptionId);
  expect(open).toMatchObject({ status: "open", balanceApplied: 900, amountDue: 100 });
  expect(refused(await payOut(customerId))).toEqual([409, "nothing_to_pay_out", undefined, undefined]);
  await story.ok(shop.manage("POST", `/invoices/${open.id}/void`));
  const { id: paymentId } = await paymentOf(book);
  expect((await entriesOf(customerId))[0]).toMatchObject({ reason: "invoice_voided", amount: 900, paymentId });
  expect(await payOut(customerId)).toMatchObject({ status: 201, body: { data: [{ amount: 900, paymentId }] } });
});

describe("409 credit_spent", () => {
  test("for more than there is, with the amount that is available", async () => {
    const { customer, customerId } = await credited(900, 900);
    expect(available(await payOut(customerId, { currency: "usd", amount: 1801 }))).toEqual([409, "credit_spent", 1800]);
    // The balance pays another book, with credit from the oldest Payment.
    const invoice = await shop.sell("book", CARDS.pays, customer);
    expect(invoice).toMatchObject({ balanceApplied: 900, amountPaid: 0 });
    expect(available(await payOut(customerId, { currency: "usd", amount: 901 }))).toEqual([409, "credit_spent", 900]);
    expect(available(await payOut(customerId, { currency: "usd", amount: 999_999_999_999 }))).toEqual([
      409,
      "credit_spent",
      900,
    ]);
    expect(await shop.listed(`/refunds?customerId=${customerId}&purpose=balance`)).toEqual([]);
    expect(await payOut(customerId, { currency: "usd", amount: 900 })).toMatchObject({ status: 201 });
  });

  test("without the held part", async () => {
    const { customerId, payments } = await credited(900, 500);
    await story.ok(shop.manage("POST", `/sandbox/payments/${payments[1]}/dispute`));
    expect(available(await payOut(customerId, { currency: "usd", amount: 901 }))).toEqual([409, "credit_spent", 900]);
    expect((await payOut(customerId)).body.data).toMatchObject([{ paymentId: payments[0], amount: 900 }]);
    expect(await story.balance(customerId)).toBe(500);
  });
});

describe("a refused request", () => {
  let customerId: string;
  beforeAll(async () => {
    ({ customerId } = await credited(500));
  });

  test.each<[body: object, ...faults: string[][]]>([
    [{}, ["/currency", "required"]],
    [{ currency: null }, ["/currency", "invalid_type"]],
    [{ currency: "xxx" }, ["/currency", "invalid_currency"]],
    [{ currency: "usd", amount: 0 }, ["/amount", "too_small"]],
    [{ currency: "usd", amount: -1 }, ["/amount", "too_small"]],
    [{ currency: "usd", amount: 1.5 }, ["/amount", "invalid_type"]],
    [{ currency: "usd", amount: "1" }, ["/amount", "invalid_type"]],
    [{ currency: "usd", amount: 1_000_000_000_000 }, ["/amount", "too_large"]],
    [{ currency: "usd", reason: "x".repeat(1001) }, ["/reason", "too_long"]],
    [{ currency: "usd", to: "card" }, ["/to", "unknown_field"]],
    [{ amount: 0, colour: "red" }, ["/currency", "required"], ["/amount", "too_small"], ["/colour", "unknown_field"]],
  ])("422 for %j", async (body, ...faults) => {
    const answer = await payOut(customerId, body);
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
    expect(answer.body.errors.map(({ pointer, code }: Json) => [pointer, code])).toEqual(faults);
  });

  test("null counts as no amount and no reason", async () => {
    const other = await credited(100);
    const answer = await payOut(other.customerId, { currency: "usd", amount: null, reason: null });
    expect(answer).toMatchObject({ status: 201, body: { data: [{ amount: 100, reason: null }] } });
  });

  test("400 and 415 for a body that is no JSON, and 422 without a body", async () => {
    expect(refused(await payOut(customerId, "{"))).toEqual([400, "malformed_json", undefined, undefined]);
    expect((await payOut(customerId, "{}", { "Content-Type": "text/plain" })).status).toBe(415);
    expect(await payOut(customerId, [])).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  });

  test("401 without a key, 403 for a public key, and 405 names the methods of the path", async () => {
    const path = `/customers/${customerId}/balance-refunds`;
    const body = { currency: "usd" };
    for (const [key, code] of [
      [null, "api_key_missing"],
      ["blw_test_nonsense", "api_key_invalid"],
    ] as const) {
      const answer = await caller(`${story.app.url}/manage/v1`, key)("POST", path, body);
      expect(refused(answer)).toEqual([401, code, undefined, undefined]);
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
    }
    const other = await payOut(customerId, body, { Authorization: `Bearer ${story.app.keys.public}` });
    expect(refused(other)).toEqual([403, "insufficient_scope", undefined, undefined]);
    const read = await shop.manage("GET", path);
    expect([read.status, read.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test("404 for a Customer that is unknown or another Organization's", async () => {
    const foreign = await foreignCallersOf(story.app);
    const path = `/customers/${customerId}/balance-refunds`;
    const notFound = [404, "not_found", undefined, undefined];
    expect(refused(await foreign.manage("POST", path, { currency: "usd" }))).toEqual(notFound);
    for (const id of [newId("cus"), "cus_x", newId("inv")]) expect(refused(await payOut(id))).toEqual(notFound);
    expect(await story.balance(customerId)).toBe(500);
  });

  test("404 for a deleted Customer", async () => {
    const { customerId: deleted } = await credited(500);
    expect((await shop.manage("DELETE", `/customers/${deleted}?forfeitBalance=true`)).status).toBe(204);
    expect(refused(await payOut(deleted))).toEqual([404, "not_found", undefined, undefined]);
  });
});

describe("a payout under way while the Customer is deleted", () => {
  it("goes on, and its reason is blanked", async () => {
    const { customerId } = await credited(500);
    const [refund] = (await story.ok(payOut(customerId, { currency: "usd" }))).data;
    expect((await shop.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
    await story.app.runDue();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "succeeded", reason: null });
  });

  it("may fail: the credit is written off, because no balance is left for it", async () => {
    const { customerId } = await credited(500);
    const [refund] = (await story.ok(payOut(customerId, { currency: "usd", reason: "Ada moved" }))).data;
    expect((await shop.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    // The audit after this test finds a deleted Customer with a balance.
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "failed", reason: null });
  });
});
