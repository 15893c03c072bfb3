import { afterEach, beforeEach, expect, test } from "vitest";
import type { Instant } from "../../src/domain/calendar.ts";
import { lockHeartbeat, moveHeartbeat } from "../../src/store/catch-up.ts";
import { sql } from "../../src/store/db.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeEach(async () => void (database = await createTestDatabase()));
afterEach(() => database.drop());

const waitingStatement = sql(
  "test.waiting",
  `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);
const nowStatement = sql("test.now", "SELECT date_trunc('milliseconds', clock_timestamp()) AS now");

test("a time that is asked for with a lock is not before the instants of the lock's last holder", async () => {
  const { db } = database;
  let noted: Instant | null = null;
  let waiter: ReturnType<typeof wait> | null = null;
  const wait = () => db.tx((tx) => lockHeartbeat(tx));
  await db.tx(async (tx) => {
    await lockHeartbeat(tx);
    waiter = wait();
    for (let waiting = 0; waiting === 0;)
      waiting = (await db.read.query<{ waiting: number }>(waitingStatement))[0]!.waiting;
    noted = (await tx.query<{ now: Instant }>(nowStatement))[0]!.now;
    moveHeartbeat(tx, noted);
  });
  const { seenAt, now } = await waiter!;
  expect(seenAt).toBe(noted);
  expect(now).toBeGreaterThanOrEqual(seenAt);
});
