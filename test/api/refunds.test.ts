import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json, TestAnswer, TestCall } from "../support/app.ts";
import { bankOf, declines, keepsSilent, loses, type Bank } from "../support/bank.ts";
import { strangerOf } from "../support/operations.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const VAT = { country: "DE", basisPoints: 1900, name: "VAT" };

let story: Story;
let bank: Bank;
let stranger: Awaited<ReturnType<typeof strangerOf>>;
let buyers = 0;

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  bank = bankOf(story.app);
  stranger = await strangerOf(story.app);
  await story.plan("pro", 1000);
  await story.plan("max", 3000);
  await story.plan("book", 900, { interval: null });
  await story.ok(story.app.manage("PATCH", "/organization", { taxRates: [VAT], legalName: "Shop GmbH" }));
});
afterEach(async () => {
  bank.says(null);
  await story.settle();
  expect(await story.audit()).toEqual([]);
});
afterAll(() => story.close());

const manage: TestCall = (...call) => story.app.manage(...call);
const read = (path: string) => story.ok(manage("GET", path));
const refund = (invoiceId: string, body?: object, headers?: Record<string, string>) =>
  manage("POST", `/invoices/${invoiceId}/refunds`, body, headers);
const someone = (country = "GB") => {
  buyers += 1;
  return { email: `buyer-${buyers}@example.com`, externalId: `buyer-${buyers}`, billingAddress: { country } };
};
const listed = async (path: string): Promise<Json[]> => (await read(path)).data;

/** A paid invoice, of a Subscription unless the Product is a book. */
async function sell(productKey: string, card: string = CARDS.pays, customer: object = someone()): Promise<Json> {
  const open = await story.ok(story.app.api("POST", "/checkouts", { productKey, customer }));
  await story.ok(manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card }));
  await story.settle();
  const { invoiceId } = await story.ok(story.app.api("GET", `/checkouts/${open.id}`));
  return read(`/invoices/${invoiceId}`);
}

/** The invoice of a Subscription's next period, once its charge is settled. */
async function renewal(subscriptionId: string): Promise<Json> {
  await story.travel((await story.subscription(subscriptionId)).currentPeriodEnd);
  return (await listed(`/invoices?subscriptionId=${subscriptionId}`))[0];
}

const refused = (answer: TestAnswer) => [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer, answer.body.errors?.[0]?.code];

describe("a refund to the card", () => {
  it("is pending until the provider has answered; then invoice, credit note and events tell of it", async () => {
    const invoice = await sell("pro");
    const made = await refund(invoice.id, { amount: 400, reason: " Late \n delivery " });
    expect(made.status).toBe(201);
    const [payment] = await listed(`/payments?invoiceId=${invoice.id}`);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^rfd_/),
      invoiceId: invoice.id,
      paymentId: payment.id,
      customerId: invoice.customerId,
      status: "pending",
      amount: 400,
      taxAmount: 0,
      currency: "usd",
      to: "card",
      reason: "Late \n delivery",
      creditNoteId: null,
      createdAt: expect.any(String),
      settledAt: null,
    });
    const pending = await manage("GET", `/refunds/${made.body.id}`);
    expect([pending.body, pending.headers.get("ETag")]).toEqual([made.body, made.headers.get("ETag")]);
    expect(await read(`/invoices/${invoice.id}`)).toEqual(invoice);
    expect(await listed(`/credit-notes?invoiceId=${invoice.id}`)).toEqual([]);

    await story.app.runDue();
    const settled = await manage("GET", `/refunds/${made.body.id}`);
    expect(settled.body).toEqual({
      ...made.body,
      status: "succeeded",
      creditNoteId: expect.stringMatching(/^crn_/),
      settledAt: expect.any(String),
    });
    expect(settled.headers.get("ETag")).not.toBe(pending.headers.get("ETag"));
    const after = await read(`/invoices/${invoice.id}`);
    expect(after).toEqual({ ...invoice, refundedAmount: 400, updatedAt: expect.any(String) });
    const told = await listed(`/events?resourceId=${invoice.id}`);
    expect(told.map((event) => event.type)).toEqual(["invoice.created", "invoice.paid", "invoice.refunded"]);
    expect(told.at(-1).data).toEqual(after);
    expect(await listed(`/events?resourceId=${made.body.id}`)).toMatchObject([{ type: "refund.created", sequence: 1, data: made.body }]);
    const booked = await story.app.ctx.payments.sandbox.bookedRefunds(story.app.organization.id);
    expect(booked).toMatchObject([{ key: made.body.id, chargeKey: payment.id, amount: 400, currency: "usd" }]);
  });

  it("gives back all that is left where no amount is named; then there is nothing left", async () => {
    const invoice = await sell("pro");
    expect(await refund(invoice.id, { amount: 1 })).toMatchObject({ status: 201 });
    expect(await refund(invoice.id)).toMatchObject({ status: 201, body: { amount: 999, to: "card", reason: null } });
    expect(refused(await refund(invoice.id, {}))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    await story.app.runDue();
    expect(refused(await refund(invoice.id, { amount: 1 }))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ status: "paid", amountPaid: 1000, refundedAmount: 1000 });
  });

  it("is asked about where its answer was lost (4000 0000 0000 0507), and made once", async () => {
    const invoice = await sell("pro", CARDS.answerLost);
    const { body } = await refund(invoice.id, { amount: 300 });
    await story.app.runDue();
    const unknown = await manage("GET", `/refunds/${body.id}`);
    expect(unknown.body).toEqual({ ...body, status: "unknown" });
    expect(refused(await refund(invoice.id, { amount: 701 }))).toEqual([422, "validation_failed", "/amount", "too_large"]);
    await story.settle();
    expect(await read(`/refunds/${body.id}`)).toMatchObject({ status: "succeeded", amount: 300 });
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 300 });
  });

  it("is sent again where the provider never got it", async () => {
    const invoice = await sell("pro");
    const { body } = await refund(invoice.id);
    for (const verdict of [loses, keepsSilent]) {
      bank.says(verdict);
      await story.settle();
      expect(await read(`/refunds/${body.id}`)).toMatchObject({ status: "unknown" });
    }
    bank.says(null);
    await story.settle();
    expect(await read(`/refunds/${body.id}`)).toMatchObject({ status: "succeeded" });
  });

  it("that is declined changes nothing, and can be asked for again", async () => {
    const invoice = await sell("pro");
    const { body } = await refund(invoice.id, { amount: 1000 });
    bank.says(declines("card_declined"));
    await story.app.runDue();
    expect(await read(`/refunds/${body.id}`)).toEqual({ ...body, status: "failed", settledAt: expect.any(String) });
    expect(await read(`/invoices/${invoice.id}`)).toEqual(invoice);
    bank.says(null);
    expect(await refund(invoice.id, { amount: 1000 })).toMatchObject({ status: 201 });
    await story.app.runDue();
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 1000 });
    expect((await listed(`/credit-notes?invoiceId=${invoice.id}`)).map((note) => note.number.slice(-6))).toEqual(["CN0001"]);
  });

  it("still reaches the card of a Customer who is deleted; a balance they have no more", async () => {
    const invoice = await sell("book");
    const before = await story.ok(refund(invoice.id, { amount: 100, reason: "Moved to 12 St James's Square" }));
    await story.app.runDue();
    expect(await manage("DELETE", `/customers/${invoice.customerId}`)).toMatchObject({ status: 204 });
    expect(refused(await refund(invoice.id, { to: "balance" }))).toEqual([422, "validation_failed", "/to", "customer_deleted"]);
    expect(await read(`/refunds/${before.id}`)).toMatchObject({ status: "succeeded", reason: null });
    expect((await listed(`/events?resourceId=${before.id}`))[0].data).toEqual({ ...before, reason: null });
    const { body } = await refund(invoice.id, { to: "card" });
    expect(body).toMatchObject({ amount: 800 });
    await story.app.runDue();
    const settled = await read(`/refunds/${body.id}`);
    expect(settled).toMatchObject({ status: "succeeded" });
    expect((await read(`/credit-notes/${settled.creditNoteId}`)).buyer).toEqual(invoice.buyer);
  });
});

describe("a refund to the balance", () => {
  it("is done at once, and the next invoice uses it", async () => {
    const invoice = await sell("pro");
    const { body, status } = await refund(invoice.id, { amount: 250, to: "balance" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "succeeded", to: "balance", paymentId: null, amount: 250, settledAt: body.createdAt });
    expect(await read(`/refunds/${body.id}`)).toEqual(body);
    expect(await story.balance(invoice.customerId)).toBe(250);
    expect(await listed(`/customers/${invoice.customerId}/balance-entries`)).toMatchObject([
      { amount: 250, reason: "refund", invoiceId: invoice.id },
    ]);
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 250 });
    const next = await renewal(invoice.subscriptionId);
    expect(next).toMatchObject({ status: "paid", totalAmount: 1000, balanceApplied: 250, amountPaid: 750 });
    // What the balance has settled was never taken for this one.
    expect(refused(await refund(next.id, { amount: 751 }))).toEqual([422, "validation_failed", "/amount", "too_large"]);
    expect(await refund(next.id)).toMatchObject({ body: { amount: 750 } });
  });

  it("is the only one for an invoice that no card paid", async () => {
    const { subscriptionId } = await sell("pro", CARDS.failsLater);
    const open = await renewal(subscriptionId);
    await story.ok(manage("POST", `/invoices/${open.id}/mark-paid`, { reason: "Bank transfer" }));
    expect(refused(await refund(open.id))).toEqual([422, "validation_failed", "/to", "not_paid_by_card"]);
    expect(await refund(open.id, { to: "balance" })).toMatchObject({ status: 201, body: { amount: 1000, status: "succeeded" } });
    expect(await story.balance(open.customerId)).toBe(1000);
  });
});

describe("a credit note", () => {
  it("names its invoice, and says what of each line was given back, with its tax", async () => {
    const invoice = await sell("pro", CARDS.pays, someone("DE"));
    expect(invoice).toMatchObject({ totalAmount: 1190, taxAmount: 190 });
    const half = await story.ok(refund(invoice.id, { amount: 595, to: "balance" }));
    const rest = await story.ok(refund(invoice.id, { to: "balance" }));
    expect([half, rest].map(({ amount, taxAmount }) => [amount, taxAmount])).toEqual([
      [595, 95],
      [595, 95],
    ]);
    const note = await manage("GET", `/credit-notes/${half.creditNoteId}`);
    expect(note.body).toEqual({
      id: half.creditNoteId,
      number: `${invoice.number.slice(0, -4)}CN0001`,
      url: expect.stringContaining(`/credit-notes/${half.creditNoteId}/`),
      invoiceId: invoice.id,
      invoiceNumber: invoice.number,
      refundId: half.id,
      customerId: invoice.customerId,
      currency: "usd",
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
    expect((await manage("GET", `/credit-notes/${half.creditNoteId}`, undefined, { "If-None-Match": etag })).status).toBe(304);
    const second = await read(`/credit-notes/${rest.creditNoteId}`);
    expect(second.number).toBe(`${invoice.number.slice(0, -4)}CN0002`);
    expect(await listed(`/credit-notes?customerId=${invoice.customerId}`)).toEqual([second, note.body]);
    expect(await listed(`/credit-notes?number=${note.body.number}`)).toEqual([note.body]);
    expect(await listed(`/credit-notes?refundId=${rest.id}`)).toEqual([second]);
  });
});

describe("lists", () => {
  it("find refunds and credit notes by what they refer to, in pages", async () => {
    const customer = someone();
    const invoice = await sell("pro", CARDS.pays, customer);
    const made = [await story.ok(refund(invoice.id, { amount: 100, to: "balance" })), await story.ok(refund(invoice.id, { amount: 200 }))];
    await story.app.runDue();
    const [card, balance] = await Promise.all([made[1], made[0]].map(({ id }) => read(`/refunds/${id}`)));
    const own = `externalCustomerId=${customer.externalId}`;
    for (const filter of [own, `customerId=${invoice.customerId}`, `invoiceId=${invoice.id}`, `subscriptionId=${invoice.subscriptionId}`]) {
      expect(await listed(`/refunds?${filter}`)).toEqual([card, balance]);
    }
    expect(await listed(`/refunds?${own}&to=card&status=succeeded`)).toEqual([card]);
    expect(await listed(`/refunds?paymentId=${card.paymentId}`)).toEqual([card]);
    expect(await listed(`/refunds?${own}&status=pending`)).toEqual([]);
    const notes = await listed(`/credit-notes?${own}`);
    expect(notes.map((note) => note.refundId)).toEqual([card.id, balance.id]);
    for (const [list, rows] of [
      ["refunds", [card, balance]],
      ["credit-notes", notes],
    ] as const) {
      const first = await read(`/${list}?${own}&limit=1`);
      expect(first.data).toEqual([rows[0]]);
      expect(await read(`/${list}?${own}&limit=1&cursor=${first.nextCursor}`)).toEqual({ data: [rows[1]], nextCursor: null });
      expect((await manage("GET", `/${list}?colour=red`)).status).toBe(422);
      expect(await stranger.manage("GET", `/${list}`)).toMatchObject({ status: 200, body: { data: [] } });
    }
  });
});

describe("what is refused", () => {
  let invoice: Json;
  beforeAll(async () => {
    invoice = await sell("pro");
  });

  test.each<[what: object | string, pointer: string, code: string]>([
    [{ amount: 0 }, "/amount", "too_small"],
    [{ amount: -1 }, "/amount", "too_small"],
    [{ amount: 1.5 }, "/amount", "invalid_type"],
    [{ amount: "100" }, "/amount", "invalid_type"],
    [{ amount: 1001 }, "/amount", "too_large"],
    [{ amount: 2 ** 53 }, "/amount", "number_out_of_range"],
    [{ to: "cash" }, "/to", "invalid_value"],
    [{ to: null }, "/to", "invalid_value"],
    [{ reason: "x".repeat(1001) }, "/reason", "too_long"],
    [{ revokeGrants: "yes" }, "/revokeGrants", "invalid_type"],
    [{ revokeGrants: true }, "/revokeGrants", "not_one_time"],
    [{ currency: "usd" }, "/currency", "unknown_field"],
  ])("422 for %j", async (body, pointer, code) => {
    const answer = await refund(invoice.id, body as object);
    expect(refused(answer)).toEqual([422, "validation_failed", pointer, code]);
  });

  test("404 for an unknown invoice, refund or credit note, and for another Organization's", async () => {
    const { id, creditNoteId } = await story.ok(refund(invoice.id, { amount: 1, to: "balance" }));
    for (const path of [`/refunds/${id}`, `/credit-notes/${creditNoteId}`]) {
      expect((await manage("GET", path)).status).toBe(200);
      expect(await stranger.manage("GET", path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    for (const path of [`/refunds/${newId("rfd")}`, `/credit-notes/${newId("crn")}`, "/refunds/rfd_x"]) {
      expect(await manage("GET", path)).toMatchObject({ status: 404 });
    }
    expect(await stranger.manage("POST", `/invoices/${invoice.id}/refunds`, {})).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await refund(newId("inv"))).toMatchObject({ status: 404 });
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 1 });
  });

  test("405 names what the paths have, and a public key is 403", async () => {
    for (const [method, path, allow] of [
      ["GET", `/invoices/${invoice.id}/refunds`, "POST, OPTIONS"],
      ["POST", "/refunds", "GET, HEAD, OPTIONS"],
      ["DELETE", `/credit-notes/${newId("crn")}`, "GET, HEAD, OPTIONS"],
    ] as const) {
      const answer = await manage(method, path);
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, allow]);
    }
    const { keys } = story.app;
    const answer = await refund(invoice.id, {}, { Authorization: `Bearer ${keys.public}` });
    expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });

  test("409 for an invoice that is open, being paid, or void", async () => {
    const { subscriptionId } = await sell("pro", CARDS.failsLater);
    const open = await renewal(subscriptionId);
    expect(refused(await refund(open.id))).toEqual([409, "invoice_not_paid", undefined, undefined]);
    bank.says(keepsSilent);
    const paying = await manage("POST", `/invoices/${open.id}/pay`);
    expect(paying.status).toBe(503);
    expect(refused(await refund(open.id))).toEqual([409, "payment_unknown", undefined, undefined]);
    bank.says(null);
    await story.settle();
    await story.ok(manage("POST", `/invoices/${open.id}/void`));
    expect(refused(await refund(open.id))).toEqual([409, "invoice_not_paid", undefined, undefined]);
  });

  test("409 for an invoice that cost nothing, or that the balance paid whole", async () => {
    await story.plan("free", 0, { group: null });
    const free = await sell("free", CARDS.pays);
    expect(refused(await refund(free.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    const paid = await sell("pro");
    await story.ok(refund(paid.id, { to: "balance" }));
    const next = await renewal(paid.subscriptionId);
    expect(next).toMatchObject({ status: "paid", amountPaid: 0 });
    expect(refused(await refund(next.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
  });

  test("409 while a change is being paid whose credit is decided already", async () => {
    const paid = await sell("pro");
    bank.says(keepsSilent);
    const change = await story.app.api("PATCH", `/subscriptions/${paid.subscriptionId}`, { productKey: "max" });
    expect(change.status).toBe(503);
    const answer = await refund(paid.id, { amount: 100 });
    expect(refused(answer)).toEqual([409, "change_in_progress", undefined, undefined]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    bank.says(null);
    await story.settle();
    expect(await refund(paid.id, { amount: 100 })).toMatchObject({ status: 201 });
  });
});

describe("a one-time purchase", () => {
  it("keeps what it grants, unless its refund takes that; then it is gone for good", async () => {
    const benefit = await story.ok(manage("POST", "/benefits", { type: "custom", name: "Extra" }));
    const [first, second] = await Promise.all(
      ["one", "two"].map((name) => story.ok(manage("POST", "/benefits", { type: "custom", name }))),
    );
    const { id: productId } = await story.plan("course", 5000, { interval: null, benefitIds: [first.id] });
    const [kept, taken] = [await sell("course"), await sell("course")];
    const grants = async (invoice: Json) =>
      (await listed(`/benefit-grants?invoiceId=${invoice.id}`)).map(({ status, reason }) => `${status} ${reason}`);
    await story.ok(refund(kept.id));
    const declined = await story.ok(refund(taken.id, { amount: 1000, revokeGrants: true }));
    bank.says(declines("processing_error"));
    await story.app.runDue();
    bank.says(null);
    expect(await read(`/refunds/${declined.id}`)).toMatchObject({ status: "failed" });
    expect(await grants(taken)).toEqual(["active purchased"]);
    await story.ok(refund(taken.id, { amount: 1000, revokeGrants: true }));
    await story.ok(refund(kept.id, { amount: 1 }));
    await story.app.runDue();
    expect(await grants(kept)).toEqual(["active purchased"]);
    expect(await grants(taken)).toEqual(["revoked refunded"]);
    const customer = await read(`/customers/${taken.customerId}`);
    expect(await story.access(customer.externalId)).toEqual([]);

    await story.ok(manage("PATCH", `/products/${productId}`, { benefitIds: [first.id, second.id, benefit.id] }));
    await story.app.runDue();
    expect(await grants(kept)).toEqual(["active benefits_edited", "active benefits_edited", "active purchased"]);
    expect(await grants(taken)).toEqual(["revoked refunded"]);
  });
});

describe("sent again", () => {
  /** The answer as bytes, with whether it is a repeat. */
  async function send(invoiceId: string, body: string, key: string) {
    const { url, keys } = story.app;
    const headers = { Authorization: `Bearer ${keys.manage}`, "Content-Type": "application/json", "Idempotency-Key": key };
    const answer = await fetch(`${url}/manage/v1/invoices/${invoiceId}/refunds`, { method: "POST", headers, body });
    return { status: answer.status, replayed: answer.headers.has("Idempotency-Replayed"), text: await answer.text() };
  }

  it("with its Idempotency-Key, a refund is made once and answered with the same bytes, also when it has gone on since", async () => {
    const invoice = await sell("pro");
    const first = await send(invoice.id, '{"amount":100}', "once");
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(await send(invoice.id, '{"amount":100}', "once")).toEqual({ ...first, replayed: true });
    await story.app.runDue();
    expect(await send(invoice.id, '{"amount":100}', "once")).toEqual({ ...first, replayed: true });
    expect(await send(invoice.id, '{"amount":101}', "once")).toMatchObject({ status: 422 });
    expect(await listed(`/refunds?invoiceId=${invoice.id}`)).toHaveLength(1);
  });

  it("many times at once with one key, it is one", async () => {
    const invoice = await sell("pro");
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(invoice.id, "{}", "at-once")));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("a refusal leaves the key free", async () => {
    const invoice = await sell("pro");
    expect(await send(invoice.id, '{"amount":1001}', "refused")).toMatchObject({ status: 422 });
    expect(await send(invoice.id, '{"amount":1000}', "refused")).toMatchObject({ status: 201, replayed: false });
  });
});

describe("many at once", () => {
  it("never give back more than was paid, and their credit notes have no gaps", async () => {
    const invoice = await sell("pro");
    const wanted = Array.from({ length: 12 }, (_, n) => ({ amount: 150, to: n % 2 === 0 ? "card" : "balance" }));
    const answering = wanted.map((body) => refund(invoice.id, body));
    // The worker settles some while others are still being asked for.
    for (let round = 0; round < 3; round += 1) {
      await turn();
      await Promise.all([story.app.runDue(), story.app.runDue()]);
    }
    const answers = await Promise.all(answering);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(201), ...Array(6).fill(422)]);
    await story.settle();
    expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 900 });
    const notes = await listed(`/credit-notes?invoiceId=${invoice.id}`);
    expect(notes.map((note) => note.number.slice(-6)).sort()).toEqual(Array.from({ length: 6 }, (_, n) => `CN000${n + 1}`));
    expect(notes.every((note) => note.totalAmount === 150)).toBe(true);
  });
});
