import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { declines, keepsSilent, loses } from "../support/bank.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { openRefundShop, refused, type RefundShop } from "../support/refunds.ts";
import { CARDS, type Story } from "../support/story.ts";

let shop: RefundShop;
let story: Story;

beforeAll(async () => {
  shop = await openRefundShop();
  ({ story } = shop);
});
afterEach(() => shop.expectToAgree());
afterAll(() => story.close());

describe("a refund to the card", () => {
  it("is pending until the provider has answered; then invoice, credit note and events tell of it", async () => {
    const invoice = await shop.sell("pro");
    const made = await shop.refund(invoice.id, { amount: 400, reason: " Late \n delivery " });
    expect(made.status).toBe(201);
    const [payment] = await shop.listed(`/payments?invoiceId=${invoice.id}`);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^rfd_/),
      purpose: "invoice",
      origin: "billow",
      invoiceId: invoice.id,
      paymentId: payment.id,
      customerId: invoice.customerId,
      status: "pending",
      amount: 400,
      taxAmount: 0,
      fromBalance: 0,
      currency: "usd",
      to: "card",
      reason: "Late \n delivery",
      creditNoteId: null,
      failureCode: null,
      createdAt: expect.any(String),
      settledAt: null,
      failedAt: null,
    });
    const pending = await shop.manage("GET", `/refunds/${made.body.id}`);
    const left = { refundableToCard: 600, refundableToBalance: 600 };
    expect([pending.body, pending.headers.get("ETag")]).toEqual([made.body, made.headers.get("ETag")]);
    expect(await shop.read(`/invoices/${invoice.id}`)).toEqual({ ...invoice, ...left });
    expect(await shop.listed(`/credit-notes?invoiceId=${invoice.id}`)).toEqual([]);

    await story.app.runDue();
    const settled = await shop.manage("GET", `/refunds/${made.body.id}`);
    expect(settled.body).toEqual({
      ...made.body,
      status: "succeeded",
      creditNoteId: expect.stringMatching(/^crn_/),
      settledAt: expect.any(String),
    });
    expect(settled.headers.get("ETag")).not.toBe(pending.headers.get("ETag"));
    const after = await shop.read(`/invoices/${invoice.id}`);
    expect(after).toEqual({ ...invoice, refundedAmount: 400, ...left, updatedAt: expect.any(String) });
    const recorded = await shop.listed(`/events?resourceId=${invoice.id}`);
    expect(recorded.map((event) => event.type)).toEqual(["invoice.created", "invoice.paid", "invoice.refunded"]);
    expect(recorded.at(-1).data).toEqual(after);
    expect(await shop.listed(`/events?resourceId=${made.body.id}`)).toMatchObject([
      { type: "refund.created", sequence: 1, data: made.body },
    ]);
    const booked = await story.app.ctx.payments.sandbox.listRefunds(story.app.organization.id);
    expect(booked).toMatchObject([{ key: made.body.id, chargeKey: payment.id, amount: 400, currency: "usd" }]);
  });

  it("gives back all that is left where no amount is named; the next one is refused", async () => {
    const invoice = await shop.sell("pro");
    expect(await shop.refund(invoice.id, { amount: 1 })).toMatchObject({ status: 201 });
    expect(await shop.refund(invoice.id)).toMatchObject({
      status: 201,
      body: { amount: 999, to: "card", reason: null },
    });
    expect(refused(await shop.refund(invoice.id, {}))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    await story.app.runDue();
    expect(refused(await shop.refund(invoice.id, { amount: 1 }))).toEqual([
      409,
      "nothing_to_refund",
      undefined,
      undefined,
    ]);
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({
      status: "paid",
      amountPaid: 1000,
      refundedAmount: 1000,
    });
  });

  it("is asked about where its answer was lost (4000 0000 0000 0507), and made once", async () => {
    const invoice = await shop.sell("pro", CARDS.answerLost);
    const { body } = await shop.refund(invoice.id, { amount: 300 });
    await story.app.runDue();
    const unknown = await shop.manage("GET", `/refunds/${body.id}`);
    expect(unknown.body).toEqual({ ...body, status: "unknown" });
    expect(refused(await shop.refund(invoice.id, { amount: 701 }))).toEqual([
      422,
      "validation_failed",
      "/amount",
      "too_large",
    ]);
    await story.settle();
    expect(await shop.read(`/refunds/${body.id}`)).toMatchObject({ status: "succeeded", amount: 300 });
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 300 });
  });

  it("is sent again where the provider never got it", async () => {
    const invoice = await shop.sell("pro");
    const { body } = await shop.refund(invoice.id);
    for (const answer of [loses, keepsSilent]) {
      shop.bank.says(answer);
      await story.settle();
      expect(await shop.read(`/refunds/${body.id}`)).toMatchObject({ status: "unknown" });
    }
    shop.bank.says(null);
    await story.settle();
    expect(await shop.read(`/refunds/${body.id}`)).toMatchObject({ status: "succeeded" });
  });

  it("that is declined changes nothing, and can be asked for again", async () => {
    const invoice = await shop.sell("pro");
    const { body } = await shop.refund(invoice.id, { amount: 1000 });
    shop.bank.says(declines("card_declined"));
    await story.app.runDue();
    expect(await shop.read(`/refunds/${body.id}`)).toEqual({
      ...body,
      status: "failed",
      failureCode: "declined",
      settledAt: expect.any(String),
      failedAt: expect.any(String),
    });
    expect((await shop.listed(`/events?resourceId=${body.id}`)).map(({ type }) => type)).toEqual([
      "refund.created",
      "refund.failed",
    ]);
    expect(await shop.read(`/invoices/${invoice.id}`)).toEqual(invoice);
    shop.bank.says(null);
    expect(await shop.refund(invoice.id, { amount: 1000 })).toMatchObject({ status: 201 });
    await story.app.runDue();
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 1000 });
    expect((await shop.listed(`/credit-notes?invoiceId=${invoice.id}`)).map((note) => note.number.slice(-6))).toEqual([
      "CN0001",
    ]);
  });

  it("still reaches the card of a deleted Customer, but not a balance", async () => {
    const invoice = await shop.sell("book");
    const before = await story.ok(shop.refund(invoice.id, { amount: 100, reason: "Moved to 12 St James's Square" }));
    await story.app.runDue();
    expect(await shop.manage("DELETE", `/customers/${invoice.customerId}`)).toMatchObject({ status: 204 });
    expect(refused(await shop.refund(invoice.id, { to: "balance" }))).toEqual([
      422,
      "validation_failed",
      "/to",
      "customer_deleted",
    ]);
    expect(await shop.read(`/refunds/${before.id}`)).toMatchObject({ status: "succeeded", reason: null });
    expect((await shop.listed(`/events?resourceId=${before.id}`))[0].data).toEqual({ ...before, reason: null });
    const { body } = await shop.refund(invoice.id, { to: "card" });
    expect(body).toMatchObject({ amount: 800 });
    await story.app.runDue();
    const settled = await shop.read(`/refunds/${body.id}`);
    expect(settled).toMatchObject({ status: "succeeded" });
    expect((await shop.read(`/credit-notes/${settled.creditNoteId}`)).buyer).toEqual(invoice.buyer);
  });
});

describe("a refund to the balance", () => {
  it("is done at once, and the next invoice uses it", async () => {
    const invoice = await shop.sell("pro");
    const { body, status } = await shop.refund(invoice.id, { amount: 250, to: "balance" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "succeeded",
      to: "balance",
      paymentId: null,
      amount: 250,
      settledAt: body.createdAt,
    });
    expect(await shop.read(`/refunds/${body.id}`)).toEqual(body);
    expect(await story.balance(invoice.customerId)).toBe(250);
    expect(await shop.listed(`/customers/${invoice.customerId}/balance-entries`)).toMatchObject([
      { amount: 250, reason: "refund", invoiceId: invoice.id },
    ]);
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 250 });
    const next = await shop.renewal(invoice.subscriptionId);
    expect(next).toMatchObject({ status: "paid", totalAmount: 1000, balanceApplied: 250, amountPaid: 750 });
    // The part that the balance settled was not taken for this invoice, so it can't be refunded.
    expect(refused(await shop.refund(next.id, { amount: 751 }))).toEqual([
      422,
      "validation_failed",
      "/amount",
      "too_large",
    ]);
    expect(await shop.refund(next.id)).toMatchObject({ body: { amount: 750 } });
  });

  it("is the only one for an invoice that no card paid", async () => {
    const { subscriptionId } = await shop.sell("pro", CARDS.failsLater);
    const open = await shop.renewal(subscriptionId);
    await story.ok(shop.manage("POST", `/invoices/${open.id}/mark-paid`, { reason: "Bank transfer" }));
    expect(refused(await shop.refund(open.id))).toEqual([422, "validation_failed", "/to", "not_paid_by_card"]);
    expect(await shop.refund(open.id, { to: "balance" })).toMatchObject({
      status: 201,
      body: { amount: 1000, status: "succeeded" },
    });
    expect(await story.balance(open.customerId)).toBe(1000);
  });
});

describe("a credit note", () => {
  it("names its invoice, and the part of each line that was given back, with its tax", async () => {
    const invoice = await shop.sell("pro", CARDS.pays, shop.someone("DE"));
    expect(invoice).toMatchObject({ totalAmount: 1190, taxAmount: 190 });
    const half = await story.ok(shop.refund(invoice.id, { amount: 595, to: "balance" }));
    const rest = await story.ok(shop.refund(invoice.id, { to: "balance" }));
    expect([half, rest].map(({ amount, taxAmount }) => [amount, taxAmount])).toEqual([
      [595, 95],
      [595, 95],
    ]);
    const note = await shop.manage("GET", `/credit-notes/${half.creditNoteId}`);
    expect(note.body).toEqual({
      id: half.creditNoteId,
      number: `${invoice.number.slice(0, -4)}CN0001`,
      url: expect.stringContaining(`/credit-notes/${half.creditNoteId}/`),
      invoiceId: invoice.id,
      invoiceNumber: invoice.number,
      refundId: half.id,
      customerId: invoice.customerId,
      currency: "usd",
      locale: null,
      lines: [
        {
          invoiceLineId: invoice.lines[0].id,
          description: "pro",
          productId: invoice.lines[0].productId,
          amount: 500,
          taxAmount: 95,
          taxRate: invoice.lines[0].taxRate,
          periodStart: invoice.lines[0].periodStart,
          periodEnd: invoice.lines[0].periodEnd,
        },
      ],
      subtotalAmount: 500,
      taxAmount: 95,
      taxes: [{ ...invoice.taxes[0], taxableAmount: 500, taxAmount: 95 }],
      taxNote: null,
      totalAmount: 595,
      seller: invoice.seller,
      buyer: invoice.buyer,
      createdAt: half.settledAt,
    });
    const etag = note.headers.get("ETag") as string;
    expect(
      (await shop.manage("GET", `/credit-notes/${half.creditNoteId}`, undefined, { "If-None-Match": etag })).status,
    ).toBe(304);
    const second = await shop.read(`/credit-notes/${rest.creditNoteId}`);
    expect(second.number).toBe(`${invoice.number.slice(0, -4)}CN0002`);
    expect(await shop.listed(`/credit-notes?customerId=${invoice.customerId}`)).toEqual([second, note.body]);
    expect(await shop.listed(`/credit-notes?number=${note.body.number}`)).toEqual([note.body]);
    expect(await shop.listed(`/credit-notes?refundId=${rest.id}`)).toEqual([second]);
  });
});

describe("lists", () => {
  it("find refunds and credit notes by their references, in pages", async () => {
    const customer = shop.someone();
    const invoice = await shop.sell("pro", CARDS.pays, customer);
    const made = [
      await story.ok(shop.refund(invoice.id, { amount: 100, to: "balance" })),
      await story.ok(shop.refund(invoice.id, { amount: 200 })),
    ];
    await story.app.runDue();
    const [card, balance] = await Promise.all([made[1], made[0]].map(({ id }) => shop.read(`/refunds/${id}`)));
    const own = `externalCustomerId=${customer.externalId}`;
    for (const filter of [
      own,
      `customerId=${invoice.customerId}`,
      `invoiceId=${invoice.id}`,
      `subscriptionId=${invoice.subscriptionId}`,
    ]) {
      expect(await shop.listed(`/refunds?${filter}`)).toEqual([card, balance]);
    }
    expect(await shop.listed(`/refunds?${own}&to=card&status=succeeded`)).toEqual([card]);
    expect(await shop.listed(`/refunds?paymentId=${card.paymentId}`)).toEqual([card]);
    expect(await shop.listed(`/refunds?${own}&status=pending`)).toEqual([]);
    const notes = await shop.listed(`/credit-notes?${own}`);
    expect(notes.map((note) => note.refundId)).toEqual([card.id, balance.id]);
    for (const [list, rows] of [
      ["refunds", [card, balance]],
      ["credit-notes", notes],
    ] as const) {
      const first = await shop.read(`/${list}?${own}&limit=1`);
      expect(first.data).toEqual([rows[0]]);
      expect(await shop.read(`/${list}?${own}&limit=1&cursor=${first.nextCursor}`)).toEqual({
        data: [rows[1]],
        nextCursor: null,
      });
      expect((await shop.manage("GET", `/${list}?colour=red`)).status).toBe(422);
      expect(await (await foreignCallersOf(story.app)).manage("GET", `/${list}`)).toMatchObject({
        status: 200,
        body: { data: [] },
      });
    }
  });
});

describe("a one-time purchase", () => {
  it("keeps its grants, unless its refund revokes them; then they are gone for good", async () => {
    const benefit = await story.ok(shop.manage("POST", "/benefits", { type: "custom", name: "Extra" }));
    const [first, second] = await Promise.all(
      ["one", "two"].map((name) => story.ok(shop.manage("POST", "/benefits", { type: "custom", name }))),
    );
    const { id: productId } = await story.plan("course", 5000, { interval: null, benefitIds: [first.id] });
    const [kept, taken] = [await shop.sell("course"), await shop.sell("course")];
    const grants = async (invoice: Json) =>
      (await shop.listed(`/benefit-grants?invoiceId=${invoice.id}`)).map(({ status, reason }) => `${status} ${reason}`);
    await story.ok(shop.refund(kept.id));
    const declined = await story.ok(shop.refund(taken.id, { amount: 1000, revokeGrants: true }));
    shop.bank.says(declines("processing_error"));
    await story.app.runDue();
    shop.bank.says(null);
    expect(await shop.read(`/refunds/${declined.id}`)).toMatchObject({ status: "failed" });
    expect(await grants(taken)).toEqual(["active purchased"]);
    await story.ok(shop.refund(taken.id, { amount: 1000, revokeGrants: true }));
    await story.ok(shop.refund(kept.id, { amount: 1 }));
    await story.app.runDue();
    expect(await grants(kept)).toEqual(["active purchased"]);
    expect(await grants(taken)).toEqual(["revoked refunded"]);
    const customer = await shop.read(`/customers/${taken.customerId}`);
    expect(await story.access(customer.externalId)).toEqual([]);

    await story.ok(shop.manage("PATCH", `/products/${productId}`, { benefitIds: [first.id, second.id, benefit.id] }));
    await story.app.runDue();
    expect(await grants(kept)).toEqual(["active benefits_edited", "active benefits_edited", "active purchased"]);
    expect(await grants(taken)).toEqual(["revoked refunded"]);
  });
});
