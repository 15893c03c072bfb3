import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { caller, type Json } from "../support/app.ts";
import { bankOf, declines, loses, type Bank } from "../support/bank.ts";
import { buyOnPage, pastDueFor, startLiveStory, takeNoCards, takeSandboxCards } from "../support/downtime.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const FAILED = ["payment.failed", "invoice.payment_failed"];
const PAID = ["payment.succeeded", "invoice.paid"];
const WAITS = ["payment.action_required", "invoice.payment_failed"];
const OPERATIONS = ["pay", "void", "mark-paid"] as const;

/**
 * The state on 2025-02-11, with `card` on file: an open invoice of 30.00, charged without success on the day before.
 */
type Owing = { story: Story; bank: Bank; subscriptionId: string; customerId: string; open: Json };
let owing: Owing;

async function owe(card: string): Promise<Owing> {
  const story = await startStory({ clock: "2025-01-10T09:00:00Z" });
  const bank = bankOf(story.app);
  await story.plan("pro", 3000);
  const { id: subscriptionId, customerId } = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com" } },
    CARDS.pays,
  );
  await story.newCard(customerId, card);
  if (card !== CARDS.asksBuyer) bank.says(declines("insufficient_funds"));
  await story.travel("2025-02-11");
  bank.says(null);
  await story.news();
  const [open] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
  return { story, bank, subscriptionId, customerId, open };
}

const hand = (
  operation: (typeof OPERATIONS)[number],
  body?: unknown,
  headers: Record<string, string> = {},
  id: string = owing.open.id,
) => owing.story.app.manage("POST", `/invoices/${id}/${operation}`, body, headers);
const key = (value: string) => ({ "Idempotency-Key": value });
const state = async () => (await owing.story.ok(owing.story.app.manage("GET", `/invoices/${owing.open.id}`))).status;
const lastPayment = async () => (await owing.story.ok(owing.story.app.manage("GET", "/payments?limit=1"))).data[0];

async function close(): Promise<void> {
  expect(await owing.story.audit()).toEqual([]);
  await owing.story.close();
}

describe.each(OPERATIONS)("POST /invoices/{id}/%s", (operation) => {
  beforeAll(async () => void (owing = await owe(CARDS.pays)));
  afterAll(close);

  it("is 404 for an unknown or malformed id, an id of no invoice, or one of another Organization", async () => {
    const { story, customerId, open } = owing;
    for (const id of ["inv_00000000000000000000000000", "inv_x", customerId]) {
      expect(await hand(operation, undefined, {}, id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    const { keys } = await story.app.otherOrganization();
    const foreign = caller(`${story.app.url}/manage/v1`, keys.manage);
    expect(await foreign("POST", `/invoices/${open.id}/${operation}`)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });

  it("is refused with a public key, another method, a field that there is not, or no JSON", async () => {
    const { app } = owing.story;
    const path = `/invoices/${owing.open.id}/${operation}`;
    expect(await caller(`${app.url}/manage/v1`, app.keys.public)("POST", path)).toMatchObject({ status: 403 });
    expect(await app.manage("PATCH", path, {})).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(await hand(operation, { amount: 1 })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/amount", code: "unknown_field" }] },
    });
    expect(await hand(operation, "{")).toMatchObject({ status: 400, body: { code: "malformed_json" } });
  });

  it("is 412 for an invoice that has changed", async () => {
    expect(await hand(operation, {}, { "If-Match": '"0"' })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
    expect([await state(), await owing.story.news()]).toEqual(["open", []]);
  });

  it("acts once for a repeated request, and is 409 for an invoice that is not open any more", async () => {
    const { headers } = await owing.story.app.manage("GET", `/invoices/${owing.open.id}`);
    const match = { "If-Match": headers.get("ETag")! };
    const [one, other] = await Promise.all([
      hand(operation, {}, { ...key("once"), ...match }),
      hand(operation, {}, { ...key("once"), ...match }),
    ]);
    const again = await hand(operation, {}, { ...key("once"), ...match });
    expect([one.status, other.status, again.status]).toEqual([200, 200, 200]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    for (const answer of [other, again])
      expect([answer.body, answer.headers.get("ETag")]).toEqual([one.body, one.headers.get("ETag")]);
    expect(one.body).toEqual((await owing.story.app.manage("GET", `/invoices/${owing.open.id}`)).body);
    const recorded = { pay: PAID, void: ["invoice.voided"], "mark-paid": ["invoice.paid"] }[operation];
    expect(await owing.story.news()).toEqual([...recorded, "subscription.recovered"]);
    expect(await hand(operation, {}, key("twice"))).toMatchObject({ status: 409, body: { code: "invoice_not_open" } });
    expect(await hand(operation, " {}", key("once"))).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });
});

describe.each(["void", "mark-paid"] as const)("the reason of %s", (operation) => {
  beforeAll(async () => void (owing = await owe(CARDS.pays)));
  afterAll(close);

  test.each([1, "", "x".repeat(501), "a\u0000b"])("is refused: %j", async (reason) => {
    expect(await hand(operation, { reason })).toMatchObject({
      status: 422,
      body: { errors: [{ in: "body", pointer: "/reason" }] },
    });
  });

  it("is kept with the invoice", async () => {
    const shown = operation === "void" ? "voidReason" : "paymentNote";
    expect((await hand(operation, { reason: "Line one\nLine two" })).body).toMatchObject({
      [shown]: "Line one\nLine two",
    });
  });
});

describe("a manual attempt that does not pay", () => {
  beforeEach(async () => void (owing = await owe(CARDS.pays)));
  afterEach(close);

  it("keeps its 402 for its key, byte for byte", async () => {
    owing.bank.says(declines("insufficient_funds"));
    const first = await hand("pay", {}, key("k"));
    expect(first).toMatchObject({ status: 402, body: { code: "payment_failed", declineCode: "insufficient_funds" } });
    owing.bank.says(null);
    const again = await hand("pay", {}, key("k"));
    expect([again.status, again.body, again.headers.get("Idempotency-Replayed")]).toEqual([402, first.body, "true"]);
    expect(await owing.story.news()).toEqual(FAILED);
    expect((await hand("pay", {}, key("k2"))).status).toBe(200);
  });

  it("for want of a card writes nothing, and keeps its 402, too", async () => {
    owing.bank.says(declines("card_stolen"));
    expect((await hand("pay")).status).toBe(402);
    owing.bank.says(null);
    await owing.story.news();
    const none = {
      status: 402,
      body: { code: "payment_method_required", declineCode: null, checkoutId: null, url: owing.open.url },
    };
    expect(await hand("pay", {}, key("k"))).toMatchObject(none);
    expect(await owing.story.news()).toEqual([]);
    await owing.story.newCard(owing.customerId, CARDS.failsLater);
    expect(await hand("pay", {}, key("k"))).toMatchObject(none);
    expect(await hand("pay", {}, key("k2"))).toMatchObject({ status: 402, body: { code: "payment_failed" } });
  });
});

describe("a manual attempt with an unknown outcome", () => {
  beforeEach(async () => {
    owing = await owe(CARDS.pays);
    owing.bank.says(loses);
    const answer = await hand("pay", {}, key("lost"));
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await lastPayment()).toMatchObject({ status: "unknown", trigger: "manual", nextAction: null });
  });
  afterEach(close);

  it("refuses other operations meanwhile, and answers the same request once the outcome is known", async () => {
    for (const operation of OPERATIONS) {
      const other = await hand(operation);
      expect(other).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
      expect(Number(other.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect(await owing.story.news()).toEqual([]);
    owing.bank.says(null);
    const [answer] = await Promise.all([hand("pay", {}, key("lost")), owing.story.settle()]);
    expect(answer).toMatchObject({ status: 200, body: { status: "paid" } });
    expect(answer.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await owing.story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect((await owing.story.books()).captured).toEqual([3000, 3000]);
  });

  it("is given up when the Subscription ends, and so is its answer", async () => {
    await owing.story.ok(owing.story.app.manage("POST", `/subscriptions/${owing.subscriptionId}/cancel-now`));
    owing.bank.says(null);
    await owing.story.settle();
    expect(await owing.story.news()).toEqual(["subscription.canceled", "payment.failed", "invoice.voided"]);
    expect(await hand("pay", {}, key("lost"))).toMatchObject({
      status: 402,
      body: { code: "payment_failed", declineCode: "canceled" },
    });
    expect(await hand("pay")).toMatchObject({ status: 409, body: { code: "invoice_not_open" } });
    expect((await owing.story.books()).captured).toEqual([3000]);
  });
});

describe("an invoice with a payment that waits for the buyer to authenticate", () => {
  beforeEach(async () => void (owing = await owe(CARDS.asksBuyer)));
  afterEach(close);

  const challenge = async () =>
    (await owing.story.ok(owing.story.app.manage("GET", "/payments?status=requires_action"))).data;

  it("is charged anew by hand: the old challenge is given up, and the new one can be passed", async () => {
    const [before] = await challenge();
    const answer = await hand("pay", {}, key("k"));
    expect(answer).toMatchObject({
      status: 402,
      body: { code: "payment_action_required", declineCode: null, url: owing.open.url },
    });
    const [now, ...others] = await challenge();
    expect(others).toEqual([]);
    expect(now).toMatchObject({ trigger: "manual", nextAction: { type: "challenge" } });
    expect(now.nextAction.url).not.toBe(before.nextAction.url);
    expect(await owing.story.news()).toEqual(["payment.failed", ...WAITS]);
    await owing.story.answerChallenge(true);
    expect(await owing.story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect((await hand("pay", {}, key("k"))).body).toEqual(answer.body);
  });

  it.each([
    ["void", "void"],
    ["mark-paid", "paid"],
  ] as const)("can be settled by %s: the challenge can't be passed any more", async (operation, status) => {
    const [waiting] = await challenge();
    expect(await hand(operation)).toMatchObject({ status: 200, body: { status } });
    const recorded = operation === "void" ? "invoice.voided" : "invoice.paid";
    expect(await owing.story.news()).toEqual(["payment.failed", recorded, "subscription.recovered"]);
    const payment = await owing.story.ok(owing.story.app.manage("GET", `/payments/${waiting.id}`));
    expect(payment).toMatchObject({ status: "failed", failureCode: "authentication_failed", nextAction: null });
    expect((await owing.story.books()).captured).toEqual([3000]);
  });

  it.each(OPERATIONS)("is paid, and %s refused, where the buyer was faster", async (operation) => {
    await owing.story.passAtBank();
    expect(await hand(operation)).toMatchObject({ status: 409, body: { code: "invoice_not_open" } });
    expect(await owing.story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect(await state()).toBe("paid");
  });

  it("keeps its challenge where the request is refused", async () => {
    const { app } = owing.story;
    const [waiting] = await challenge();
    const { headers } = await app.manage("GET", `/payments/${waiting.id}`);
    for (const operation of OPERATIONS) expect((await hand(operation, {}, { "If-Match": '"0"' })).status).toBe(412);
    const unchanged = { "If-None-Match": headers.get("ETag")! };
    expect((await app.manage("GET", `/payments/${waiting.id}`, undefined, unchanged)).status).toBe(304);
  });
});

describe("in a live Organization", () => {
  let story: Story;
  let bank: Bank;
  let id: string;
  let open: Json;
  beforeEach(async () => {
    story = await startLiveStory();
    bank = bankOf(story.app);
    await takeSandboxCards(story.app);
    await story.plan("pro", 3000);
    ({ id } = await buyOnPage(story.app, { productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays));
    await story.endPeriod(id);
    bank.says(declines("insufficient_funds"));
    await story.app.runDue();
    [open] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    bank.says(null);
    await story.news();
  });
  afterEach(() => story.close());
  const pay = (headers: Record<string, string> = {}) =>
    story.app.manage("POST", `/invoices/${open.id}/pay`, undefined, headers);

  it("an attempt is given up for a retry that is due, which has an outcome of its own", async () => {
    bank.says(loses);
    expect((await pay(key("lost"))).status).toBe(503);
    await pastDueFor(story.app.ctx, story.app.organization.id, id, 4);
    bank.says(null);
    await story.app.runDue();
    await story.settle();
    expect(await story.news()).toEqual(["payment.failed", ...PAID, "subscription.recovered"]);
    expect(await pay(key("lost"))).toMatchObject({
      status: 402,
      body: { code: "payment_failed", declineCode: "canceled" },
    });
    const { data } = await story.ok(story.app.manage("GET", `/payments?invoiceId=${open.id}`));
    expect(data.map((payment: Json) => `${payment.trigger} ${payment.status}`)).toEqual([
      "retry succeeded",
      "manual failed",
      "renewal failed",
    ]);
  });

  it("an invoice can't be charged without a payment provider: 409 payment_provider_missing", async () => {
    await takeNoCards(story.app);
    expect(await pay()).toMatchObject({ status: 409, body: { code: "payment_provider_missing" } });
    expect(await story.news()).toEqual([]);
    expect((await story.app.manage("POST", `/invoices/${open.id}/mark-paid`)).status).toBe(200);
  });
});
