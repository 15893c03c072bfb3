import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, type Json, type TestAnswer } from "../support/app.ts";
import { declines, keepsSilent, loses } from "../support/bank.ts";
import { openRefundShop, refused, type RefundShop } from "../support/refunds.ts";
import { CARDS } from "../support/story.ts";

let shop: RefundShop;

beforeAll(async () => {
  shop = await openRefundShop();
  await shop.story.plan("cheap", 500);
});
afterEach(() => shop.expectToAgree());
afterAll(() => shop.story.close());

/** A paid invoice of `book`, and its payment. */
async function sell(): Promise<{ invoice: Json; payment: Json }> {
  const invoice = await shop.sell("book");
  const [payment] = await shop.listed(`/payments?invoiceId=${invoice.id}`);
  return { invoice, payment };
}
const dispute = (paymentId: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer> =>
  shop.manage("POST", `/sandbox/payments/${paymentId}/dispute`, body, headers);
const close = (id: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer> =>
  shop.manage("POST", `/sandbox/disputes/${id}/close`, body, headers);

describe("a dispute", () => {
  it("is read by its id, with an ETag that changes when it is decided", async () => {
    const { payment } = await sell();
    const made = await dispute(payment.id);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ status: "open", reason: "fraudulent", amount: 900, subscriptionId: null });
    const seen = await shop.manage("GET", `/disputes/${made.body.id}`);
    expect(seen.body).toEqual(made.body);
    expect(seen.headers.get("ETag")).toBe(made.headers.get("ETag"));
    const unchanged = { "If-None-Match": seen.headers.get("ETag")! };
    expect((await shop.manage("GET", `/disputes/${made.body.id}`, undefined, unchanged)).status).toBe(304);
    const closed = await close(made.body.id, { outcome: "won" });
    expect(closed.body).toMatchObject({ ...made.body, status: "won", closedAt: expect.any(String) });
    expect((await shop.manage("GET", `/disputes/${made.body.id}`, undefined, unchanged)).body).toEqual(closed.body);
  });

  it("is listed by all that it refers to", async () => {
    const invoice = await shop.sell("pro");
    const [payment] = await shop.listed(`/payments?invoiceId=${invoice.id}`);
    const { body: made } = await dispute(payment.id, { reason: "duplicate" });
    const { externalId } = await shop.read(`/customers/${invoice.customerId}`);
    const { customerId, subscriptionId, id: invoiceId } = invoice;
    const filters = { customerId, externalCustomerId: externalId, subscriptionId, invoiceId, paymentId: payment.id };
    for (const [name, value] of Object.entries(filters))
      expect(await shop.listed(`/disputes?${name}=${value}`)).toEqual([made]);
    expect(await shop.listed(`/disputes?customerId=${customerId}&status=open`)).toEqual([made]);
    expect(await shop.listed(`/disputes?customerId=${customerId}&status=lost`)).toEqual([]);
    const [newest] = await shop.listed("/disputes?limit=1");
    expect(newest).toEqual(made);
  });

  it("takes the charge less refunds to the card, also less one that is still on its way", async () => {
    const { invoice, payment } = await sell();
    shop.bank.says(keepsSilent);
    await shop.story.ok(shop.refund(invoice.id, { amount: 200 }));
    await shop.story.ok(shop.refund(invoice.id, { amount: 100, to: "balance" }));
    expect((await dispute(payment.id)).body).toMatchObject({ amount: 700 });
    expect(refused(await shop.refund(invoice.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
  });

  it("is made once, also by repeated requests, and closed once", async () => {
    const { payment } = await sell();
    const key = { "Idempotency-Key": "dispute" };
    const [first, second] = await Promise.all([dispute(payment.id, {}, key), dispute(payment.id, {}, key)]);
    expect(second.body).toEqual(first.body);
    expect([first, second].filter(({ headers }) => headers.has("Idempotency-Replayed"))).toHaveLength(1);
    const others = await Promise.all([1, 2, 3].map(() => dispute(payment.id)));
    expect(others.map(refused)).toEqual(others.map(() => [409, "already_disputed", undefined, undefined]));
    const closings = await Promise.all(["won", "lost", "won"].map((outcome) => close(first.body.id, { outcome })));
    expect(closings.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await shop.listed(`/events?resourceId=${first.body.id}`)).toMatchObject([
      { type: "dispute.created", sequence: 1 },
      { type: "dispute.closed", sequence: 2 },
    ]);
  });
});

test("a dispute while a change is being paid is recorded at once, and the change goes on", async () => {
  const invoice = await shop.sell("pro");
  const [payment] = await shop.listed(`/payments?invoiceId=${invoice.id}`);
  shop.bank.says(keepsSilent);
  expect(
    (await shop.story.app.api("PATCH", `/subscriptions/${invoice.subscriptionId}`, { productKey: "max" })).status,
  ).toBe(503);
  expect(await dispute(payment.id)).toMatchObject({
    status: 201,
    body: { amount: 1000, subscriptionId: invoice.subscriptionId },
  });
  shop.bank.says(null);
  await shop.story.settle();
  expect(await shop.story.subscription(invoice.subscriptionId)).toMatchObject({ amount: 3000 });
});

test("bank and credit together give back the payment, if a refund fails before the dispute or after it", async () => {
  const outcomes = [];
  for (const failsFirst of [true, false]) {
    const invoice = await shop.sell("max");
    const { subscriptionId } = invoice;
    const [payment] = await shop.listed(`/payments?invoiceId=${invoice.id}`);
    shop.bank.says(loses);
    await shop.story.ok(shop.refund(invoice.id, { amount: 1000 }));
    await shop.story.settle();
    const fail = async () => {
      shop.bank.says(declines("card_declined"));
      await shop.story.settle();
      shop.bank.says(null);
    };
    let taken = 0;
    const lose = async () => {
      const { id, amount } = await shop.story.ok(dispute(payment.id));
      await shop.story.ok(close(id, { outcome: "lost" }));
      taken = amount;
    };
    for (const act of failsFirst ? [fail, lose] : [lose, fail]) await act();
    const preview = await shop.manage("POST", `/subscriptions/${subscriptionId}/preview`, { productKey: "cheap" });
    const credited = preview.body.lines.map(({ amount }: Json) => amount).filter((amount: number) => amount < 0);
    outcomes.push({ taken: taken - invoice.amountPaid, credited });
  }
  expect(outcomes).toEqual([
    { taken: 0, credited: [] },
    { taken: -1000, credited: [-1000] },
  ]);
});

describe("refused", () => {
  test("404 for an id of no payment or dispute, or for a card that was only saved", async () => {
    const unknown = [
      dispute(newId("pay")),
      dispute("pay_x"),
      close(newId("dsp"), { outcome: "won" }),
      close("dsp_x", { outcome: "won" }),
    ];
    for (const answer of await Promise.all(unknown))
      expect(refused(answer)).toEqual([404, "not_found", undefined, undefined]);
    for (const path of [`/disputes/${newId("dsp")}`, "/disputes/dsp_x"])
      expect((await shop.manage("GET", path)).status).toBe(404);
  });

  test("409 for a payment that took nothing, or that was refunded whole", async () => {
    const { invoice, payment } = await sell();
    await shop.story.ok(shop.refund(invoice.id));
    await shop.story.settle();
    expect(refused(await dispute(payment.id))).toEqual([409, "payment_not_disputable", undefined, undefined]);
    const open = await shop.story.ok(
      shop.story.app.api("POST", "/checkouts", { productKey: "book", customer: shop.someone() }),
    );
    await shop.story.ok(shop.manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card: CARDS.declined }));
    const [declined] = await shop.listed(`/payments?checkoutId=${open.id}`);
    expect(refused(await dispute(declined.id))).toEqual([409, "payment_not_disputable", undefined, undefined]);
  });

  test("422 for values and fields that do not exist", async () => {
    const { payment } = await sell();
    expect(refused(await dispute(payment.id, { reason: "bored" }))).toEqual([
      422,
      "validation_failed",
      "/reason",
      "invalid_value",
    ]);
    expect(refused(await dispute(payment.id, { amount: 0 }))).toEqual([
      422,
      "validation_failed",
      "/amount",
      "too_small",
    ]);
    expect(refused(await dispute(payment.id, { fee: 1 }))).toEqual([422, "validation_failed", "/fee", "unknown_field"]);
    const { body } = await dispute(payment.id);
    expect(refused(await close(body.id, {}))).toEqual([422, "validation_failed", "/outcome", "invalid_value"]);
    expect(refused(await close(body.id, { outcome: "open" }))).toEqual([
      422,
      "validation_failed",
      "/outcome",
      "invalid_value",
    ]);
    const listed = await shop.manage("GET", "/disputes?status=ended");
    expect([listed.status, listed.body.errors]).toMatchObject([422, [{ in: "query", pointer: "status" }]]);
  });

  test("404 in a live Organization, where banks decide by themselves; 401 and 403 without the right key", async () => {
    const { payment } = await sell();
    const { keys } = await shop.story.app.otherOrganization({ mode: "live" });
    const live = caller(`${shop.story.app.url}/manage/v1`, keys.manage);
    expect((await live("POST", `/sandbox/payments/${payment.id}/dispute`)).status).toBe(404);
    expect((await live("GET", "/disputes")).body).toEqual({ data: [], nextCursor: null });
    expect((await dispute(payment.id, {}, { Authorization: "" })).status).toBe(401);
    expect((await dispute(payment.id, {}, { Authorization: `Bearer ${shop.story.app.keys.public}` })).status).toBe(403);
  });
});
