import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isCopy } from "../../src/actions/installation.ts";
import { sql, type Tx } from "../../src/store/driver/db.ts";
import { findInstallation, readFingerprint, type Fingerprint } from "../../src/store/installation.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestApp, type TestApp } from "../support/app.ts";

const roleStatement = sql("test.installation_role", "SELECT set_config('role', $1, true)");
const storeStatement = sql(
  "test.installation_store",
  "UPDATE installation SET system_identifier = $1, database_oid = $2",
);

let app: TestApp;
let database: TestDatabase;
beforeAll(async () => {
  app = await startTestApp();
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await app.close();
});

test("an ordinary role reads the whole fingerprint, unless the server forbids the call", async () => {
  const { db } = database;
  const role = `ordinary_${randomBytes(4).toString("hex")}`;
  const asRole = () =>
    db.tx(async (tx: Tx) => {
      await tx.query(roleStatement, [role]);
      return readFingerprint(tx);
    });
  await db.script(`CREATE ROLE ${role}`);
  try {
    const whole = await readFingerprint(db.read);
    expect(whole).toEqual({
      systemIdentifier: expect.stringMatching(/^\d{10,}$/),
      databaseOid: expect.stringMatching(/^\d+$/),
    });
    expect(await asRole()).toEqual(whole);
    await db.script("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    expect(await asRole()).toEqual({ ...whole, systemIdentifier: null });
  } finally {
    await db.script(`DROP ROLE ${role}`);
  }
});

test("a database is a copy if any part of its fingerprint differs from the stored one", async () => {
  const { ctx } = app;
  const found = await readFingerprint(ctx.db.read);
  // The first look of an installation makes the row.
  const looks = async () => isCopy({ db: ctx.db, log: ctx.log, installation: { isCopy: null, lookedAt: 0 } });
  expect([await looks(), (await findInstallation(ctx.db.read))!.id]).toEqual([false, expect.stringMatching(/^ins_/)]);
  const store = ({ systemIdentifier, databaseOid }: Fingerprint) =>
    ctx.db.tx((tx) => tx.query(storeStatement, [systemIdentifier, databaseOid]));
  const outcomes: boolean[] = [];
  for (const stored of [
    { ...found, databaseOid: "1" },
    { ...found, systemIdentifier: "7000000000000000000" },
    // The identifier could not be read then, so the cluster may have been another one.
    { ...found, systemIdentifier: null },
    found,
  ]) {
    await store(stored);
    outcomes.push(await looks());
  }
  expect(outcomes).toEqual([true, true, true, false]);
});
