import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openKey, openField } from "../../src/actions/payment/encrypted-fields.ts";
import { SEALED_FIELDS, type ProviderConnection } from "../../src/domain/model/provider-connection.ts";
import { createKeyring } from "../../src/keyring.ts";
import { sql } from "../../src/store/driver/db.ts";
import { everyConnection, findConnection } from "../../src/store/provider-connections.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { connect } from "../support/connections.ts";
import { untilLocked } from "../support/locks.ts";

const OLDER = "older secret of 32 characters ...";
const OLD = "old secret of 32 characters .....";
const NEW = "new secret of 32 characters .....";

let workspace: Workspace;
let app: TestApp;
beforeAll(async () => {
  workspace = await createWorkspace();
  app = await startTestApp();
});
const clearStatement = sql(
  "test.clear_connections",
  "WITH imports AS (DELETE FROM provider_book_imports) DELETE FROM provider_connections",
);
afterEach(() => app.ctx.db.tx(async (tx) => tx.send(clearStatement, [])));
afterAll(async () => {
  await app.close();
  await workspace.clear();
});

const environment = (previous = "") => ({
  DATABASE_URL: app.ctx.config.databaseUrl!,
  BILLOW_SECRET: NEW,
  BILLOW_SECRET_PREVIOUS: previous,
});
const rotate = async (previous: string, ...more: string[]) =>
  workspace.run(["secret", "rotate", ...more], environment(previous));
const at = (account: string, organizationId = app.organization.id) => ({
  organizationId,
  provider: "stripe",
  providerAccount: account,
});
const read = async (account: string) => (await findConnection(app.ctx.db.read, at(account)))!;
const keyUnder = (secret: string, connection: ProviderConnection) =>
  openKey({ keyring: createKeyring(secret), config: app.ctx.config }, connection);

test("re-encrypts the values of previous secrets, of every Organization, and leaves the others", async () => {
  const { organization: other } = await app.otherOrganization({ mode: "live" });
  const organizationId = app.organization.id;
  await connect(
    app.ctx.db,
    { organizationId, account: "acct_1", secret: OLD, key: "rk_1", webhookSecret: "whsec_1" },
    { organizationId: other.id, account: "acct_1", secret: OLDER, key: "rk_2" },
    { organizationId, account: "acct_2", secret: NEW, key: "rk_3" },
    { organizationId, account: "acct_3", secret: OLD, more: { keyVariable: "BILLOW_PAYMENTS_STRIPE" } },
  );
  const untouched = [await read("acct_2"), await read("acct_3")];

  expect(await rotate(`${OLD},${OLDER}`)).toEqual({
    code: 0,
    stdout: "3 values re-encrypted under BILLOW_SECRET, 1 there before. 0 values remain under others.\n",
    stderr: "",
  });
  const first = await read("acct_1");
  const keyring = createKeyring(NEW);
  expect(keyUnder(NEW, first)).toEqual({ value: "rk_1" });
  expect(openField({ keyring }, first, "webhookSecretSealed")).toEqual({ value: "whsec_1" });
  const second = (await findConnection(app.ctx.db.read, at("acct_1", other.id)))!;
  expect(keyUnder(NEW, second)).toEqual({ value: "rk_2" });
  expect([await read("acct_2"), await read("acct_3")]).toEqual(untouched);

  const again = await rotate("", "--json");
  expect(JSON.parse(again.stdout)).toEqual({ reencrypted: 0, kept: 4, remaining: 0, unopened: [] });
  expect(await read("acct_1")).toEqual(first);
});

test("exit code 1 and the accounts where no given secret opens a value, or where a value was changed", async () => {
  const organizationId = app.organization.id;
  await connect(
    app.ctx.db,
    { organizationId, account: "acct_1", secret: OLDER, key: "rk_1" },
    { organizationId, account: "acct_2", secret: OLD, key: "rk_2" },
    { organizationId, account: "acct_3", secret: OLD, key: "rk_3" },
  );
  // A value that was copied from another row.
  const moved = { ...(await read("acct_2")), providerAccount: "acct_3" };
  await connect(app.ctx.db, { organizationId, account: "acct_3", secret: OLD, more: { keySealed: moved.keySealed } });

  const { code, stdout } = await rotate(OLD);
  expect(code).toBe(1);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    `${organizationId}  stripe acct_1  keySealed: no given secret opens the value`,
    `${organizationId}  stripe acct_3  keySealed: the value was changed in the database`,
    "1 value re-encrypted under BILLOW_SECRET, 0 there before. 2 values remain under others.",
  ]);
  expect(keyUnder(OLDER, await read("acct_1"))).toEqual({ value: "rk_1" });
  expect(keyUnder(NEW, await read("acct_2"))).toEqual({ value: "rk_2" });
  expect(await read("acct_3")).toMatchObject({ keySealed: moved.keySealed });
});

test("goes on after a kill in the middle", async () => {
  const organizationId = app.organization.id;
  const accounts = Array.from({ length: 250 }, (_, n) => `acct_${String(n).padStart(3, "0")}`);
  await connect(
    app.ctx.db,
    ...accounts.map((account) => ({ organizationId, account, secret: OLD, key: `rk_${account}` })),
  );
  const rotated = async () => {
    let count = 0;
    for await (const connection of everyConnection(app.ctx.db.read))
      if ("value" in keyUnder(NEW, connection)) count += 1;
    return count;
  };
  const lockStatement = sql(
    "test.lock_connection",
    "SELECT 1 FROM provider_connections WHERE organization_id = $1 AND provider_account = $2 FOR UPDATE",
  );
  await app.ctx.db.tx(async (tx) => {
    await tx.query(lockStatement, [organizationId, "acct_150"]);
    const running = workspace.begin(["secret", "rotate"], environment(OLD));
    await untilLocked(app.ctx.db.read);
    running.signal("SIGKILL");
    await running.finished;
  });
  expect(await rotated()).toBe(150);
  expect(JSON.parse((await rotate(OLD, "--json")).stdout)).toMatchObject({ reencrypted: 100, kept: 150, remaining: 0 });
  expect(await rotated()).toBe(250);
});

test("every column with encrypted values is a field that the rotation knows", async () => {
  const columns = sql(
    "test.sealed_columns",
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%sealed%' ORDER BY 1`,
  );
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const known = Object.keys(SEALED_FIELDS).map((field) => `provider_connections.${snake(field)}`);
  const found = await app.ctx.db.read.query<{ name: string }>(columns);
  // `rotateFactors` knows the second factors.
  expect(found.map(({ name }) => name)).toEqual([...known, "users.totp_sealed"].sort());
});
