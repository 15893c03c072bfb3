import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { parseInstant } from "../../src/domain/calendar.ts";
import type { Event } from "../../src/domain/event.ts";
import { newId } from "../../src/ids.ts";
import { sql } from "../../src/store/driver/db.ts";
import { events, listEvents } from "../../src/store/events.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const eventOf = (organizationId: string): Event => ({
  organizationId,
  id: newId("evt"),
  type: "customer.created",
  resourceId: newId("cus"),
  sequence: 1,
  data: {},
  createdAt: parseInstant("2026-05-01T00:00:00Z")!,
});
const countStatement = sql("test.events_organizations", "SELECT count(*) AS n FROM organizations");
const organizations = async () => (await database.db.read.query<{ n: number }>(countStatement))[0]!.n;

// The first runs of a statement have a plan for their values, the later ones one plan for all values.
const RUNS = 8;

test("an event of an Organization is recorded", async () => {
  const { db } = database;
  const { organization } = await db.tx((tx) => createOrganizationWithKeys(tx, { name: "Test", mode: "sandbox" }));
  for (let n = 0; n < RUNS; n++) await db.tx(async (tx) => events.insert(tx, eventOf(organization.id)));
  expect(await listEvents(db.read, organization.id, { limit: 100 })).toHaveLength(RUNS);
});

test("an event of an unknown Organization fails its transaction, and does not vanish", async () => {
  const { db } = database;
  const [before, unknown] = [await organizations(), newId("org")];
  for (let n = 0; n < RUNS; n++) {
    const made = db.tx(async (tx) => {
      await createOrganizationWithKeys(tx, { name: "Other", mode: "sandbox" });
      events.insert(tx, eventOf(unknown));
    });
    await expect(made).rejects.toThrow(`no Organization ${unknown}`);
  }
  expect(await organizations()).toBe(before);
});
