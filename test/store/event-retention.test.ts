import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { dueForRetention, forgetEvents } from "../../src/store/event-retention.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { dropChecks, insertRows } from "../support/fillers.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropChecks(database.db);
});
beforeEach(() => database.db.script("DELETE FROM events", "DELETE FROM webhook_deliveries"));
afterAll(() => database.drop());

const event = (id: string, resource_id: string, sequence: number, dispatch_at: string | null = null) => ({
  organization_id: "a",
  id,
  resource_id,
  sequence,
  dispatch_at,
});
const deliver = (event_id: string) =>
  insertRows(database.db, "webhook_deliveries", [{ organization_id: "a", id: event_id, event_id }]);
const forgetBefore = (before: string) =>
  database.db.tx((tx) => forgetEvents(tx, "a", { after: "", before, limit: 100 }));
const keptStatement = sql("test.kept_events", "SELECT id FROM events ORDER BY id");
const kept = async () => (await database.db.read.query<{ id: string }>(keptStatement)).map(({ id }) => id);

// The clocks of two processes differ, so the second event of `x` has an earlier id than the first one.
const CROSSED = [event("1", "y", 1), event("2", "x", 2), event("3", "y", 2), event("4", "x", 1)];

test("an earlier number of a resource goes with a later one, also with a later id", async () => {
  await insertRows(database.db, "events", CROSSED);
  expect(await forgetBefore("3")).toEqual({ last: "2", free: 2, forgotten: 3 });
  expect(await kept()).toEqual(["3"]);
});

test.each(["3", "5"])("an earlier number with a delivery keeps the later ones, of events before %s", async (before) => {
  await insertRows(database.db, "events", CROSSED);
  await deliver("4");
  expect(await forgetBefore(before)).toEqual({ last: "1", free: 1, forgotten: 1 });
  expect(await kept()).toEqual(["2", "3", "4"]);
});

test("an earlier number that waits to be spread keeps the later ones", async () => {
  await insertRows(database.db, "events", [...CROSSED.slice(0, 3), event("4", "x", 1, "2025-06-01T00:00:00Z")]);
  expect(await forgetBefore("3")).toEqual({ last: "1", free: 1, forgotten: 1 });
  expect(await kept()).toEqual(["2", "3", "4"]);
});

test("a later number with a delivery keeps no earlier one", async () => {
  await insertRows(database.db, "events", [event("1", "x", 1), event("2", "x", 2), event("3", "y", 1)]);
  await deliver("2");
  expect(await forgetBefore("9")).toEqual({ last: "1", free: 1, forgotten: 1 });
  expect(await kept()).toEqual(["2", "3"]);
});

test("the Organizations that wait longest are looked at first, without those that failed", async () => {
  const waiting = ["c", "a", "b"].map((organization_id, n) => ({
    organization_id,
    delete_at: `2025-06-0${n + 1}T00:00:00Z`,
  }));
  await insertRows(database.db, "metric_progress", [
    ...waiting,
    { organization_id: "d", delete_at: "2999-01-01T00:00:00Z" },
  ]);
  expect(await dueForRetention(database.db.read, [], 2)).toEqual(["c", "a"]);
  expect(await dueForRetention(database.db.read, ["c"], 9)).toEqual(["a", "b"]);
});
