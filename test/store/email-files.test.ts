import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { claimNextFile } from "../../src/actions/email/file-email.ts";
import { sql } from "../../src/store/driver/db.ts";
import { returnFile } from "../../src/store/email-files.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { dropChecks, insertRows } from "../support/fillers.ts";

// Messages of all Organizations wait to be written to files. A look finds the newest one without a lock, and a claim by
// its key follows (decision 0107).

const MINUTE = 60_000;
const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
const waiting = (organization_id: string, id: string, minutes: number) => ({
  organization_id,
  id,
  status: "kept",
  html: "<html>",
  queued_at: at(minutes),
  file_at: at(minutes),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropChecks(database.db);
});
beforeEach(() => database.db.script("TRUNCATE emails CASCADE"));
afterAll(() => database.drop());

const claim = () => claimNextFile(database);
const markedStatement = sql("test.marked_files", "SELECT id FROM emails WHERE file_at IS NOT NULL ORDER BY id");
const marked = async () => (await database.db.read.query<{ id: string }>(markedStatement)).map(({ id }) => id);

test("the newest message of all Organizations comes first", async () => {
  await insertRows(database.db, "emails", [waiting("a", "a1", -3), waiting("b", "b1", -1), waiting("a", "a2", -2)]);
  const ids = [await claim(), await claim(), await claim(), await claim()].map((each) => each?.id ?? null);
  expect(ids).toEqual(["b1", "a2", "a1", null]);
});

test("processes that claim at the same time get different messages", async () => {
  const rows = Array.from({ length: 8 }, (_, n) => waiting(`org${n % 3}`, `e${n}`, -1 - n / 60));
  await insertRows(database.db, "emails", rows);
  const claimed = await Promise.all(rows.map(claim));
  expect(claimed.map((each) => each?.id).toSorted()).toEqual(rows.map(({ id }) => id));
  expect(await marked()).toEqual([]);
});

test("messages that have waited too long lose their mark, in every Organization", async () => {
  await insertRows(database.db, "emails", [
    ...["a", "b", "c"].map((id) => waiting(id, `${id}-late`, -11)),
    waiting("b", "b-old", -9),
    waiting("a", "a-new", -1),
  ]);
  expect((await claim())?.id).toBe("a-new");
  expect(await marked()).toEqual(["b-old"]);
});

test("if all messages are late, none is claimed and none waits any longer", async () => {
  await insertRows(database.db, "emails", [waiting("a", "a1", -11), waiting("b", "b1", -12)]);
  expect(await claim()).toBeNull();
  expect(await marked()).toEqual([]);
});

test("a message that is put back waits behind the others", async () => {
  await insertRows(database.db, "emails", [waiting("a", "a1", -1), waiting("b", "b1", -1 - 10 / 60)]);
  const first = (await claim())!;
  await database.db.tx((tx) => returnFile(tx, first));
  const [second, third] = [await claim(), await claim()];
  expect([first.id, second?.id, third?.id]).toEqual(["a1", "b1", "a1"]);
});
