import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import type { Json, TestAnswer } from "../support/app.ts";
import { declines } from "../support/bank.ts";
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

const entriesOf = (customerId: string) => shop.listed(`/customers/${customerId}/balance-entries`);
const paymentOf = async (invoice: Json) => (await shop.listed(`/payments?invoiceId=${invoice.id}`))[0];
const notesOf = async (invoice: Json) =>
  (await shop.listed(`/credit-notes?invoiceId=${invoice.id}`)).map(({ totalAmount }) => totalAmount);
const booked = async (paymentId: string) =>
  (await story.app.ctx.payments.sandbox.listRefunds(story.app.organization.id))
    .filter(({ chargeKey }) => chargeKey === paymentId)
    .map(({ amount }) => amount);
const available = ({ status, body }: TestAnswer) => [status, body.code, body.available];
const tooLarge = [422, "validation_failed", "/amount", "too_large"];
/** The refunded amount, `refundableToCard` and `refundableToBalance`. */
const figures = async ({ id }: Json) => {
  const { refundedAmount, refundableToCard, refundableToBalance } = await shop.read(`/invoices/${id}`);
  return [refundedAmount, refundableToCard, refundableToBalance];
};

/** A month of `max` for 30.00. The buyer then changed to a free Product, and 30.00 are on the balance. */
async function downgraded() {
  const customer = shop.someone();
  const invoice = await shop.sell("max", CARDS.pays, customer);
  await story.change(invoice.subscriptionId, { productKey: "free" });
  return { customer, invoice, customerId: invoice.customerId as string, payment: await paymentOf(invoice) };
}

describe("a refund to the card of more than `refundableToCard`", () => {
  it("takes the rest off the balance; credit note and `refundedAmount` count only the sale", async () => {
    const invoice = await shop.sell("max");
    await story.ok(shop.refund(invoice.id, { to: "balance", amount: 1000 }));
    expect(await figures(invoice)).toEqual([1000, 2000, 2000]);
    const refund = await story.ok(shop.refund(invoice.id, { amount: 2500 }));
    expect(refund).toMatchObject({ amount: 2500, fromBalance: 500, purpose: "invoice", invoiceId: invoice.id });
    expect(await story.balance(invoice.customerId)).toBe(500);
    expect(await entriesOf(invoice.customerId)).toMatchObject([
      { amount: -500, remaining: 0, reason: "paid_out", refundId: refund.id, invoiceId: null, source: null },
      { amount: 1000, remaining: 500, reason: "refund", source: "payment", paymentId: refund.paymentId },
    ]);
    await story.app.runDue();
    const settled = await shop.read(`/refunds/${refund.id}`);
    expect(settled).toMatchObject({ status: "succeeded", creditNoteId: expect.stringMatching(/^crn_/) });
    expect(await notesOf(invoice)).toEqual([2000, 1000]);
    expect(await figures(invoice)).toEqual([3000, 0, 0]);
    expect(await booked(refund.paymentId)).toEqual([2500]);
    expect(await story.ok(shop.refund(invoice.id, { amount: 500 }))).toMatchObject({ amount: 500, fromBalance: 500 });
  });

  it("makes no credit note if all of it comes off the balance: the change's invoice is the document", async () => {
    const { invoice, customerId, payment } = await downgraded();
    expect(await figures(invoice)).toEqual([0, 0, 0]);
    const refund = await story.ok(shop.refund(invoice.id, { amount: 1200 }));
    expect(refund).toMatchObject({ amount: 1200, fromBalance: 1200, taxAmount: 0, status: "pending" });
    expect(await story.balance(customerId)).toBe(1800);
    await story.app.runDue();
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "succeeded", creditNoteId: null });
    expect([await notesOf(invoice), await figures(invoice)]).toEqual([[], [0, 0, 0]]);
    expect(await booked(payment.id)).toEqual([1200]);
    // The charge has 18.00 left.
    expect(refused(await shop.refund(invoice.id, { amount: 1801 }))).toEqual(tooLarge);
    expect(available(await shop.refund(invoice.id))).toEqual([409, "credited", 1800]);
    await story.ok(shop.refund(invoice.id, { amount: 1800 }));
    expect(refused(await shop.refund(invoice.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
  });

  it("with tax gives back the tax of the sale alone", async () => {
    const invoice = await shop.sell("max", CARDS.pays, shop.someone("DE"));
    expect(invoice).toMatchObject({ totalAmount: 3570, taxAmount: 570 });
    await story.ok(shop.refund(invoice.id, { to: "balance", amount: 1190 }));
    const refund = await story.ok(shop.refund(invoice.id, { amount: 3570 }));
    expect(refund).toMatchObject({ amount: 3570, fromBalance: 1190, taxAmount: 380 });
    await story.app.runDue();
    expect(await notesOf(invoice)).toEqual([2380, 1190]);
  });

  it("that is declined puts sale and credit back, the credit with its source", async () => {
    const invoice = await shop.sell("max");
    await story.ok(shop.refund(invoice.id, { to: "balance", amount: 1000 }));
    const before = await shop.read(`/invoices/${invoice.id}`);
    const refund = await story.ok(shop.refund(invoice.id, { amount: 2500 }));
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    shop.bank.says(null);
    expect(await shop.read(`/refunds/${refund.id}`)).toMatchObject({ status: "failed", creditNoteId: null });
    expect(await shop.read(`/invoices/${invoice.id}`)).toEqual(before);
    expect((await entriesOf(invoice.customerId))[0]).toMatchObject({
      amount: 500,
      remaining: 500,
      reason: "payout_failed",
      refundId: refund.id,
      source: "payment",
      paymentId: refund.paymentId,
      creditedLineId: null,
    });
    expect(await story.balance(invoice.customerId)).toBe(1000);
  });

  test("409 credit_spent has the amount that is available", async () => {
    const { customer, invoice, payment } = await downgraded();
    const book = await shop.sell("book", CARDS.pays, customer);
    expect(book).toMatchObject({ balanceApplied: 900, refundableToCard: 0, refundableToBalance: 900 });
    expect(available(await shop.refund(invoice.id, { amount: 2101 }))).toEqual([409, "credit_spent", 2100]);
    expect(refused(await shop.refund(invoice.id, { amount: 3001 }))).toEqual(tooLarge);
    expect(await shop.listed(`/refunds?paymentId=${payment.id}`)).toEqual([]);
    // The credit of the book comes back with its source, so it can go to the card as well.
    await story.ok(shop.refund(book.id, { to: "balance" }));
    expect(await story.ok(shop.refund(invoice.id, { amount: 3000 }))).toMatchObject({ fromBalance: 3000 });
    await story.app.runDue();
    expect(await booked(payment.id)).toEqual([3000]);
  });

  test("credit of another Payment, and granted credit, is not taken", async () => {
    const customer = shop.someone();
    const [first, second] = [
      await shop.sell("book", CARDS.pays, customer),
      await shop.sell("book", CARDS.pays, customer),
    ];
    await story.ok(shop.refund(first.id, { to: "balance" }));
    await story.ok(shop.refund(second.id, { to: "balance", amount: 300 }));
    const adjustment = { currency: "usd", amount: 700, reason: "Sorry" };
    await story.ok(shop.manage("POST", `/customers/${first.customerId}/balance-adjustments`, adjustment));
    expect(refused(await shop.refund(second.id, { amount: 901 }))).toEqual(tooLarge);
    expect(await story.ok(shop.refund(second.id, { amount: 900 }))).toMatchObject({ fromBalance: 300 });
    expect(refused(await shop.refund(second.id, { amount: 1 }))).toEqual([
      409,
      "nothing_to_refund",
      undefined,
      undefined,
    ]);
    expect(await story.balance(first.customerId)).toBe(1600);
  });

  test("held credit is not taken, and a disputed charge has no money left", async () => {
    const { invoice, payment } = await downgraded();
    await story.ok(shop.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
    for (const body of [{}, { amount: 1 }]) {
      expect(refused(await shop.refund(invoice.id, body))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    }
  });
});

test("a refund that takes all of its amount off the balance revokes the grants of a purchase", async () => {
  const { id } = await story.ok(shop.manage("POST", "/benefits", { type: "custom", name: "Extra" }));
  await story.plan("course", 900, { interval: null, benefitIds: [id] });
  const invoice = await shop.sell("course");
  await story.ok(shop.refund(invoice.id, { to: "balance" }));
  await story.ok(shop.refund(invoice.id, { amount: 900, revokeGrants: true }));
  await story.app.runDue();
  expect(await shop.listed(`/benefit-grants?invoiceId=${invoice.id}`)).toMatchObject([
    { status: "revoked", reason: "refunded" },
  ]);
});

test("the credit of a deleted Customer is gone; the rest still reaches the card", async () => {
  const invoice = await shop.sell("book");
  await story.ok(shop.refund(invoice.id, { to: "balance", amount: 100 }));
  expect((await shop.manage("DELETE", `/customers/${invoice.customerId}?forfeitBalance=true`)).status).toBe(204);
  expect(available(await shop.refund(invoice.id, { amount: 900 }))).toEqual([409, "credit_spent", 800]);
  expect(await shop.refund(invoice.id, { amount: 800 })).toMatchObject({ status: 201, body: { fromBalance: 0 } });
});

describe("409 credited", () => {
  test("a refund without an amount takes no credit, and names the amount that is available", async () => {
    const { customer, invoice } = await downgraded();
    expect(available(await shop.refund(invoice.id))).toEqual([409, "credited", 3000]);
    await shop.sell("book", CARDS.pays, customer);
    expect(available(await shop.refund(invoice.id, { reason: "All of it" }))).toEqual([409, "credited", 2100]);
    expect(await shop.listed(`/refunds?invoiceId=${invoice.id}`)).toEqual([]);
  });

  test("a refund to the balance takes no credit of a change, and names the amount that is available", async () => {
    const invoice = await shop.sell("max");
    await story.ok(shop.refund(invoice.id, { to: "balance", amount: 1000 }));
    await story.change(invoice.subscriptionId, { productKey: "free" });
    expect(await figures(invoice)).toEqual([1000, 0, 0]);
    for (const body of [{ to: "balance" }, { to: "balance", amount: 1 }]) {
      expect(available(await shop.refund(invoice.id, body))).toEqual([409, "credited", 0]);
    }
    expect(refused(await shop.refund(invoice.id, { to: "balance", amount: 2001 }))).toEqual(tooLarge);
    expect(await story.balance(invoice.customerId)).toBe(3000);
  });

  test("a waiting credit counts as given, and it can't be taken", async () => {
    const invoice = await shop.sell("max");
    await story.change(invoice.subscriptionId, { productKey: "free", prorationBehavior: "next_invoice" });
    expect(await figures(invoice)).toEqual([0, 0, 0]);
    expect(available(await shop.refund(invoice.id))).toEqual([409, "credit_spent", 0]);
    expect(available(await shop.refund(invoice.id, { amount: 1 }))).toEqual([409, "credit_spent", 0]);
  });
});

describe("`refundableToCard` and `refundableToBalance`", () => {
  /** The invoice as reads, lists and its last event show it. */
  async function figuresOf({ id }: Json): Promise<Json[]> {
    const read = await shop.read(`/invoices/${id}`);
    const listed = await shop.listed(`/invoices?customerId=${read.customerId}`);
    const events = await shop.listed(`/events?resourceId=${id}&limit=100`);
    return [read, listed.find((each) => each.id === id), events.at(-1)!.data];
  }

  it("are the same in reads, lists and events, for money and credit in one invoice", async () => {
    const first = await shop.sell("pro");
    await story.ok(shop.refund(first.id, { to: "balance", amount: 250 }));
    const next = await shop.renewal(first.subscriptionId);
    const same = async (amounts: Json) => expect(await figuresOf(next)).toMatchObject([amounts, amounts, amounts]);
    await same({ balanceApplied: 250, amountPaid: 750, refundableToCard: 750, refundableToBalance: 1000 });

    await story.ok(shop.refund(next.id, { to: "balance", amount: 400 }));
    await same({ refundedAmount: 400, refundableToCard: 450, refundableToBalance: 600 });
    // 2.50 of 10.00 were credit, so 1.00 of these 4.00 comes back with the source of that credit.
    const [firstPayment, nextPayment] = await Promise.all([paymentOf(first), paymentOf(next)]);
    expect((await entriesOf(next.customerId)).slice(0, 2)).toMatchObject([
      { amount: 300, reason: "refund", invoiceId: next.id, source: "payment", paymentId: nextPayment.id },
      { amount: 100, reason: "refund", invoiceId: next.id, source: "payment", paymentId: firstPayment.id },
    ]);

    await story.ok(shop.refund(next.id));
    await story.app.runDue();
    await same({ refundedAmount: 850, refundableToCard: 0, refundableToBalance: 150 });
    await story.ok(shop.refund(next.id, { to: "balance" }));
    await same({ refundedAmount: 1000, refundableToCard: 0, refundableToBalance: 0 });
  });

  it("are 0 unless the invoice is paid, and an invoice that was paid outside has only the balance", async () => {
    const { subscriptionId } = await shop.sell("pro", CARDS.failsLater);
    const open = await shop.renewal(subscriptionId);
    const none = { refundableToCard: 0, refundableToBalance: 0 };
    expect(await figuresOf(open)).toMatchObject([none, none, none]);
    await story.ok(shop.manage("POST", `/invoices/${open.id}/mark-paid`));
    const outside = { refundableToCard: 0, refundableToBalance: 1000 };
    expect(await figuresOf(open)).toMatchObject([outside, outside, outside]);
  });

  it("rise at the invoice of a credited line, when a refund frees the credit", async () => {
    const first = await shop.sell("pro");
    await story.change(first.subscriptionId, { productKey: "max" });
    const [second] = await shop.listed(`/invoices?subscriptionId=${first.subscriptionId}`);
    expect(second).toMatchObject({ totalAmount: 2000, amountPaid: 2000, refundableToCard: 2000 });
    expect(await figures(first)).toEqual([0, 0, 0]);
    const refund = await story.ok(shop.refund(second.id, { amount: 1000 }));
    // The credit is free once the refund has succeeded.
    expect(await figures(first)).toEqual([0, 0, 0]);
    await story.app.runDue();
    expect(await figures(first)).toEqual([0, 500, 500]);
    expect(refund).toMatchObject({ amount: 1000, fromBalance: 0 });
    await story.ok(shop.refund(second.id));
    await story.app.runDue();
    expect(await story.ok(shop.refund(first.id))).toMatchObject({ amount: 1000, fromBalance: 0 });
    await story.app.runDue();
    expect([await figures(first), await figures(second)]).toEqual([
      [1000, 0, 0],
      [2000, 0, 0],
    ]);
  });

  it("change the ETag of the invoice", async () => {
    const { invoice } = await downgraded();
    const etag = async () => (await shop.manage("GET", `/invoices/${invoice.id}`)).headers.get("ETag");
    const before = await etag();
    await story.ok(shop.refund(invoice.id, { amount: 500 }));
    // Only the balance moves: the amounts of the invoice stay.
    expect(await etag()).toBe(before);
    await story.app.runDue();
    expect(await etag()).not.toBe(before);
  });

  it("change the ETag of the credited invoice when credit is freed", async () => {
    const first = await shop.sell("pro");
    await story.change(first.subscriptionId, { productKey: "max" });
    const [second] = await shop.listed(`/invoices?subscriptionId=${first.subscriptionId}`);
    const etag = async () => (await shop.manage("GET", `/invoices/${first.id}`)).headers.get("ETag");
    const before = await etag();
    await story.ok(shop.refund(second.id, { to: "balance" }));
    expect(await etag()).not.toBe(before);
  });
});
