import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { CHECK_NAMES, type Check, type CheckName } from "../../src/actions/doctor/check.ts";
import type { Organization } from "../../src/domain/model/organization.ts";
import { sql } from "../../src/store/driver/db.ts";
import { createInstalledWorkspace, type Workspace } from "../support/command-line.ts";
import { connect } from "../support/connections.ts";
import {
  administer,
  createEmptyDatabase,
  createFrom,
  createTestDatabase,
  type TestDatabase,
} from "../support/database.ts";
import { startOpenIdProvider } from "../support/open-id-provider.ts";
import { startMailServer } from "../support/mail-server.ts";

const SECRET = "s".repeat(32);
const OLD = "old secret of 32 characters .....";

let workspace: Workspace;
beforeAll(async () => void (workspace = await createInstalledWorkspace()));
afterAll(() => workspace.clear());

type Report = { ok: boolean; faults: number; warnings: number; checks: Check[] };

async function examine(environment: Record<string, string>): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await workspace.run(["doctor", "--json"], { BILLOW_SECRET: SECRET, ...environment });
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as Report) };
}
const of = ({ checks }: Report, name: CheckName) => checks.filter((each) => each.name === name);
const troubles = ({ checks }: Report) => checks.filter(({ status }) => status !== "ok").map(({ name }) => name);

/** A database of its own, changed by the given statements of an administrator. */
async function databaseWith(...texts: string[]): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.db.script(...texts);
  return database;
}

async function organizationIn({ db }: TestDatabase, mode: Organization["mode"], name = "Acme"): Promise<Organization> {
  return (await db.tx((tx) => createOrganizationWithKeys(tx, { name, mode }))).organization;
}

test("exit code 0 without a server, on the embedded database of its directory", async () => {
  expect((await workspace.run(["migrate"])).code).toBe(0);
  const { code, stdout } = await workspace.run(["doctor"]);
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/^status +check +result$/);
  expect(lines[1]).toMatch(/^ok +database +PostgreSQL \d+\.\d+ answers$/);
  expect(lines.slice(1, -2).map((line) => line.split(/ +/)[1])).toEqual(CHECK_NAMES);
  expect(stdout).toContain("0 sandboxes use the built-in provider");
  expect(stdout).toContain("SMTP_URL is not set, so e-mails are only kept");
  expect(lines.at(-2)).toBe("0 faults, 0 warnings.");
});

test("a wrong setting is one line on stderr, as of each command", async () => {
  expect(await workspace.run(["doctor"], { SMTP_URL: "http://" })).toEqual({
    code: 1,
    stdout: "",
    stderr: "billow: SMTP_URL must be an smtp:// or smtps:// address.\n",
  });
});

describe("the database", () => {
  test("that does not answer is a fault, and the other checks go on", async () => {
    const report = await examine({ DATABASE_URL: "postgres://127.0.0.1:1/billow" });
    expect(report).toMatchObject({ code: 1, ok: false, faults: 1 });
    expect(of(report, "database")).toMatchObject([
      {
        status: "fault",
        says: "the database billow at 127.0.0.1:1 can't be reached: no server listens there",
        advice: "Check DATABASE_URL and the server.",
      },
    ]);
    expect(report.checks.map(({ name }) => name)).toEqual(CHECK_NAMES);
    for (const name of ["migrations", "writes", "clock", "provider", "webhook_secret", "secrets", "tax_ids"] as const)
      expect(of(report, name)).toMatchObject([{ status: "skipped", advice: null }]);
    for (const name of ["disk", "smtp", "open_id", "public_origin"] as const)
      expect(of(report, name)).toMatchObject([{ status: "ok" }]);
  });

  test("that does not answer is one line with the reason, one with the remedy, and exit code 1", async () => {
    const environment = { BILLOW_SECRET: SECRET, DATABASE_URL: "postgres://ada:letmein@nowhere.invalid/billow" };
    const { code, stdout, stderr } = await workspace.run(["doctor"], environment);
    expect([code, stderr]).toEqual([1, ""]);
    const [, ...lines] = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /^fault +database +the database billow at nowhere\.invalid:5432 can't be reached: the host name [a-z' ]+$/,
    );
    expect(lines[1]).toMatch(/^ +→ Check DATABASE_URL and the server\.$/);
    expect(lines.slice(2, -1).filter((line) => line.startsWith("fault"))).toEqual([]);
    expect(lines.at(-1)).toBe("1 fault, 0 warnings.");
    expect(stdout).not.toContain("letmein");
  });

  test("that an unknown user opens is a fault that does not show the password", async () => {
    const { url } = await databaseWith();
    const wrong = new URL(url);
    wrong.username = "stranger";
    wrong.password = "letmein";
    const report = await examine({ DATABASE_URL: wrong.href });
    expect(of(report, "database")).toMatchObject([{ status: "fault", says: expect.stringContaining("stranger") }]);
    expect(JSON.stringify(report)).not.toContain("letmein");
  });

  test("without a table has all migrations before it", async () => {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    const report = await examine({ DATABASE_URL: url });
    expect(report).toMatchObject({ code: 1, faults: 1 });
    expect(of(report, "migrations")).toMatchObject([
      { status: "fault", says: expect.stringMatching(/^0001-billing\.sql and \d+ others are not applied$/) },
    ]);
    expect(of(report, "writes")).toMatchObject([{ status: "skipped" }]);
    expect(of(report, "tax_ids")).toMatchObject([{ status: "skipped" }]);
  });

  test.each<[string, string, string, number, RegExp]>([
    // the state, the statement that makes it, the status, the exit code, the words
    [
      "lags behind",
      "DELETE FROM schema_migrations WHERE name >= '0037'",
      "fault",
      1,
      /^0037-provider-connections\.sql .*not applied$/,
    ],
    [
      "has an edited migration",
      "UPDATE schema_migrations SET checksum = 'x' WHERE name = '0001-billing.sql'",
      "fault",
      1,
      /^0001-billing\.sql was edited/,
    ],
    [
      "is of a later version",
      "INSERT INTO schema_migrations VALUES ('9999-later.sql', 'x', now())",
      "warning",
      0,
      /^9999-later\.sql was applied by another version/,
    ],
  ])("that %s", async (_state, statement, status, code, says) => {
    const { url } = await databaseWith(statement);
    const report = await examine({ DATABASE_URL: url });
    expect(of(report, "migrations")).toMatchObject([
      { status, says: expect.stringMatching(says), advice: expect.any(String) },
    ]);
    expect(report.code).toBe(code);
  });

  test("that takes no writes is a fault", async () => {
    const database = await databaseWith();
    const { database: name } = database.connection;
    await database.db.script(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const report = await examine({ DATABASE_URL: database.url });
    expect(troubles(report)).toEqual(["database", "writes"]);
    expect(of(report, "database")).toMatchObject([{ status: "fault", says: expect.stringContaining("no writes") }]);
    expect(of(report, "writes")).toMatchObject([{ status: "fault", says: expect.stringContaining("read-only") }]);
  });

  test.each([
    ["+ interval '1 hour'", "fault", /^the clock of the database is (3600|3599) s ahead of this machine$/],
    ["- interval '30 seconds'", "warning", /^the clock of the database is (30|29) s behind this machine$/],
  ])("with a clock that says now %s", async (shift, status, says) => {
    const database = await databaseWith(
      `CREATE FUNCTION public.statement_timestamp() RETURNS timestamptz STABLE LANGUAGE sql
         AS 'SELECT pg_catalog.statement_timestamp() ${shift.replaceAll("'", "''")}'`,
    );
    // A function of this schema comes before PostgreSQL's own function, which is a fault of its own.
    await database.db.script(`ALTER DATABASE ${database.connection.database} SET search_path = public, pg_catalog`);
    const report = await examine({ DATABASE_URL: database.url });
    expect(of(report, "clock")).toMatchObject([
      { status, says: expect.stringMatching(says), advice: expect.stringContaining("NTP") },
    ]);
    expect(of(report, "database")).toMatchObject([{ status: "fault", says: expect.stringContaining("pg_catalog") }]);
  });
});

test("a copy of the installation's database is a fault", async () => {
  const source = await createTestDatabase();
  await source.db.end();
  expect((await workspace.run(["adopt"], { BILLOW_SECRET: SECRET, DATABASE_URL: source.url })).code).toBe(0);
  const copied = await createFrom(inject("template"), source.connection.database);
  onTestFinished(async () => {
    await copied.drop();
    await administer(source.connection, `DROP DATABASE ${source.connection.database}`);
  });
  expect(of(await examine({ DATABASE_URL: source.url }), "copy")).toMatchObject([{ status: "ok" }]);
  const report = await examine({ DATABASE_URL: copied.url });
  expect(troubles(report)).toEqual(["copy"]);
  expect(of(report, "copy")).toMatchObject([
    {
      status: "fault",
      says: expect.stringContaining("is a copy"),
      advice: expect.stringContaining("node bin/billow.mjs adopt"),
    },
  ]);
  expect(report.code).toBe(1);
});

describe("the data directory", () => {
  test("that is a file is a fault", async () => {
    const file = join(workspace.directory, "file");
    await writeFile(file, "");
    const report = await examine({ DATABASE_URL: "postgres://127.0.0.1:1/billow", BILLOW_DATA_DIR: file });
    expect(of(report, "disk")).toMatchObject([
      {
        status: "fault",
        says: expect.stringContaining("is no directory"),
        advice: expect.stringContaining("BILLOW_DATA_DIR"),
      },
    ]);
  });

  test("below a directory that does not exist yet is on the disk of the directory above", async () => {
    const report = await examine({
      DATABASE_URL: "postgres://127.0.0.1:1/billow",
      BILLOW_DATA_DIR: join(workspace.directory, "later/billow"),
    });
    expect(of(report, "disk")).toMatchObject([{ status: "ok", says: expect.stringContaining("later/billow") }]);
  });

  // Only Linux has a file system that is always full.
  test.each(existsSync("/proc/self/statm") ? ["/proc"] : [])(
    "on a disk without space is a fault",
    async (directory) => {
      const report = await examine({ DATABASE_URL: "postgres://127.0.0.1:1/billow", BILLOW_DATA_DIR: directory });
      expect(of(report, "disk")).toMatchObject([{ status: "fault", says: "0 MB free for /proc" }]);
    },
  );
});

describe("the mail server", () => {
  const DATABASE_URL = "postgres://127.0.0.1:1/billow";
  const askMail = async (url: string) => of(await examine({ DATABASE_URL, SMTP_URL: url }), "smtp")[0]!;

  test("is ready, refuses the login, or is gone", async () => {
    const server = await startMailServer();
    const { host } = new URL(server.url);
    server.knows = (user) => user === "billow";
    expect(await askMail(`smtp://billow:right@${host}`)).toMatchObject({
      status: "ok",
      says: `${host} is ready for e-mails`,
    });
    expect(server.logins).toHaveLength(1);
    const refused = await askMail(`smtp://stranger:letmein@${host}`);
    expect(refused).toMatchObject({ status: "fault", advice: expect.stringMatching(/^Correct user and password/) });
    expect(JSON.stringify(refused)).not.toContain("letmein");
    expect([server.asked, server.received]).toEqual([[], []]);
    await server.close();
    expect(await askMail(`smtp://billow:right@${host}`)).toMatchObject({
      status: "fault",
      says: expect.stringContaining("ECONNREFUSED"),
      advice: expect.stringContaining("firewall"),
    });
  });
});

test("the OpenID provider is one, is not the issuer, or is gone", async () => {
  const provider = await startOpenIdProvider();
  const { issuer } = provider.settings;
  const ask = async (at: string) => {
    const client = { OIDC_ISSUER: at, OIDC_CLIENT_ID: "billow", OIDC_CLIENT_SECRET: "hidden secret" };
    return of(await examine({ DATABASE_URL: "postgres://127.0.0.1:1/billow", ...client }), "open_id")[0]!;
  };
  expect(await ask(issuer)).toMatchObject({ status: "ok", says: expect.stringContaining(new URL(issuer).host) });
  const other = await ask(issuer.replace("127.0.0.1", "localhost"));
  expect(other).toMatchObject({ status: "fault", says: expect.stringContaining("issuer"), advice: expect.any(String) });
  expect(JSON.stringify(other)).not.toContain("hidden secret");
  await provider.close();
  expect(await ask(issuer)).toMatchObject({ status: "fault", says: expect.stringContaining("ECONNREFUSED") });
});

describe("a live Organization", () => {
  test("needs https, and lacks e-mail and a provider", async () => {
    const database = await databaseWith();
    const { id } = await organizationIn(database, "live");
    await organizationIn(database, "sandbox", "Trial");
    const ask = (publicOrigin: string) => examine({ DATABASE_URL: database.url, PUBLIC_ORIGIN: publicOrigin });
    const plain = await ask("http://billing.example.com");
    expect(plain).toMatchObject({ code: 1, faults: 1, warnings: 2 });
    expect(of(plain, "public_origin")).toMatchObject([{ status: "fault", says: expect.stringContaining("not https") }]);
    expect(of(await ask("https://localhost:4000"), "public_origin")).toMatchObject([{ status: "fault" }]);
    const served = await ask("https://billing.example.com");
    expect(served).toMatchObject({ code: 0, ok: true, faults: 0, warnings: 2 });
    expect(of(served, "smtp")).toMatchObject([{ status: "warning" }]);
    expect(of(served, "provider")).toMatchObject([
      { status: "warning", says: `Acme (${id}) is live and has no payment provider` },
      { status: "ok", says: "1 sandbox uses the built-in provider" },
    ]);
  });
});

describe("a connected account", () => {
  test("whose key can't be read, or without an adapter, is a fault", async () => {
    const database = await databaseWith();
    const { id: organizationId } = await organizationIn(database, "sandbox");
    const variable = { keyVariable: "BILLOW_PAYMENTS_STRIPE" };
    await connect(
      database.db,
      { organizationId, provider: "other", account: "acct_1", secret: OLD, key: "rk_1", webhookSecret: "whsec_1" },
      { organizationId, provider: "other", account: "acct_2", secret: SECRET, more: variable },
      {
        organizationId,
        provider: "other",
        account: "acct_3",
        secret: OLD,
        key: "rk_3",
        more: { disconnectedAt: null },
      },
    );
    const report = await examine({ DATABASE_URL: database.url });
    const subject = `Acme (${organizationId}): other`;
    expect(of(report, "provider")).toMatchObject([
      { status: "fault", says: `${subject} acct_1: the key is under a secret that is not given` },
      { status: "fault", says: `${subject} acct_2: the key is in BILLOW_PAYMENTS_STRIPE, which is not set` },
      { status: "fault", says: `${subject} acct_3: the key is under a secret that is not given` },
      { status: "ok", says: "1 sandbox uses the built-in provider" },
    ]);
    expect(of(report, "webhook_secret")).toMatchObject([
      { status: "fault", says: `${subject} acct_1: the webhook secret is under a secret that is not given` },
      { status: "ok", says: `${subject} acct_2: notices are off, polling is used` },
      { status: "ok", says: `${subject} acct_3: notices are off, polling is used` },
    ]);
    expect(of(report, "secrets")).toMatchObject([
      { status: "fault", says: "3 stored values are under a secret that is not given" },
    ]);

    const given = await examine({
      DATABASE_URL: database.url,
      BILLOW_SECRET_PREVIOUS: OLD,
      BILLOW_PAYMENTS_STRIPE: "rk_2",
    });
    expect(of(given, "provider").slice(0, 3)).toMatchObject(
      ["acct_1", "acct_2", "acct_3"].map((account) => ({
        status: "fault",
        says: `${subject} ${account}: there is no adapter for other`,
        advice: "Start a version of Billow with this adapter.",
      })),
    );
    expect(of(given, "webhook_secret")[0]).toMatchObject({ status: "ok", says: expect.stringContaining("verified") });
    expect(of(given, "secrets")).toMatchObject([
      {
        status: "warning",
        says: "3 stored values are under a previous secret",
        advice: "Run node bin/billow.mjs secret rotate.",
      },
    ]);

    const settings = { DATABASE_URL: database.url, BILLOW_SECRET: SECRET, BILLOW_SECRET_PREVIOUS: OLD };
    expect((await workspace.run(["secret", "rotate"], settings)).code).toBe(0);
    expect(of(await examine({ DATABASE_URL: database.url }), "secrets")).toMatchObject([
      { status: "ok", says: "3 stored values are under BILLOW_SECRET" },
    ]);
  });

  test("that takes an Organization's payments and is not connected any more is a fault", async () => {
    const database = await databaseWith();
    const { id: organizationId } = await organizationIn(database, "live");
    const gone = { organizationId, account: "acct_1", secret: SECRET, key: "rk_1" };
    const [{ createdAt: disconnectedAt }] = [await organizationIn(database, "sandbox", "Trial")];
    await connect(database.db, { ...gone, more: { disconnectedAt } });
    const choose = sql(
      "test.choose_provider",
      "UPDATE organizations SET provider = $2, provider_account = $3 WHERE id = $1",
    );
    await database.db.tx((tx) => tx.query(choose, [organizationId, "stripe", "acct_1"]));
    expect(of(await examine({ DATABASE_URL: database.url }), "provider")[0]).toMatchObject({
      status: "fault",
      says: `Acme (${organizationId}) takes payments at stripe acct_1, which is not connected`,
    });
  });
});

test("stored tax ids that fail their check are a warning", async () => {
  const database = await databaseWith();
  const { id } = await organizationIn(database, "sandbox");
  const taxId = sql("test.doctor_tax_id", "UPDATE organizations SET tax_id = $2 WHERE id = $1");
  await database.db.tx((tx) => tx.query(taxId, [id, JSON.stringify({ type: "eu_vat", value: "DE1" })]));
  const report = await examine({ DATABASE_URL: database.url });
  expect(report.code).toBe(0);
  expect(of(report, "tax_ids")).toMatchObject([
    {
      status: "warning",
      says: "1 stored tax id fails its check",
      advice: expect.stringContaining("node bin/billow.mjs tax-ids"),
    },
  ]);
});
