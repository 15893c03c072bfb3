import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { createBuyers, createRandom, type Buyers } from "./buyers.ts";
import { startService, type Service, type Victim } from "./service.ts";

const CRASHES = 20;
const BUYERS = 16;
/** Mostly server and database die, in either order. Sometimes only the database dies, and the server has to go on. */
const VICTIMS: readonly (readonly Victim[])[] = [
  ["server", "database"],
  ["server", "database"],
  ["database", "server"],
  ["database"],
];
const seed = Number(process.env["CRASH_SEED"] ?? randomInt(2 ** 31));

let service: Service;
let buyers: Buyers;

beforeAll(async () => {
  service = await startService();
  buyers = createBuyers(service, seed);
});

afterAll(() => service.close());

async function all(path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ""; ;) {
    const { data, nextCursor } = await service.look(`${path}${path.includes("?") ? "&" : "?"}limit=100${cursor}`);
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}

/** The fields that neither an unanswered write nor the outcome of a payment can change. */
function lasting({ id, customerId, currency, metadata, createdAt, startedAt, totalAmount }: Json): object {
  return { id, customerId, currency, metadata, createdAt, startedAt, totalAmount };
}

/**
 * Leaves out the address, which has another port after each start, and `nextAction`, which only a payment's answer
 * has.
 */
const comparable = ({ url: _url, nextAction: _next, ...rest }: Json): Json => rest;

/**
 * Expects every answered resource to read as it was last answered, except for changes that may have followed since.
 */
async function expectKept(paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const { body, writing } = buyers.known.get(path)!;
    const found = await service.look(path);
    if (writing || body.status === "processing") expect(lasting(found), path).toEqual(lasting(body));
    else expect(comparable(found), path).toEqual(comparable(body));
  }
}

/** Kills the victims amid the buyers' requests. True if there was more than one. */
async function crash(random: () => number): Promise<boolean> {
  await service.serve(20 + random() * 80);
  await sleep(random() * 20);
  const victims = VICTIMS[Math.floor(random() * VICTIMS.length)]!;
  await service.kill(victims);
  await service.recover();
  return victims.length > 1;
}

/** Payments and Checkouts that are neither settled nor waiting for a buyer. */
async function unsettled(): Promise<string[]> {
  const payments = [...(await all("/payments?status=pending")), ...(await all("/payments?status=unknown"))];
  const waiting = new Set((await all("/payments?status=requires_action")).map((payment) => payment.checkoutId));
  const checkouts = (await all("/checkouts?status=processing")).filter(({ id }) => !waiting.has(id));
  return [...payments, ...checkouts].map(({ id }) => id);
}

/** Expects that no tag was made twice, and that each `sure` one was made. */
async function expectMadeOnce(kind: "customers" | "checkouts"): Promise<void> {
  const made = Map.groupBy(await all(`/${kind}`), ({ metadata }) => metadata.tag as string);
  for (const [tag, { sure }] of buyers.wanted[kind]) {
    const count = made.get(tag)?.length ?? 0;
    expect(count, `${kind} ${tag}`).toBeLessThanOrEqual(1);
    if (sure) expect(count, `${kind} ${tag}`).toBe(1);
  }
}

async function expectStories(): Promise<void> {
  for (const [path, story] of buyers.stories) {
    const events = await all(`/events?resourceId=${path.split("/").at(-1)}`);
    expect(
      events.map(({ type }) => type),
      path,
    ).toEqual(story);
  }
}

async function expectReplayed(): Promise<void> {
  for (const { request, text } of buyers.answered) {
    expect(await service.call(request), `${request.method} ${request.path} ${request.key}`).toMatchObject({
      text,
      replayed: true,
    });
  }
}

const pendingStatement = sql("test.pending_changes", "SELECT id FROM changes WHERE status = 'pending'");

/** Checks the state that only the database shows, with the provider's book in it. */
async function expectBooksToAgree(organizationId: string): Promise<void> {
  await service.lookInto(async (db) => {
    expect(await db.read.query(pendingStatement)).toEqual([]);
    expect(await audit(db, organizationId)).toEqual([]);
  });
}

test(`every answer outlives ${CRASHES} crashes, and no work is done twice`, { timeout: 900_000 }, async () => {
  onTestFailed(() => console.error(`To repeat it: CRASH_SEED=${seed}`));
  const random = createRandom(seed);
  let crashes = 0;
  const running = Array.from({ length: BUYERS }, (_, n) => buyers.run(n + 1, () => crashes === CRASHES));
  const crashing = (async () => {
    const verified = new Map<string, Json>();
    while (crashes < CRASHES) {
      const everything = await crash(random);
      const fresh = [...buyers.known].filter(([path, { body }]) => verified.get(path) !== body);
      await expectKept(fresh.map(([path]) => path));
      for (const [path, { body }] of fresh) verified.set(path, body);
      if (everything) crashes += 1;
    }
    await service.serve(0);
  })();
  await Promise.all([crashing, ...running]);

  await expect.poll(unsettled, { timeout: 180_000, interval: 250 }).toEqual([]);
  await expectKept(buyers.known.keys());
  await expectMadeOnce("customers");
  await expectMadeOnce("checkouts");
  await expectStories();
  await expectReplayed();
  const { id } = await service.look("/organization");
  expect(await service.stop()).toBe(0);
  await expectBooksToAgree(id);
});
