import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { ProviderReport, EventRef } from "../../src/payments/provider.ts";
import { EVENT_TYPES } from "../../src/payments/stripe/notices.ts";
import { challenged } from "./conformance.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, payOnPage, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, ORGANIZATION, type StripeWorld } from "./stripe-world.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
const SECRETS = ["whsec_new", "whsec_old"];

let now = START;
let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  const settings = { baseUrl: stripe.url, installation: "inst_one", webhookSecrets: SECRETS, now: () => now };
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

const look = (object: string, type = "any"): Promise<ProviderReport[] | "unmatched"> =>
  world.provider.notices.look(ORGANIZATION, { id: "evt_1", type, object });
/** No test here sleeps for so long that the cards on file are read. */
const noCards = () => Promise.reject(new Error("no cards are asked for"));
const since = (cursor: string | null) => world.provider.notices.since(ORGANIZATION, cursor, noCards);
const intentOf = (key: string) =>
  [...stripe.book.paymentIntents.values()].find(({ metadata }) => metadata["billow_key"] === key)!;

/** A charge that succeeded, and its intent. */
async function charged(token = "pm_card_visa", parts = {}) {
  const wanted = chargeOf(await world.attached(token), parts);
  expect(await world.provider.charge(wanted)).toEqual({ status: "succeeded" });
  return { key: wanted.key, intent: intentOf(wanted.key).id };
}

type Notice = { headers: Map<string, string>; body: Uint8Array };

/** The notices of all events so far, as they arrive on the wire. */
async function delivered(secrets: readonly string[]): Promise<Notice[]> {
  const notices: Notice[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      notices.push({ headers, body: Buffer.concat(chunks) });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await stripe.deliver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/inbound`, { secrets });
  } finally {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  }
  return notices;
}

describe("an inbound notice", () => {
  it("is believed with one of two secrets, and refers to an object", async () => {
    const { intent } = await charged();
    for (const secret of SECRETS) {
      const refs = (await delivered([secret])).map(({ headers, body }) => world.provider.notices.verify(headers, body));
      expect(refs).not.toContain(null);
      const event = stripe.events.find(
        ({ type, data }) => type === "payment_intent.succeeded" && data.object["id"] === intent,
      );
      expect(refs.flat()).toContainEqual({ id: event!.id, type: "payment_intent.succeeded", object: intent });
      // Most of Stripe's types have no meaning here.
      expect(refs.flat().every((ref) => EVENT_TYPES.includes(ref!.type as never))).toBe(true);
    }
  });

  const event = { id: "evt_1", type: "refund.created", created: 1, livemode: false, data: { object: { id: "re_1" } } };
  const body = Buffer.from(JSON.stringify(event));
  const signed = (secret: string, seconds: number, bytes: Uint8Array = body) =>
    `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.`).update(bytes).digest("hex")}`;
  const ref: EventRef[] = [{ id: "evt_1", type: "refund.created", object: "re_1" }];
  const present = START / 1000;

  test.each([
    ["signed now", signed("whsec_new", present), ref],
    ["signed with the previous secret", signed("whsec_old", present), ref],
    ["signed twice", `${signed("whsec_gone", present)},v1=${signed("whsec_new", present).split("v1=")[1]}`, ref],
    ["signed five minutes ago", signed("whsec_new", present - 300), ref],
    ["signed earlier", signed("whsec_new", present - 301), null],
    ["signed in the future", signed("whsec_new", present + 301), null],
    ["signed with another secret", signed("whsec_other", present), null],
    ["with a signature of another body", signed("whsec_new", present, Buffer.from("{}")), null],
    ["with a moved time", signed("whsec_new", present - 10).replace(`t=${present - 10}`, `t=${present}`), null],
    ["of an older scheme alone", signed("whsec_new", present).replace("v1=", "v0="), null],
    ["without a time", signed("whsec_new", present).replace(/^t=\d+,/, ""), null],
    ["with a cut signature", signed("whsec_new", present).slice(0, -2), null],
    ["without a signature", "", null],
  ])("%s", (_, header, refs) => {
    const provider = world.another({ now: () => START });
    expect(provider.notices.verify(new Map([["stripe-signature", header]]), body)).toEqual(refs);
  });

  test("that is no event has no event references", () => {
    const provider = world.another({ now: () => START });
    for (const text of ["", "[]", "null", '{"id":"evt_1","type":"refund.created"}', "\xff"]) {
      const bytes = Buffer.from(text);
      const headers = new Map([["stripe-signature", signed("whsec_new", present, bytes)]]);
      expect(provider.notices.verify(headers, bytes)).toEqual([]);
    }
  });

  test("is not believed without a secret", () => {
    const headers = new Map([["stripe-signature", signed("", present)]]);
    const provider = world.another({ now: () => START, webhookSecrets: [] });
    expect(provider.notices.verify(headers, body)).toBeNull();
  });
});

describe("polling", () => {
  it("finds each event once the cursor is behind it, oldest first", async () => {
    now += DAY;
    const start = await since(null);
    expect(start.refs).toEqual([]);
    now += 120_000;
    const first = await charged();
    now += 120_000;
    const second = await charged();
    now += 120_000;
    const { refs, cursor } = await since(start.cursor);
    const objects = refs.filter(({ type }) => type === "payment_intent.succeeded").map(({ object }) => object);
    expect(objects).toEqual([first.intent, second.intent]);
    expect((await since(cursor)).refs).toEqual([]);
  });

  it("repeats the last minute, because Stripe lists an event some seconds late", async () => {
    now += DAY;
    const { intent } = await charged();
    now += 10_000;
    const { cursor } = await since(String(now / 1000 - 5));
    now += 300_000;
    const { refs } = await since(cursor);
    expect(refs.map(({ object }) => object)).toContain(intent);
  });

  it("reads a long list in spans, and misses no event", async () => {
    now += DAY;
    const start = String(now / 1000);
    const { intent } = await charged();
    const [one] = stripe.book.events.slice(-1);
    const made: string[] = [];
    for (let n = 0; n < 2_500; n += 1) {
      const id = `evt_many_${n}`;
      made.push(id);
      const data = { object: { id: intent } };
      stripe.book.events.push({ ...one!, id, data, type: "payment_intent.succeeded", created: now / 1000 + n });
    }
    now += 3_600_000;
    const seen: string[] = [];
    let calls = 0;
    for (let cursor = start; calls < 20 && Number(cursor) < now / 1000; calls += 1) {
      const page = await since(cursor);
      expect(page.refs.length).toBeLessThanOrEqual(1_100);
      seen.push(...page.refs.map(({ id }) => id));
      cursor = page.cursor!;
    }
    expect(calls).toBeLessThan(10);
    const firsts = [...new Set(seen.filter((id) => id.startsWith("evt_many_")))];
    expect(firsts).toEqual(made);
  });

  it("passes over the payments of other software, however many", async () => {
    now += 120_000;
    const { cursor } = await since(null);
    for (let n = 0; n < 150; n += 1) stripe.operations.chargeInDashboard(900, "usd");
    const { intent } = await charged();
    now += 120_000;
    const { refs } = await since(cursor);
    expect(refs.map(({ object }) => object)).toEqual([intent]);
  });

  it("ends at the present", async () => {
    expect(await since(String(now / 1000 - 100))).toMatchObject({ cursor: String(now / 1000), more: false });
  });
});

describe("the facts behind an event reference", () => {
  test("a payment, by intent and by page", async () => {
    const { key, intent } = await charged();
    const bookOf = (id: string, own: string) => {
      const { amount, currency, latest_charge: ref, created } = stripe.book.paymentIntents.get(id)!;
      const createdAt = created * 1000;
      return { kind: "charge", ref, key: own, chargeKey: null, amount, currency, createdAt };
    };
    expect(await look(intent)).toEqual([{ kind: "payment", key, charge: bookOf(intent, key) }]);
    const declined = chargeOf(await world.attached("pm_card_chargeCustomerFail"));
    await world.provider.charge(declined);
    expect(await look(intentOf(declined.key).id)).toEqual([{ kind: "payment", key: declined.key, charge: null }]);
    const wanted = chargeOf(null, { presence: "buyer" });
    const { url } = challenged(await world.provider.charge(wanted));
    await payOnPage(url, "4242424242424242");
    const session = [...stripe.book.sessions.values()].at(-1)!;
    const paid = { kind: "payment", key: wanted.key };
    expect(await look(session.id)).toEqual([{ ...paid, charge: null }]);
    const entry = bookOf(session.payment_intent!, wanted.key);
    expect(await look(session.payment_intent!)).toEqual([{ ...paid, charge: entry }]);
    const save = saveOf(await world.attached("pm_card_visa"));
    await world.provider.saveCard(save);
    const setup = [...stripe.book.setupIntents.values()].at(-1)!;
    expect(await look(setup.id)).toEqual([{ kind: "payment", key: save.key, charge: null }]);
  });

  test("a refund of ours that fails weeks later", async () => {
    const { key: chargeKey } = await charged("pm_card_refundFail");
    const refund = { organizationId: ORGANIZATION, key: `${chargeKey}_refund`, chargeKey, amount: 400 };
    await world.provider.refund(refund);
    const made = [...stripe.book.refunds.values()].at(-1)!;
    const fact = {
      ref: made.id,
      key: refund.key,
      chargeKey,
      amount: 400,
      currency: "usd",
      createdAt: made.created * 1000,
    };
    expect(await look(made.id)).toEqual([
      { kind: "refund", refund: { ...fact, status: "succeeded", failureCode: null } },
    ]);
    now += 20 * DAY;
    stripe.operations.failRefund(made.id);
    const failed = { ...fact, status: "failed", failureCode: "card_lost" };
    expect(await look(made.id)).toEqual([{ kind: "refund", refund: failed }]);
  });

  test("a refund made in the dashboard, in the unit of ISO 4217", async () => {
    const { key: chargeKey, intent } = await charged("pm_card_visa", { amount: 5000, currency: "isk" });
    const made = stripe.operations.refund(intent, 120_000);
    expect(await look(made.id)).toMatchObject([
      { kind: "refund", refund: { key: null, chargeKey, status: "succeeded", amount: 1200, currency: "isk" } },
    ]);
  });

  test.each([
    ["warning_needs_response", "inquiry", null],
    ["warning_under_review", "inquiry", null],
    ["needs_response", "open", 2000],
    ["under_review", "open", 2000],
    ["prevented", "closed", null],
  ] as const)("a dispute that is %s is %s", async (status, ours, fee) => {
    const { key: chargeKey, intent } = await charged();
    const { id: ref, evidence_details: evidence } = stripe.operations.dispute(intent, {
      status,
      amount: 700,
      reason: "product_not_received",
    });
    expect(await look(ref)).toEqual([
      {
        kind: "dispute",
        dispute: {
          ref,
          chargeKey,
          status: ours,
          reason: "not_received",
          amount: 700,
          currency: "usd",
          evidenceDueAt: evidence.due_by === null ? null : evidence.due_by * 1000,
          fee,
          feeCurrency: fee === null ? null : "usd",
        },
      },
    ]);
  });

  test.each([
    [
      { status: "prevented", refunds: true },
      { status: "lost", evidenceDueAt: null, fee: 2000, feeCurrency: "usd" },
    ],
    [
      { status: "needs_response", dueBy: 0 },
      { status: "open", evidenceDueAt: null },
    ],
  ] as const)("a dispute with %o", async (of, ours) => {
    const { intent } = await charged();
    const { id } = stripe.operations.dispute(intent, of);
    expect(await look(id)).toMatchObject([{ dispute: { ...ours, amount: 1000 } }]);
  });

  test("the fee that Stripe gives back after a won dispute", async () => {
    const { intent } = await charged();
    const { id } = stripe.operations.dispute(intent);
    stripe.operations.closeDispute(id, "won");
    expect(await look(id)).toMatchObject([{ dispute: { status: "won", fee: 2000 } }]);
    now += 120_000;
    const { cursor } = await since(null);
    now += 60_000;
    stripe.operations.reinstateFee(id, 1500);
    now += 120_000;
    expect((await since(cursor)).refs.map(({ object }) => object)).toEqual([id]);
    expect(await look(id)).toMatchObject([{ dispute: { status: "won", fee: 500 } }]);
  });

  test.each(["won", "lost"] as const)("a dispute that is %s", async (end) => {
    const { intent } = await charged();
    const { id } = stripe.operations.dispute(intent);
    stripe.operations.closeDispute(id, end);
    expect(await look(id)).toMatchObject([
      { kind: "dispute", dispute: { status: end, amount: 1000, reason: "fraudulent" } },
    ]);
  });

  test("an inquiry that becomes a dispute, or ends", async () => {
    const { intent } = await charged();
    const { id } = stripe.operations.dispute(intent, { status: "warning_needs_response" });
    stripe.operations.escalateDispute(id);
    expect(await look(id)).toMatchObject([{ dispute: { status: "open" } }]);
    const other = stripe.operations.dispute((await charged()).intent, { status: "warning_needs_response" });
    stripe.operations.closeDispute(other.id, "warning_closed");
    expect(await look(other.id)).toMatchObject([{ dispute: { status: "closed", fee: null } }]);
  });

  test("a card that the bank replaced, and one that was detached", async () => {
    const ref = await world.attached("pm_card_visa");
    stripe.operations.updateCard(ref, { expMonth: 3, expYear: 2041, last4: "1881" });
    expect(await look(ref)).toMatchObject([
      { kind: "card", ref, card: { ref, brand: "visa", last4: "1881", expMonth: 3, expYear: 2041 } },
    ]);
    stripe.operations.detachCard(ref);
    expect(await look(ref)).toEqual([{ kind: "card", ref, card: null }]);
  });
});

describe("an unmatched object", () => {
  test("is a payment in the dashboard, with its refund and its dispute", async () => {
    const { id } = stripe.operations.chargeInDashboard(900, "usd");
    const refund = stripe.operations.refund(id, 100);
    const dispute = stripe.operations.dispute(id);
    for (const object of [id, refund.id, dispute.id]) expect(await look(object)).toBe("unmatched");
  });

  test("is an object of another installation or Organization", async () => {
    const { intent } = await charged();
    const ref = { id: "evt_1", type: "any", object: intent };
    expect(await world.another({ installation: "inst_two" }).notices.look(ORGANIZATION, ref)).toBe("unmatched");
    expect(await world.provider.notices.look("org_other", ref)).toBe("unmatched");
  });

  test("is a card of a Customer that is not ours", async () => {
    const ref = await world.attached("pm_card_visa");
    expect(await world.provider.notices.look("org_other", { id: "evt_1", type: "any", object: ref })).toBe("unmatched");
  });

  test.each(["pi_missing", "re_missing", "dp_missing", "pm_missing", "cs_missing", "seti_missing"])(
    "is %s, which Stripe does not have",
    async (object) => expect(await look(object)).toBe("unmatched"),
  );

  test.each(["ch_1", "", "pi_../../account", "re_1?expand[]=charge", "pi_1/cancel"])(
    "is %j, and no request is sent for it",
    async (object) => {
      await look("pi_missing");
      const before = stripe.requests.length;
      expect(await look(object)).toBe("unmatched");
      expect(stripe.requests.length).toBe(before);
    },
  );

  test("is not assumed if Stripe does not answer", async () => {
    const { intent } = await charged();
    stripe.fault("GET /v1/payment_intents/:id", "500");
    await expect(look(intent)).rejects.toThrow("500");
  });
});

test("an endpoint is registered once, in the adapter's version, for the adapter's events", async () => {
  const url = "https://billing.example/inbound/stripe/org_test";
  const first = await world.provider.registerEndpoint(url);
  await world.provider.registerEndpoint(`${url}_2`);
  const { id, secret } = await world.provider.registerEndpoint(url);
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(first.secret);
  const endpointUrls = () => [...stripe.book.endpoints.values()].map((each) => each.url).sort();
  expect(stripe.book.endpoints.get(id)).toMatchObject({
    api_version: "2026-08-26.dahlia",
    enabled_events: [...EVENT_TYPES],
    url,
  });
  expect(endpointUrls()).toEqual([url, `${url}_2`]);
  for (let n = 0; n < 2; n += 1) await world.provider.removeEndpoint(url);
  expect(endpointUrls()).toEqual([`${url}_2`]);
});
