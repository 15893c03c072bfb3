import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clientOf } from "./client.ts";
import { DISPUTE_FEE } from "./disputes.ts";
import { startStripe, type StripeServer } from "./server.ts";

const START = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;
let now: number;

beforeEach(async () => {
  now = START;
  stripe = await startStripe({ now: () => now });
  send = clientOf(stripe);
});
afterEach(() => stripe.close());

/** A charged PaymentIntent, whose charge is booked. */
async function paid(payment_method = "pm_card_visa"): Promise<string> {
  const fields = { amount: 1900, currency: "eur", payment_method_types: ["card"] };
  const made = await send("POST /v1/payment_intents", { ...fields, payment_method, confirm: true });
  expect(made.status).toBe(200);
  const id = String(made.body["id"]);
  expect(made.body["latest_charge"]).toMatch(/^ch_/);
  expect((await send(`GET /v1/payment_intents/${id}`)).status).toBe(200);
  return id;
}

const typesSince = (length: number) => stripe.events.slice(length).map(({ type }) => type);
const chargeOf = (intent: string) => [...stripe.book.charges.values()].find((each) => each.payment_intent === intent)!;
/** The movements of the balance, oldest first. */
const moved = () => [...stripe.book.balance.values()].map(({ type, amount, fee }) => ({ type, amount, fee }));

describe("a refund", () => {
  test("is at most the rest of the charge", async () => {
    const payment_intent = await paid();
    const part = await send("POST /v1/refunds", { payment_intent, amount: 900, metadata: { refund: "one" } });
    expect(part.body).toMatchObject({ status: "succeeded", amount: 900, metadata: { refund: "one" } });
    const more = await send("POST /v1/refunds", { payment_intent, amount: 1001 });
    expect(more).toMatchObject({ status: 400, body: { error: { param: "amount" } } });
    expect((await send("POST /v1/refunds", { payment_intent })).body).toMatchObject({ amount: 1000 });
    const spent = await send("POST /v1/refunds", { payment_intent });
    expect(spent).toMatchObject({ status: 400, body: { error: { code: "charge_already_refunded" } } });
    const list = (await send("GET /v1/refunds", { payment_intent })).body["data"] as { amount: number }[];
    expect(list.map(({ amount }) => amount)).toEqual([1000, 900]);
    expect(chargeOf(payment_intent)).toMatchObject({ amount_refunded: 1900, refunded: true });
  });

  test("needs a charge", async () => {
    const made = await send("POST /v1/payment_intents", {
      amount: 1900,
      currency: "eur",
      payment_method_types: ["card"],
    });
    const answer = await send("POST /v1/refunds", { payment_intent: String(made.body["id"]) });
    expect(answer.status).toBe(400);
    expect((await send("POST /v1/refunds")).body.error?.code).toBe("parameter_missing");
  });

  test("may fail weeks later, and the money comes back", async () => {
    const payment_intent = await paid("pm_card_refundFail");
    const refund = String((await send("POST /v1/refunds", { payment_intent })).body["id"]);
    const before = stripe.events.length;
    now += 20 * DAY;
    stripe.operations.failRefund(refund);
    expect((await send(`GET /v1/refunds/${refund}`)).body).toMatchObject({
      status: "failed",
      failure_reason: "lost_or_stolen_card",
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    expect(typesSince(before)).toEqual(["refund.failed", "refund.updated", "charge.refund.updated"]);
    expect(chargeOf(payment_intent)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(moved().slice(1)).toEqual([
      { type: "refund", amount: -1900, fee: 0 },
      { type: "refund_failure", amount: 1900, fee: 0 },
    ]);
  });

  test("may be pending first, and may be made in the dashboard", async () => {
    const payment_intent = await paid("pm_card_pendingRefund");
    const refund = stripe.operations.refund(payment_intent, 500);
    expect(refund).toMatchObject({ status: "pending", balance_transaction: null, metadata: {} });
    expect(moved()).toHaveLength(1);
    stripe.operations.settleRefund(refund.id);
    expect((await send(`GET /v1/refunds/${refund.id}`)).body).toMatchObject({ status: "succeeded" });
    expect(moved().at(-1)).toEqual({ type: "refund", amount: -500, fee: 0 });
  });
});

describe("a dispute", () => {
  test("takes the money and a fee, and gives the money back when it is won", async () => {
    const intent = await paid();
    const dispute = stripe.operations.dispute(intent, { amount: 1500 });
    const read = await send(`GET /v1/disputes/${dispute.id}`);
    expect(read.body).toMatchObject({
      amount: 1500,
      status: "needs_response",
      payment_intent: intent,
      evidence_details: { due_by: START / 1000 + 9 * 86_400 },
      balance_transactions: [{ amount: -1500, fee: DISPUTE_FEE, net: -1500 - DISPUTE_FEE }],
    });
    const refund = await send("POST /v1/refunds", { payment_intent: intent });
    expect(refund.body.error?.code).toBe("charge_disputed");
    const before = stripe.events.length;
    stripe.operations.closeDispute(dispute.id, "won");
    expect(typesSince(before)).toEqual(["charge.dispute.closed", "charge.dispute.funds_reinstated"]);
    expect(moved().at(-1)).toEqual({ type: "adjustment", amount: 1500, fee: 0 });
    expect(await send("POST /v1/refunds", { payment_intent: intent })).toMatchObject({ status: 200 });
  });

  test("may begin as an inquiry, which moves no money", async () => {
    await paid("pm_card_createDisputeInquiry");
    const [dispute] = (await send("GET /v1/disputes")).body["data"] as { id: string }[];
    expect(dispute).toMatchObject({ status: "warning_needs_response", balance_transactions: [] });
    expect(moved()).toHaveLength(1);
    stripe.operations.escalateDispute(dispute!.id);
    expect(moved().at(-1)).toEqual({ type: "adjustment", amount: -1900, fee: DISPUTE_FEE });
    stripe.operations.closeDispute(dispute!.id, "lost");
    expect((await send(`GET /v1/disputes/${dispute!.id}`)).body).toMatchObject({ status: "lost" });
    expect(moved()).toHaveLength(2);
  });

  test.each(["warning_closed", "prevented"] as const)("that ends as %s moved no money", async (end) => {
    const dispute = stripe.operations.dispute(await paid(), { status: "warning_needs_response" });
    stripe.operations.closeDispute(dispute.id, end);
    expect(stripe.events.at(-1)).toMatchObject({ type: "charge.dispute.closed", data: { object: { status: end } } });
    expect(moved()).toHaveLength(1);
  });
});

test("the balance is listed by time and type", async () => {
  await paid();
  stripe.operations.billFee(200, "eur");
  now += DAY;
  await paid();
  const all = { created: { gte: START / 1000, lt: now / 1000 } };
  const list = await send("GET /v1/balance_transactions", all);
  expect(list.body).toMatchObject({
    has_more: false,
    data: [{ type: "stripe_fee", amount: -200 }, { type: "charge" }],
  });
  const page = await send("GET /v1/balance_transactions", { type: "charge", limit: 1 });
  expect(page.body).toMatchObject({ has_more: true, data: [{ created: now / 1000 }] });
});

describe("the events", () => {
  test("tell each change once, with the object as the object was", async () => {
    const fields = { amount: 1900, currency: "eur", payment_method_types: ["card"], payment_method: "pm_card_visa" };
    const made = await send("POST /v1/payment_intents", { ...fields, confirm: true }, { idempotencyKey: "k" });
    expect(typesSince(0)).toEqual(["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"]);
    expect([...stripe.book.charges.values()]).toMatchObject([{ balance_transaction: null }]);
    // A charge is booked a little later.
    await send("GET /v1/events");
    expect(stripe.events.at(-1)).toMatchObject({
      type: "charge.updated",
      data: { object: { balance_transaction: expect.stringMatching(/^txn_/) } },
      request: { id: null },
    });
    expect(stripe.events[0]).toMatchObject({
      api_version: "2026-08-26.dahlia",
      livemode: false,
      data: { object: { status: "requires_confirmation" } },
      request: { id: made.headers.get("request-id"), idempotency_key: "k" },
    });
  });

  test("tell of payments that the seller took without us", async () => {
    const intent = stripe.operations.chargeInDashboard(700, "eur");
    const read = await send("GET /v1/events", { type: "payment_intent.*", limit: 1 });
    const object = { id: intent.id, status: "succeeded", metadata: {} };
    expect(read.body).toMatchObject({ data: [{ type: "payment_intent.succeeded", data: { object } }], has_more: true });
  });

  test("are read from a cursor in pages, for 30 days", async () => {
    await paid();
    const [cursor] = (await send("GET /v1/events", { limit: 1 })).body["data"] as { id: string }[];
    now += DAY;
    await paid();
    await paid();
    const newer = stripe.events.slice(4).map(({ id }) => id);
    const read: string[] = [];
    for (let last = cursor!.id, more = true; more;) {
      const page = (await send("GET /v1/events", { ending_before: last, limit: 2 })).body;
      const ids = (page["data"] as { id: string }[]).map(({ id }) => id).reverse();
      read.push(...ids);
      last = ids.at(-1) ?? last;
      more = page["has_more"] === true;
    }
    expect(read).toEqual(newer);

    now += 29.5 * DAY;
    const left = (await send("GET /v1/events", { types: ["charge.succeeded"] })).body["data"] as unknown[];
    expect(left).toHaveLength(2);
    expect((await send(`GET /v1/events/${cursor!.id}`)).status).toBe(404);
    expect((await send("GET /v1/events", { ending_before: cursor!.id })).status).toBe(400);
  });

  test("tell of a card that the bank has replaced, and of one that is gone", async () => {
    const customer = String((await send("POST /v1/customers")).body["id"]);
    const card = String((await send("POST /v1/payment_methods/pm_card_visa/attach", { customer })).body["id"]);
    stripe.operations.updateCard(card, { expMonth: 1, expYear: 2040, last4: "1111" });
    stripe.operations.detachCard(card);
    const [updated, detached] = stripe.events.slice(-2);
    expect(updated).toMatchObject({
      type: "payment_method.automatically_updated",
      data: { object: { card: { last4: "1111" } }, previous_attributes: { card: { last4: "4242" } } },
    });
    expect(detached).toMatchObject({ type: "payment_method.detached", data: { object: { id: card, customer: null } } });
  });
});

describe("notices", () => {
  type Received = { signature: string; body: string };
  let receiver: Server;
  let url: string;
  let received: Received[];
  let answer: number;

  beforeEach(async () => {
    received = [];
    answer = 200;
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ signature: String(request.headers["stripe-signature"]), body: Buffer.concat(chunks).toString() });
      response.writeHead(answer).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/inbound`;
    await paid();
  });
  afterEach(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const ids = () => received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  const all = () => stripe.events.map(({ id }) => id);

  /** The signature scheme, computed here independently of the server. */
  function isSigned({ signature, body }: Received, secret: string): boolean {
    const fields = signature.split(",").map((each) => each.split("=") as [string, string]);
    const at = fields.find(([name]) => name === "t")![1];
    const expected = createHmac("sha256", secret).update(`${at}.${body}`, "utf8").digest("hex");
    return fields.some(([name, value]) => name === "v1" && value === expected);
  }

  test("are signed, and sent once", async () => {
    const delivered = await stripe.deliver(url);
    expect(delivered.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(ids()).toEqual(all());
    expect(received.every((each) => isSigned(each, stripe.webhookSecret))).toBe(true);
    expect(received.some((each) => isSigned(each, "whsec_other"))).toBe(false);
    expect(await stripe.deliver(url)).toEqual([]);
  });

  test("are signed with two secrets while a secret is rotated, at a time of the receiver's clock", async () => {
    await stripe.deliver(url, { secrets: ["whsec_new", "whsec_old"], signedAt: START + 5_999 });
    expect(isSigned(received[0]!, "whsec_new") && isSigned(received[0]!, "whsec_old")).toBe(true);
    expect(received[0]!.signature).toContain(`t=${START / 1000 + 5},`);
  });

  test("that are not accepted are sent again", async () => {
    answer = 500;
    await stripe.deliver(url);
    answer = 204;
    await stripe.deliver(url);
    expect(ids()).toEqual([...all(), ...all()]);
  });

  test("can be shuffled, repeated and missing", async () => {
    await stripe.deliver(url, { shuffled: true });
    expect(ids()).toEqual(all().reverse());
    await paid();
    received = [];
    await stripe.deliver(url, { repeated: true, missing: true });
    const [first, , third] = all().slice(4);
    expect(ids()).toEqual([first, first, third, third]);
    // A missing notice does not come later.
    expect(await stripe.deliver(url)).toEqual([]);
  });

  test("arrive in an order that a seed decides", async () => {
    for (let n = 0; n < 5; n++) await paid();
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    let seed = 7;
    await stripe.deliver(url, { shuffled: true, repeated: true, missing: true, random });
    const first = ids();
    expect(first).not.toEqual([...first].sort());
    expect(new Set(first).size).toBeLessThan(Math.min(first.length, stripe.events.length));
    received = [];
    seed = 7;
    await stripe.deliver(url.replace("inbound", "again"), { shuffled: true, repeated: true, missing: true, random });
    expect(ids()).toEqual(first);
  });

  test("go to a registered endpoint with its own secret, and only those that it wants", async () => {
    const made = await send("POST /v1/webhook_endpoints", {
      url,
      enabled_events: ["charge.succeeded"],
      api_version: "2026-08-26.dahlia",
    });
    const { id, secret } = made.body as { id: string; secret: string };
    await stripe.deliver(url);
    expect(received).toHaveLength(1);
    expect(isSigned(received[0]!, secret)).toBe(true);
    const list = (await send("GET /v1/webhook_endpoints")).body;
    expect(list).toMatchObject({ data: [{ id, url, status: "enabled" }] });
    expect(JSON.stringify(list)).not.toContain(secret);
    await send(`POST /v1/webhook_endpoints/${id}`, { enabled_events: ["*"] });
    expect(await stripe.deliver(url)).toHaveLength(3);
    expect((await send(`DELETE /v1/webhook_endpoints/${id}`)).body).toMatchObject({ deleted: true });
    expect((await send(`GET /v1/webhook_endpoints/${id}`)).status).toBe(404);
  });
});
