import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { createBuyers, createRandom, type Buyers } from "./buyers.ts";
import { checksOf, type Checks } from "./checks.ts";
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
let checks: Checks;

beforeAll(async () => {
  service = await startService();
  buyers = createBuyers(service, seed);
  checks = checksOf(service, buyers);
});

afterAll(() => service.close());

/** Kills the victims amid the buyers' requests. True if there was more than one. */
async function crash(random: () => number): Promise<boolean> {
  await service.serve(20 + random() * 80);
  await sleep(random() * 20);
  const victims = VICTIMS[Math.floor(random() * VICTIMS.length)]!;
  await service.kill(victims);
  await service.recover();
  return victims.length > 1;
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
      await checks.expectKept(fresh.map(([path]) => path));
      for (const [path, { body }] of fresh) verified.set(path, body);
      if (everything) crashes += 1;
    }
    await service.serve(0);
  })();
  await Promise.all([crashing, ...running]);

  await expect.poll(checks.unsettled, { timeout: 180_000, interval: 250 }).toEqual([]);
  await checks.expectKept(buyers.known.keys());
  await checks.expectMadeOnce("customers");
  await checks.expectMadeOnce("checkouts");
  await checks.expectStories();
  await checks.expectReplayed();
  const { id } = await service.look("/organization");
  expect(await service.stop()).toBe(0);
  await expectBooksToAgree(id);
});
