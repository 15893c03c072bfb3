import { afterEach, beforeEach, expect, test } from "vitest";
import type { Instant } from "../../src/domain/calendar.ts";
import { lockHeartbeat, moveHeartbeat } from "../../src/store/catch-up.ts";
import { sql } from "../../src/store/driver/db.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { untilLocked } from "../support/locks.ts";

let database: TestDatabase;
beforeEach(async () => void (database = await createTestDatabase()));
afterEach(() => database.drop());

const nowStatement = sql("test.now", "SELECT date_trunc('milliseconds', clock_timestamp()) AS now");

test("a time that is asked for with a lock is not before the instants of the lock's last holder", async () => {
  const { db } = database;
  let noted: Instant | null = null;
  let waiter: ReturnType<typeof wait> | null = null;
  const wait = () => db.tx((tx) => lockHeartbeat(tx));
  await db.tx(async (tx) => {
    await lockHeartbeat(tx);
    waiter = wait();
    await untilLocked(db.read);
    noted = (await tx.query<{ now: Instant }>(nowStatement))[0]!.now;
    moveHeartbeat(tx, noted);
  });
  const { seenAt, now } = await waiter!;
  expect(seenAt).toBe(noted);
  expect(now).toBeGreaterThanOrEqual(seenAt);
});
