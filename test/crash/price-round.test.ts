import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { until } from "../support/until.ts";
import { startService, type Service, type Victim } from "./service.ts";

/** The Subscriptions of the round. `PRICE_ROUND=10000` takes some minutes. */
const SUBSCRIPTIONS = Number(process.env["PRICE_ROUND"] ?? 300);
/** The kills within each part of the round. */
const KILLS = Number(process.env["PRICE_ROUND_KILLS"] ?? 3);
const LANES = 16;
const LONG = { seconds: 1800 };
const VICTIMS: readonly (readonly Victim[])[] = [["server"], ["server", "database"], ["database"]];
const [BEFORE, AFTER] = [1000, 1250];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function send(
  method: string,
  path: string,
  body?: object,
  surface: "manage" | "public" = "manage",
): Promise<Json> {
  const key = method === "POST" ? { key: `${method} ${path} ${JSON.stringify(body)}` } : {};
  for (;;) {
    const reply = await service.call({ surface, method, path, ...(body && { body }), ...key });
    if (!reply || reply.status >= 500 || reply.body.code === "idempotency_in_progress") continue;
    if (reply.status >= 300) throw new Error(`${method} ${path} answers ${reply.status}: ${reply.text}`);
    return reply.body;
  }
}

/** Numbers from 0, as many lanes at a time. */
async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function all(path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ""; ;) {
    const { data, nextCursor } = await service.look(`${path}${path.includes("?") ? "&" : "?"}limit=100${cursor}`);
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}

/**
 * Waits for the end of a part of the round, and kills server, database or both each time that some Subscriptions more
 * are done. Returns the numbers at which a kill fell.
 */
async function killWithin(done: () => Promise<number>): Promise<number[]> {
  const kills: number[] = [];
  for (let before = 0; kills.length < KILLS;) {
    const least = Math.max(before + 1, Math.floor((SUBSCRIPTIONS * kills.length) / KILLS));
    const reached = await until(async () => {
      const now = await done();
      return now >= least ? now : 0;
    }, LONG);
    if (reached >= SUBSCRIPTIONS) break;
    await service.kill(VICTIMS[kills.length % VICTIMS.length]!);
    await service.recover();
    kills.push(reached);
    before = reached;
    await service.serve(0);
  }
  await until(async () => (await done()) === SUBSCRIPTIONS, LONG);
  return kills;
}

const countsOf = (rows: readonly Json[], idOf: (row: Json) => string): number[] => [
  ...new Set([...Map.groupBy(rows, idOf).values()].map((own) => own.length)),
];

test(
  `a round of ${SUBSCRIPTIONS} Subscriptions outlives kills, and moves and mails each one once`,
  { timeout: 3_600_000 },
  async () => {
    await service.serve(0);
    const { id: productId } = await send("POST", "/products", {
      key: "seats",
      name: "Seats",
      interval: "month",
      prices: [{ currency: "usd", amount: BEFORE }],
    });
    await inLanes(SUBSCRIPTIONS, async (n) => {
      const { id: customerId } = await send("POST", "/customers", { email: `c${n}@example.com` }, "public");
      await send("POST", `/sandbox/customers/${customerId}/card`, { card: "4242424242424242" });
      await send("POST", "/subscriptions", { customerId, productId });
    });
    await send("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount: AFTER }] });
    const noticed = performance.now();
    const { id } = await send("POST", `/products/${productId}/price-changes`, { noticeDays: 10, consent: "notice" });
    const progress = async () => {
      const reply = await service.call({ surface: "manage", method: "GET", path: `/price-changes/${id}` });
      return (reply?.body.progress ?? { scheduled: 0, applied: 0 }) as Json;
    };
    const notices = await killWithin(async () => (await progress()).scheduled);
    await until(async () => (await service.look(`/price-changes/${id}`)).status === "completed");
    const seconds = { notices: (performance.now() - noticed) / 1000, moves: 0 };
    expect(countsOf(await all("/events?type=subscription.price_change_scheduled"), ({ data }) => data.id)).toEqual([1]);

    const rows = await all(`/price-changes/${id}/subscriptions`);
    expect(rows).toHaveLength(SUBSCRIPTIONS);
    const last = Math.max(...rows.map(({ effectiveAt }) => Date.parse(effectiveAt)));
    const moving = performance.now();
    const to = new Date(last + 60_000).toISOString();
    const advanced = send("POST", "/sandbox/clock/advance", { to });
    const moves = await killWithin(async () => (await progress()).applied);
    await advanced;
    await until(async () => (await service.look("/sandbox/clock")).target === null, LONG);
    seconds.moves = (performance.now() - moving) / 1000;

    expect(notices.at(-1)).toBeLessThan(SUBSCRIPTIONS);
    expect(moves.at(-1)).toBeLessThan(SUBSCRIPTIONS);
    expect(await progress()).toEqual({
      found: SUBSCRIPTIONS,
      scheduled: 0,
      applied: SUBSCRIPTIONS,
      withdrawn: 0,
      endedWithoutConsent: 0,
      ended: 0,
      leftOut: [],
    });
    for (const type of ["price_change_scheduled", "price_change_applied"]) {
      const events = await all(`/events?type=subscription.${type}`);
      expect(events).toHaveLength(SUBSCRIPTIONS);
      expect(countsOf(events, ({ data }) => data.id)).toEqual([1]);
    }
    const mails = await all("/emails?kind=price_change");
    expect(mails).toHaveLength(SUBSCRIPTIONS);
    expect(countsOf(mails, ({ subscriptionId }) => subscriptionId)).toEqual([1]);
    const renewals = await all("/invoices?reason=renewal");
    const atNewPrice = renewals.filter(({ totalAmount }) => totalAmount === AFTER);
    expect(atNewPrice).toHaveLength(SUBSCRIPTIONS);
    expect(countsOf(atNewPrice, ({ subscriptionId }) => subscriptionId)).toEqual([1]);
    const { id: organizationId } = await service.look("/organization");
    expect(await service.stop()).toBe(0);
    await service.lookInto(async (db) => expect(await audit(db, organizationId)).toEqual([]));
    if (process.env["PRICE_ROUND"])
      process.stdout.write(`${JSON.stringify({ SUBSCRIPTIONS, notices, moves, seconds })}\n`);
  },
);
