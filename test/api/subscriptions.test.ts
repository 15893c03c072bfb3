import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { foreignCallersOf, testOperation } from "../support/operations.ts";
import { CARDS } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
let subscription: Json;
let buyers = 0;
const product: Record<string, Json> = {};
const path = () => `/subscriptions/${subscription.id}`;
const read = async () => {
  const { body, headers } = await app.api("GET", path());
  return { body, etag: headers.get("ETag")! };
};
const patch = (body: object, headers: Record<string, string> = {}) => app.api("PATCH", path(), body, headers);
const recorded = async () =>
  (await app.manage("GET", `/events?resourceId=${subscription.id}`)).body.data.map((event: Json) => event.type);
const invoices = async () => (await app.manage("GET", `/invoices?subscriptionId=${subscription.id}`)).body.data.length;

/** All state of a Subscription that a refused or empty change must leave as it is. */
const state = async () => [await read(), await recorded(), await invoices()];

async function buy(
  productKey: string,
  card: string = CARDS.pays,
  by: TestApp | { api: TestCall; manage: TestCall } = app,
): Promise<Json> {
  const externalId = `buyer-${++buyers}`;
  const checkout = (
    await by.api("POST", "/checkouts", { productKey, customer: { email: `${externalId}@example.com`, externalId } })
  ).body;
  const paid = await by.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card });
  expect(paid.body).toMatchObject({ status: "completed" });
  return (await by.api("GET", `/subscriptions/${paid.body.subscriptionId}`)).body;
}

beforeAll(async () => {
  app = await startTestApp();
  foreign = await foreignCallersOf(app);
  const usd = (amount: number) => ({ prices: [{ currency: "usd", amount }] });
  const products = {
    basic: usd(1000),
    pro: usd(3000),
    max: usd(9000),
    free: usd(0),
    gone: usd(2000),
    book: { ...usd(4900), interval: null },
    euro: { prices: [{ currency: "eur", amount: 1000 }] },
    addon: { ...usd(500), group: "addons" },
    yearly: { ...usd(30_000), interval: "year" },
  };
  for (const [key, fields] of Object.entries(products)) {
    product[key] = (await app.manage("POST", "/products", { key, name: key, interval: "month", ...fields })).body;
  }
  await app.manage("PATCH", `/products/${product["gone"].id}`, { archived: true });
  await foreign.manage("POST", "/products", { key: "theirs", name: "Theirs", interval: "month", ...usd(3000) });
  subscription = await buy("pro");
});
afterAll(() => app.close());

testOperation(() => app, { method: "GET", path, allow: "GET, HEAD, PATCH, OPTIONS" });
testOperation(() => app, {
  method: "PATCH",
  path,
  body: () => ({ cancelAtPeriodEnd: true }),
  allow: "GET, HEAD, PATCH, OPTIONS",
});

describe("a Subscription", () => {
  it("has every field", async () => {
    const { body } = await read();
    const { createdAt, currentPeriodEnd } = body;
    expect(body).toEqual({
      id: expect.stringMatching(/^sub_/),
      status: "active",
      customerId: expect.stringMatching(/^cus_/),
      externalCustomerId: `buyer-${buyers}`,
      productId: product["pro"].id,
      checkoutId: expect.stringMatching(/^chk_/),
      currency: "usd",
      amount: 3000,
      quantity: 1,
      unitAmount: 3000,
      interval: "month",
      intervalCount: 1,
      currentPeriodStart: createdAt,
      currentPeriodEnd,
      trialStart: null,
      trialEnd: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
      canceledAt: null,
      endedAt: null,
      cancellationReason: null,
      cancellationComment: null,
      fieldValues: null,
      pendingChange: null,
      pause: null,
      priceChange: null,
      discountId: null,
      pendingDiscount: null,
      imported: null,
      metadata: {},
      startedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
    });
    expect((await app.manage("GET", path())).body).toEqual(body);
  });

  it("keeps its price when the Product's changes", async () => {
    const before = await read();
    await app.manage("PATCH", `/products/${product["pro"].id}`, { prices: [{ currency: "usd", amount: 3500 }] });
    expect(await read()).toEqual(before);
    await app.manage("PATCH", `/products/${product["pro"].id}`, { prices: [{ currency: "usd", amount: 3000 }] });
  });

  const notFound = (answers: TestAnswer[], detail: string) => {
    for (const { status, body } of answers)
      expect([status, body.code, body.detail]).toEqual([404, "not_found", detail]);
  };

  it("is not found by an unknown id or another Organization's, both alike", async () => {
    const unknown = `/subscriptions/${newId("sub")}`;
    const answers = [
      await foreign.api("GET", path()),
      await foreign.api("PATCH", path(), { productKey: "theirs" }),
      await app.api("GET", unknown),
      await app.api("PATCH", unknown, { productKey: "max" }),
    ];
    notFound(answers, "The subscriptionId in the path is unknown in the Organization of the API key.");
  });

  it("is not found by a malformed id", async () => {
    for (const id of ["nonsense", newId("chk"), subscription.id.toUpperCase()]) {
      const answers = [
        await app.api("GET", `/subscriptions/${id}`),
        await app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" }),
      ];
      notFound(answers, "The subscriptionId in the path must be an id that begins with `sub_`.");
    }
  });

  it("is not sent again to a caller that has it", async () => {
    const { etag } = await read();
    const unchanged = await app.api("GET", path(), undefined, { "If-None-Match": etag });
    expect([unchanged.status, unchanged.body, unchanged.headers.get("ETag")]).toEqual([304, "", etag]);
    expect((await app.api("GET", path(), undefined, { "If-None-Match": '"other"' })).status).toBe(200);
  });
});

describe("a PATCH that asks for the impossible", () => {
  test.each<[fault: string, body: () => object, ...more: string[]]>([
    [" nothing_to_change", () => ({})],
    ["/productKey one_product", () => ({ productId: product["max"].id, productKey: "max" })],
    ["/productId unknown_product", () => ({ productId: newId("prd") })],
    ["/productId unknown_product", () => ({ productId: "nonsense" })],
    ["/productId unknown_product", () => ({ productId: subscription.id })],
    ["/productKey unknown_product", () => ({ productKey: "theirs" })],
    ["/productKey product_archived", () => ({ productKey: "gone" })],
    ["/productId product_archived", () => ({ productId: product["gone"].id })],
    ["/productKey product_not_recurring", () => ({ productKey: "book" })],
    ["/productKey currency_missing", () => ({ productKey: "euro" })],
    ["/prorationBehavior invalid_value", () => ({ productKey: "max", prorationBehavior: "later" })],
    ["/prorationBehavior product_missing", () => ({ prorationBehavior: "none" })],
    ["/price product_missing", () => ({ price: "catalogue" })],
    ["/price product_missing", () => ({ price: "catalogue", cancelAtPeriodEnd: false })],
    ["/price invalid_value", () => ({ productKey: "pro", price: 1500 })],
    ["/prorationBehavior product_missing", () => ({ cancelAtPeriodEnd: true, prorationBehavior: "none" })],
    ["/cancelAtPeriodEnd change_and_cancellation", () => ({ productKey: "max", cancelAtPeriodEnd: true })],
    ["/cancelAtPeriodEnd invalid_type", () => ({ cancelAtPeriodEnd: "true" })],
    ["/cancelAtPeriodEnd invalid_type", () => ({ cancelAtPeriodEnd: null })],
    ["/cancellationReason cancellation_missing", () => ({ cancellationReason: "unused" })],
    ["/cancellationReason cancellation_missing", () => ({ cancelAtPeriodEnd: false, cancellationReason: "unused" })],
    ["/cancellationReason invalid_value", () => ({ cancelAtPeriodEnd: true, cancellationReason: "payment_failed" })],
    ["/cancellationComment cancellation_missing", () => ({ productKey: "max", cancellationComment: "Hi" })],
    ["/cancellationComment too_long", () => ({ cancelAtPeriodEnd: true, cancellationComment: "x".repeat(1001) })],
    ["/cancellationComment invalid_format", () => ({ cancelAtPeriodEnd: true, cancellationComment: "a\u0007b" })],
    ["/status unknown_field", () => ({ status: "canceled" }), " nothing_to_change"],
    ["/metadata unknown_field", () => ({ metadata: {}, productKey: "max" })],
  ])("422: %s", async (fault, body, ...more) => {
    const before = await state();
    const answer = await patch(body());
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
    expect(answer.body.errors.map((each: Json) => `${each.pointer} ${each.code}`)).toEqual([fault, ...more]);
    expect(await state()).toEqual(before);
  });
});

describe("a PATCH that changes no value", () => {
  beforeEach(async () => {
    subscription = await buy("pro");
  });

  it.each([
    [{ productKey: "pro" }],
    [{ productKey: "pro", prorationBehavior: "next_period" }],
    [{ productKey: "pro", price: "catalogue" }],
    [{ productKey: "pro", cancelAtPeriodEnd: false }],
    [{ cancelAtPeriodEnd: false }],
  ])("writes nothing: %j", async (body) => {
    const before = await state();
    const answer = await patch(body);
    expect([answer.status, answer.body, answer.headers.get("ETag")]).toEqual([
      200,
      (await read()).body,
      (await read()).etag,
    ]);
    expect(await state()).toEqual(before);
  });

  it.each([
    [{ cancelAtPeriodEnd: true }],
    [{ cancelAtPeriodEnd: true, cancellationReason: "other", cancellationComment: "Bye" }],
    [{ productKey: "max", prorationBehavior: "next_period" }],
    [{ productKey: "max", prorationBehavior: "none" }],
    [{ productKey: "max", price: "catalogue", prorationBehavior: "none" }],
  ])("writes nothing when it is sent again: %j", async (body) => {
    const first = await patch(body);
    const before = await state();
    const again = await patch(body);
    expect([again.status, again.body, again.headers.get("ETag")]).toEqual([200, first.body, first.headers.get("ETag")]);
    expect(await state()).toEqual(before);
    expect(await recorded()).toHaveLength(2);
  });

  it("with a scheduled cancellation says so, where only the Product is named", async () => {
    await patch({ cancelAtPeriodEnd: true });
    const answer = await patch({ productKey: "pro" });
    expect(answer).toMatchObject({ status: 409, body: { code: "subscription_cancellation_scheduled" } });
    const undone = await patch({ productKey: "pro", cancelAtPeriodEnd: false });
    expect(undone.body).toMatchObject({ amount: 3000, cancelAtPeriodEnd: false, cancelAt: null });
    expect(await recorded()).toEqual([
      "subscription.created",
      "subscription.cancellation_scheduled",
      "subscription.cancellation_undone",
    ]);
  });
});

describe("a PATCH that is refused by the state of things", () => {
  it("402 payment_failed: names the reason, changes nothing, and a repeat gets the same bytes", async () => {
    subscription = await buy("pro", CARDS.failsLater);
    const before = await state();
    const first = await patch({ productKey: "max" }, { "Idempotency-Key": "decline" });
    expect(first).toMatchObject({ status: 402, body: { code: "payment_failed", declineCode: "card_declined" } });
    expect(first.body.detail).toBe(
      "The Subscription is unchanged: the payment failed, and `declineCode` names the reason. " +
        "Send the buyer to `url`, to give another card there within 23 hours and so finish this very change.",
    );
    const { body: page } = await app.api("GET", `/checkouts/${first.body.checkoutId}`);
    expect(page).toMatchObject({ url: first.body.url, subscriptionId: subscription.id, status: "open" });
    expect(Date.parse(page.expiresAt) - Date.parse(page.createdAt)).toBe(23 * 3_600_000);
    expect(first.headers.get("Content-Type")).toBe("application/problem+json");
    const again = await patch({ productKey: "max" }, { "Idempotency-Key": "decline" });
    expect([again.status, JSON.stringify(again.body)]).toEqual([402, JSON.stringify(first.body)]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await state()).toEqual(before);
    expect(
      (await app.manage("GET", `/payments?subscriptionId=${subscription.id}&trigger=product_change`)).body.data,
    ).toMatchObject([{ status: "failed", failureCode: "card_declined", invoiceId: null, amount: 6000 }]);
  });

  it("402 payment_method_required: is kept under its key too", async () => {
    const checkout = (
      await app.api("POST", "/checkouts", { productKey: "free", customer: { email: "free@example.com" } })
    ).body;
    const { subscriptionId } = (await app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {})).body;
    subscription = (await app.api("GET", `/subscriptions/${subscriptionId}`)).body;
    const before = await state();
    const answers = [];
    for (let n = 0; n < 2; n++) answers.push(await patch({ productKey: "max" }, { "Idempotency-Key": "no-card" }));
    expect(answers[0]).toMatchObject({ status: 402, body: { code: "payment_method_required", declineCode: null } });
    expect(answers[0]!.body.detail).toBe(
      "The Subscription is unchanged: no card is on file. " +
        "Send the buyer to `url`, to give a card there within 23 hours and so finish this very change.",
    );
    const preview = await app.manage("POST", `${path()}/preview`, { productKey: "max" });
    expect(preview).toMatchObject({ status: 402, body: { checkoutId: null, url: null } });
    expect(preview.body.detail).toBe(
      "The Subscription is unchanged: no card is on file. " +
        "The answer to the change itself has the `url` of a page on which the buyer can finish the change.",
    );
    expect(JSON.stringify(answers[1]!.body)).toBe(JSON.stringify(answers[0]!.body));
    expect(answers[1]!.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await state()).toEqual(before);
  });

  it("409 subscription_canceled, before any other reason", async () => {
    subscription = await buy("pro");
    await app.manage("POST", `${path()}/cancel-now`, {});
    const before = await state();
    for (const body of [
      { productKey: "max" },
      { productKey: "addon" },
      { cancelAtPeriodEnd: true },
      { cancelAtPeriodEnd: false },
    ]) {
      expect(await patch(body)).toMatchObject({ status: 409, body: { code: "subscription_canceled" } });
    }
    expect(await state()).toEqual(before);
  });

  it("409 already_subscribed names the Subscription in the way", async () => {
    const plan = await buy("pro");
    const { id } = (await app.api("POST", "/checkouts", { productKey: "addon", customerId: plan.customerId })).body;
    const { subscriptionId } = (await app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays })).body;
    const refused = await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "max" });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "already_subscribed",
        subscriptionId: plan.id,
        detail: expect.stringContaining(`the Subscription ${plan.id} already`),
      },
    });
  });

  it("412 for an ETag that is stale, before the state is looked at", async () => {
    subscription = await buy("pro");
    const { etag } = await read();
    expect((await patch({ cancelAtPeriodEnd: true }, { "If-Match": etag })).status).toBe(200);
    const before = await state();
    for (const body of [{ cancelAtPeriodEnd: false }, { productKey: "max" }, { cancelAtPeriodEnd: true }]) {
      expect(await patch(body, { "If-Match": etag })).toMatchObject({
        status: 412,
        body: { code: "precondition_failed" },
      });
    }
    expect(await state()).toEqual(before);
    const answer = await patch({ cancelAtPeriodEnd: false }, { "If-Match": (await read()).etag });
    expect([answer.status, answer.headers.get("ETag")]).toEqual([200, (await read()).etag]);
  });
});

describe("an Idempotency-Key", () => {
  beforeEach(async () => {
    subscription = await buy("basic");
  });
  const key = (name: string) => ({ "Idempotency-Key": `${name}-${buyers}` });

  it("charges a change once, and replays its answer byte for byte when it is no longer so", async () => {
    const first = await patch({ productKey: "max" }, key("up"));
    expect(first).toMatchObject({ status: 200, body: { amount: 9000 } });
    await patch({ productKey: "basic", prorationBehavior: "none" });
    const again = await patch({ productKey: "max" }, key("up"));
    expect([again.status, JSON.stringify(again.body), again.headers.get("ETag")]).toEqual([
      200,
      JSON.stringify(first.body),
      first.headers.get("ETag"),
    ]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect((await read()).body.amount).toBe(1000);
    expect(await invoices()).toBe(2);
  });

  it("is looked at before If-Match", async () => {
    const headers = { ...key("match"), "If-Match": (await read()).etag };
    const first = await patch({ cancelAtPeriodEnd: true }, headers);
    const again = await patch({ cancelAtPeriodEnd: true }, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("is compared before the state: a repeat after the end still gets its answer", async () => {
    const first = await patch({ cancelAtPeriodEnd: true }, key("end"));
    await app.manage("POST", `${path()}/cancel-now`, {});
    expect((await patch({ cancelAtPeriodEnd: true }, key("end"))).body).toEqual(first.body);
    expect(await patch({ cancelAtPeriodEnd: false }, key("end"))).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });

  it("is free after 404, 409, 412 and 422", async () => {
    await patch({ cancelAtPeriodEnd: true });
    expect((await patch({ productKey: "max" }, key("free"))).status).toBe(409);
    expect((await patch({ productKey: "gone" }, key("free"))).status).toBe(422);
    expect((await patch({ cancelAtPeriodEnd: false }, { ...key("free"), "If-Match": '"0"' })).status).toBe(412);
    const unknown = `/subscriptions/${newId("sub")}`;
    for (let n = 0; n < 2; n++)
      expect((await app.api("PATCH", unknown, { cancelAtPeriodEnd: false }, key("free"))).status).toBe(404);
    const answer = await patch({ cancelAtPeriodEnd: false }, key("free"));
    expect([answer.status, answer.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  });

  it("of another Subscription is another key", async () => {
    const headers = key("both");
    await patch({ cancelAtPeriodEnd: true }, headers);
    subscription = await buy("basic");
    const answer = await patch({ cancelAtPeriodEnd: true }, headers);
    expect([answer.body.id, answer.headers.get("Idempotency-Replayed")]).toEqual([subscription.id, null]);
  });
});
