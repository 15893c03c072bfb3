import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AcornBank } from "../payments/toy/bank.ts";
import { startAcorn, type Acorn } from "../payments/toy/server.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { sellThrough, toAcornsPage } from "../support/acorn.ts";
import { ok } from "../support/story.ts";
import { sql } from "../../src/store/driver/db.ts";
import { newId } from "../../src/ids.ts";
import { heldBack } from "../../src/payments/copy-guard.ts";
import type { PaymentProvider } from "../../src/payments/provider.ts";

let acorn: Acorn;
let app: TestApp;

const NUMBER = "9000 0000 0001";
const BUYER = { email: "ada@example.com", externalId: "ada" };

beforeEach(async () => {
  acorn = await startAcorn();
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
  await ok(app.manage("POST", "/products", { key: "book", name: "Book", prices: [{ currency: "usd", amount: 900 }] }));
});
afterEach(async () => {
  await app.close();
  await acorn.close();
});

type Notice = ReturnType<AcornBank["notice"]>;
const pathOf = (id = app.organization.id) => `/inbound/acorn/${id}`;
const send = ({ body, headers }: Notice, path = pathOf(), more: Record<string, string> = {}) =>
  fetch(app.url + path, { method: "POST", body, headers: { ...headers, ...more } });
const listed = async (query = "", manage = app.manage): Promise<Json[]> =>
  (await ok(manage("GET", `/provider-notices?limit=100${query}`))).data;

/** Sells a book, and answers the Checkout and the key of its payment. */
async function sell(): Promise<{ checkout: Json; key: string }> {
  const { checkout, url } = await toAcornsPage(app, { productKey: "book", customer: BUYER });
  await acorn.answer(url, { number: NUMBER });
  return { checkout, key: acorn.bank.charges().at(-1)!.reference! };
}
const statusOf = async ({ id }: Json) => (await ok(app.api("GET", `/checkouts/${id}`))).status;

const pollStatement = sql("test.polls", "UPDATE provider_connections SET poll_at = statement_timestamp()");
/** Polls now, and does all other due work. */
async function poll(): Promise<void> {
  await app.ctx.db.tx((tx) => tx.query(pollStatement, []));
  await app.runDue();
}

describe("a notice", () => {
  it("is answered at once and stored once, however often it comes", async () => {
    await sellThrough(acorn, app);
    await sell();
    const notice = acorn.bank.notice();
    for (let round = 0; round < 3; round += 1) {
      const answer = await send(notice);
      expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    }
    const stored = await listed();
    expect(stored).toEqual([
      {
        id: expect.stringMatching(/^ntc_/),
        provider: "acorn",
        providerAccount: "acorn_1",
        reference: acorn.bank.events("ev_000000").events[0]!.id,
        type: "charge.changed",
        object: expect.stringMatching(/^ch_/),
        status: "waiting",
        receivedAt: expect.any(String),
      },
    ]);
    await app.runDue();
    await send(notice);
    expect(await listed()).toEqual([{ ...stored[0], status: "taken" }]);
  });

  it("completes the purchase of a buyer that does not come back", async () => {
    await sellThrough(acorn, app);
    const { checkout } = await sell();
    expect(await statusOf(checkout)).toBe("processing");
    await send(acorn.bank.notice());
    await app.runDue();
    expect(await statusOf(checkout)).toBe("completed");
  });

  it("books a dispute, and then the bank's decision", async () => {
    await sellThrough(acorn, app);
    const { key } = await sell();
    acorn.bank.dispute(key, { reason: "not_delivered", fee: { amount: "15.00", currency: "usd" } });
    await send(acorn.bank.notice());
    await app.runDue();
    const disputes = async () => (await ok(app.manage("GET", "/disputes"))).data;
    expect(await disputes()).toMatchObject([{ status: "open", reason: "not_received", amount: 900, fee: 1500 }]);
    acorn.bank.dispute(key, { status: "won" });
    await send(acorn.bank.notice());
    await app.runDue();
    expect(await disputes()).toMatchObject([{ status: "won" }]);
  });

  it("replaces a card, and ends a card", async () => {
    await sellThrough(acorn, app);
    const { checkout } = await sell();
    await app.runDue();
    await send(acorn.bank.notice());
    await app.runDue();
    const { customerId } = await ok(app.api("GET", `/checkouts/${checkout.id}`));
    const cards = async () => (await ok(app.manage("GET", `/customers/${customerId}/payment-methods`))).data;
    expect(await cards()).toMatchObject([{ last4: "0001" }]);
    const card = acorn.bank.charges()[0]!.card!.id;
    acorn.bank.changeCard(card, { last4: "7777", year: 3001 });
    await send(acorn.bank.notice());
    await app.runDue();
    expect(await cards()).toMatchObject([{ last4: "7777", expYear: 3001 }]);
    acorn.bank.changeCard(card, { ended: true });
    await send(acorn.bank.notice());
    await app.runDue();
    expect(await cards()).toEqual([]);
  });

  it("is kept aside if its object is not of this installation, for its own Organization alone", async () => {
    await sellThrough(acorn, app);
    const outside = { shop: "", card: acorn.bank.card("pays").id, amount: "5.00", currency: "eur", offSession: false };
    acorn.bank.charge("made_elsewhere", { ...outside, customer: { id: "", email: null }, returnUrl: "" });
    await send(acorn.bank.notice());
    expect(await listed("&status=unmatched")).toEqual([]);
    await app.runDue();
    expect(await listed("&status=unmatched")).toMatchObject([{ type: "charge.changed", status: "unmatched" }]);
    expect([await listed("&status=taken"), await listed("&status=waiting")]).toEqual([[], []]);
    const other = await app.otherOrganization();
    expect(await listed("", caller(`${app.url}/manage/v1`, other.keys.manage))).toEqual([]);
  });

  it("waits while Acorn does not answer", async () => {
    await sellThrough(acorn, app);
    const { checkout } = await sell();
    await send(acorn.bank.notice());
    const { ctx } = app;
    const { connected } = ctx.payments;
    const gone = async () => {
      throw new Error("no route");
    };
    ctx.payments.connected = async (...asked) => {
      const provider = (await connected(...asked))!;
      return { ...provider, read: gone, notices: { ...provider.notices!, look: gone } };
    };
    await app.runDue();
    expect(await listed()).toMatchObject([{ status: "waiting" }]);
    ctx.payments.connected = connected;
    await ctx.db.tx((tx) => tx.query(dueStatement, []));
    await app.runDue();
    expect([await statusOf(checkout), (await listed())[0].status]).toEqual(["completed", "taken"]);
  });
});

const dueStatement = sql(
  "test.notices_due",
  "UPDATE provider_notices SET check_at = statement_timestamp() WHERE check_at IS NOT NULL",
);

describe("a notice of a connected account", () => {
  // In a copy of the installation, a provider shows no notices.
  it.each<[string, (provider: PaymentProvider) => PaymentProvider | null]>([
    ["the key of the account can't be read", () => null],
    ["this database is a copy", heldBack],
  ])("waits as long as %s", async (_, seen) => {
    await sellThrough(acorn, app);
    const { checkout } = await sell();
    await send(acorn.bank.notice());
    const { payments } = app.ctx;
    const { connected } = payments;
    payments.connected = async (...asked) => seen((await connected(...asked))!);
    await app.runDue();
    expect(await listed()).toMatchObject([{ status: "waiting" }]);
    payments.connected = connected;
    await app.ctx.db.tx((tx) => tx.query(dueStatement, []));
    await app.runDue();
    expect([await statusOf(checkout), (await listed())[0].status]).toEqual(["completed", "taken"]);
  });

  it("is unmatched if the account was disconnected", async () => {
    await sellThrough(acorn, app);
    await sell();
    await send(acorn.bank.notice());
    await sellThrough(acorn, app, { disconnected: true });
    await app.runDue();
    expect(await listed()).toMatchObject([{ status: "unmatched" }]);
  });
});

describe("a notice without a good signature", () => {
  it("has the same answer, whichever part is wrong", async () => {
    await sellThrough(acorn, app);
    const silent = (await app.otherOrganization()).organization.id;
    await sellThrough(acorn, app, { organizationId: silent, notices: false });
    const former = (await app.otherOrganization()).organization.id;
    await sellThrough(acorn, app, { organizationId: former, disconnected: true });
    const never = (await app.otherOrganization()).organization.id;
    await sell();
    const good = acorn.bank.notice();
    const answers = await Promise.all([
      send(acorn.bank.notice(undefined, { secret: "wrong" })),
      send({ ...good, body: `${good.body} ` }),
      fetch(app.url + pathOf(), { method: "POST" }),
      send(good, pathOf(newId("org"))),
      send(good, pathOf("nonsense")),
      send(good, pathOf("org_%00")),
      ...[silent, former, never].map((id) => send(good, pathOf(id))),
      send(good, `/inbound/sandbox/${app.organization.id}`),
      send(good, `/inbound/nobank/${app.organization.id}`),
    ]);
    const bodies = await Promise.all(answers.map(async (answer) => ({ ...((await answer.json()) as Json) })));
    for (const [n, { requestId, ...body }] of bodies.entries()) {
      expect([n, answers[n]!.status, body]).toEqual([n, 400, expect.objectContaining({ code: "notice_invalid" })]);
      expect(requestId).toEqual(expect.any(String));
      const { requestId: _, ...first } = bodies[0]!;
      expect(body).toEqual(first);
    }
    expect(await listed()).toEqual([]);
  });

  it("is verified over the raw bytes", async () => {
    await sellThrough(acorn, app);
    const { bank } = acorn;
    const events = [{ id: "ev_1", type: "charge.changed — Ł", object: "ch_1" }];
    expect((await send(bank.notice(events))).status).toBe(200);
    const { body, headers } = bank.notice(events);
    const spaced = JSON.stringify(JSON.parse(body), null, 1);
    expect((await send({ body: spaced, headers })).status).toBe(400);
  });
});

describe("the address for notices", () => {
  it("takes 256 KiB and not a byte more", async () => {
    await sellThrough(acorn, app);
    const sized = (bytes: number) => {
      const padding = bytes - acorn.bank.notice([{ id: "ev_1", type: "", object: "" }]).body.length;
      return acorn.bank.notice([{ id: "ev_1", type: "x".repeat(padding), object: "" }]);
    };
    const most = sized(256 * 1024);
    expect([most.body.length, (await send(most)).status]).toEqual([262_144, 200]);
    const answer = await send(sized(256 * 1024 + 1));
    expect([answer.status, ((await answer.json()) as Json).detail]).toEqual([413, "Send at most 256 KiB."]);
  });

  it.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("is closed to %s", async (method) => {
    const answer = await fetch(app.url + pathOf(), { method });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
  });

  it("limits the requests of one address", async () => {
    const from = (address: string) => fetch(app.url + pathOf(), { method: "POST", headers: forwarded(address) });
    const forwarded = (address: string) => ({ "X-Forwarded-For": address });
    let limited: Response | undefined;
    for (let round = 0; round < 50 && !limited; round += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => from("203.0.113.7")));
      limited = answers.find(({ status }) => status === 429);
    }
    expect(limited?.headers.get("Retry-After")).toBe("1");
    expect(((await limited!.json()) as Json).code).toBe("rate_limited");
    expect((await from("203.0.113.8")).status).toBe(400);
  });
});

describe("polling", () => {
  it("finds the notices that never came in, from the connection on", async () => {
    await sellThrough(acorn, app);
    await app.runDue();
    const { checkout, key } = await sell();
    acorn.bank.dispute(key, {});
    await poll();
    expect(await listed()).toMatchObject([{ type: "dispute.changed" }, { type: "charge.changed" }]);
    expect(await statusOf(checkout)).toBe("completed");
    await send(acorn.bank.notice());
    await poll();
    expect(await listed()).toHaveLength(2);
  });

  it("is enough: all works with notices off", async () => {
    await sellThrough(acorn, app, { notices: false });
    await app.runDue();
    const { key } = await sell();
    expect((await send(acorn.bank.notice())).status).toBe(400);
    await poll();
    acorn.bank.dispute(key, { status: "question" });
    await poll();
    acorn.bank.dispute(key, { status: "open" });
    await poll();
    const { data } = await ok(app.manage("GET", "/disputes"));
    expect(data).toMatchObject([{ status: "open", amount: 900 }]);
    expect((await listed()).map(({ status }) => status)).toEqual(["taken", "taken", "taken"]);
  });

  it("catches up with a long list at once", async () => {
    await sellThrough(acorn, app);
    await app.runDue();
    const { key } = await sell();
    for (let n = 0; n < 250; n += 1) acorn.bank.dispute(key, { status: "question" });
    await poll();
    const { events } = acorn.bank.events("ev_000000");
    expect(events).toHaveLength(100);
    expect(await count()).toBe(251);
    expect(await listed("&status=waiting")).toEqual([]);
  });

  it("goes on past a page of notices that came in", async () => {
    await sellThrough(acorn, app);
    await app.runDue();
    const { key } = await sell();
    for (let n = 0; n < 150; n += 1) acorn.bank.dispute(key, { status: "question" });
    await send(acorn.bank.notice(acorn.bank.events("ev_000000").events));
    expect(await count()).toBe(100);
    await poll();
    expect(await count()).toBe(151);
  });

  it("comes again after five minutes, also after a fault", async () => {
    await sellThrough(acorn, app);
    await app.runDue();
    const { checkout } = await sell();
    acorn.next({ status: 500 });
    await poll();
    await app.runDue();
    expect(await listed()).toEqual([]);
    await poll();
    expect([(await listed()).length, await statusOf(checkout)]).toEqual([1, "completed"]);
  });
});

const countStatement = sql("test.notices_count", "SELECT count(*)::int AS count FROM provider_notices");
const count = async () => (await app.ctx.db.read.query<{ count: number }>(countStatement, []))[0]!.count;

const insertStatement = sql(
  "test.old_notices",
  `INSERT INTO provider_notices (organization_id, id, provider, provider_account, ref, type, object, status, check_at,
     checks, received_at)
   SELECT $1, $2 || lpad(n::text, 23, '0'), 'acorn', 'acorn_1', $2 || n, 'test', 'ch_1', $3,
     CASE $3 WHEN 'waiting' THEN statement_timestamp() + interval '1 day' END, 1,
     statement_timestamp() - $4 * interval '1 day'
   FROM generate_series(1, $5) AS n`,
);

describe("old notices", () => {
  const insert = (prefix: string, status: string, days: number, many = 1, id = app.organization.id) =>
    app.ctx.db.tx((tx) => tx.query(insertStatement, [id, `ntc_01${prefix}`, status, days, many]));

  it("are forgotten: taken ones after three days, unmatched ones after thirty, waiting ones never", async () => {
    await sellThrough(acorn, app);
    await insert("a", "taken", 3.1);
    await insert("b", "taken", 2.9);
    await insert("c", "unmatched", 30.1);
    await insert("d", "unmatched", 29.9);
    await insert("e", "waiting", 31);
    await app.runDue();
    expect((await listed()).map(({ id }) => id.slice(6, 7))).toEqual(["e", "d", "b"]);
  });

  it("that are unmatched are the newest 10,000 of each Organization", async () => {
    await sellThrough(acorn, app);
    const other = (await app.otherOrganization()).organization.id;
    await insert("a", "unmatched", 1, 10_003);
    await insert("b", "taken", 1, 3);
    await insert("a", "unmatched", 1, 5, other);
    await app.runDue();
    expect(await count()).toBe(10_008);
    const oldest = sql("test.oldest_notice", "SELECT min(id) AS id FROM provider_notices WHERE organization_id = $1");
    const [found] = await app.ctx.db.read.query<{ id: string }>(oldest, [app.organization.id]);
    expect(found!.id).toBe("ntc_01a00000000000000000000004");
  });
});
