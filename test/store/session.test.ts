import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { formatInstant, parseInstant } from "../../src/domain/calendar.ts";
import { openDatabase, sql, type Database, type Queryable } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { createWorkspace } from "../support/command-line.ts";
import { administer, createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { findServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";

let database: TestDatabase;
beforeEach(async () => void (database = await createEmptyDatabase()));
afterEach(() => database.drop());

/** A setting of the database, as an operator or a tool may leave it. */
const set = (name: string, value: string) =>
  administer(database.connection, `ALTER DATABASE ${database.connection.database} SET ${name} = '${value}'`);

function open(): Database {
  const db = openDatabase(database.connection, { transactions: 1, reads: 1 });
  onTestFinished(() => db.end());
  return db;
}

const settingStatement = sql("test.session_setting", "SELECT current_setting($1) AS value");
const setting = async (db: Queryable, name: string) =>
  (await db.query<{ value: string }>(settingStatement, [name]))[0]!.value;

describe("a setting that the database brings does not get through:", () => {
  const SETTINGS: [name: string, brought: string, held: string][] = [
    ["TimeZone", "Asia/Kathmandu", "UTC"],
    ["DateStyle", "SQL, DMY", "ISO, MDY"],
    ["IntervalStyle", "sql_standard", "postgres"],
    ["bytea_output", "escape", "hex"],
    ["extra_float_digits", "-10", "1"],
    ["array_nulls", "off", "on"],
    ["transform_null_equals", "on", "off"],
    ["default_transaction_isolation", "serializable", "read committed"],
    ["default_transaction_deferrable", "on", "off"],
    ["row_security", "on", "off"],
    ["gin_fuzzy_search_limit", "1", "0"],
    ["jit", "on", "off"],
    ["enable_indexscan", "off", "on"],
    ["enable_bitmapscan", "off", "on"],
    ["enable_nestloop", "off", "on"],
    ["statement_timeout", "1min", "30s"],
    ["lock_timeout", "1min", "10s"],
    ["idle_in_transaction_session_timeout", "1min", "20s"],
    ["idle_session_timeout", "1h", "0"],
    ["exit_on_error", "on", "off"],
    ["client_min_messages", "debug5", "warning"],
    ["synchronous_commit", "off", "on"],
    ["synchronous_commit", "local", "on"],
  ];
  test.each(SETTINGS)("%s = %s", async (name, brought, held) => {
    await set(name, brought);
    const db = open();
    expect([await setting(db.read, name), await db.tx((tx) => setting(tx, name))]).toEqual([held, held]);
  });

  test.each(["remote_write", "on", "remote_apply"])("but synchronous_commit = %s waits for enough", async (level) => {
    await set("synchronous_commit", level);
    expect(await setting(open().read, "synchronous_commit")).toBe(level);
  });

  test("so instants and arrays come back as they were", async () => {
    for (const [name, brought] of SETTINGS) await set(name, brought);
    const at = formatInstant(parseInstant("2026-03-29T01:30:00.123Z")!);
    const echo = sql("test.session_echo", "SELECT $1::timestamptz AS at, $2::text[] AS list, $3::bigint = 1 AS found");
    const [row] = await open().read.query(echo, [at, ["a", null, "NULL"], 1]);
    expect(row).toEqual({ at: parseInstant(at), list: ["a", null, "NULL"], found: true });
  });
});

/** These settings may differ: they change neither the meaning of our statements nor their rows. */
const LEFT = [
  "check_function_bodies",
  // The driver sends it.
  "client_encoding",
  "createrole_self_grant",
  "default_table_access_method",
  "default_tablespace",
  "default_text_search_config",
  "default_toast_compression",
  // A server may stop all writes in this way. Billow says so, and does not write all the same.
  "default_transaction_read_only",
  "event_triggers",
  "gin_pending_list_limit",
  "icu_validation_level",
  // Our formats use neither words nor signs of a language.
  "lc_monetary",
  "lc_numeric",
  "lc_time",
  "restrict_nonsystem_relation_kind",
  "search_path",
  "temp_tablespaces",
  "timezone_abbreviations",
  // Properties of one transaction.
  "transaction_deferrable",
  "transaction_isolation",
  "transaction_read_only",
  "xmlbinary",
  "xmloption",
  "backslash_quote",
  "escape_string_warning",
  "quote_all_identifiers",
  "synchronize_seqscans",
];

test("each setting that may change a meaning is ours, or left for a reason", async () => {
  const statement = sql(
    "test.session_settings",
    `SELECT name FROM pg_settings WHERE context = 'user' AND name !~ '^vacuum_' AND source <> 'session'
       AND (category ~ '^Client Connection Defaults / (Locale|Other|Statement)' OR category ~ '^Version and Platform')`,
  );
  const found = (await open().read.query<{ name: string }>(statement)).map(({ name }) => name);
  expect(found.filter((name) => !LEFT.includes(name))).toEqual([]);
});

describe("a database that Billow can't work on is refused before anything is made:", () => {
  const refusal = async (db: Database) => {
    const error = await migrate(db).catch((thrown: unknown) => thrown);
    const tables = sql(
      "test.session_tables",
      "SELECT count(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    expect(await db.read.query(tables)).toEqual([{ n: 0 }]);
    const { message } = error as Error;
    expect(message).toMatch(/^Billow can't work on the database: /);
    return message;
  };

  test.each([
    ["default_transaction_read_only", "on", /: it takes no writes: .* default_transaction_read_only = off\.$/],
    ["session_replication_role", "replica", /: session_replication_role is replica, so .* foreign keys\. /],
    ["zero_damaged_pages", "on", /: zero_damaged_pages is on, /],
    ["search_path", "nowhere", /: the search_path names no schema that exists\. /],
  ])("%s = %s", async (name, value, says) => {
    await set(name, value);
    expect(await refusal(open())).toMatch(says);
  });

  test("pg_catalog behind a schema of a user", async () => {
    const name = database.connection.database;
    await administer(database.connection, `ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
    expect(await refusal(open())).toMatch(/: the search_path names pg_catalog behind another schema\. /);
  });

  test("another encoding", async () => {
    const name = `${database.connection.database}_latin`;
    await administer(
      database.connection,
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
    );
    const db = openDatabase({ ...database.connection, database: name });
    expect(await refusal(db)).toMatch(/: its encoding is LATIN1, /);
    await db.end();
    await administer(database.connection, `DROP DATABASE ${name}`);
  });
});

test.each(["start", "migrate", "serve", "worker", "org create --name Acme --mode sandbox", "doctor"])(
  "`billow %s` says in one line that the database can't be used",
  async (command) => {
    await set("default_transaction_read_only", "on");
    const workspace = await createWorkspace();
    onTestFinished(() => workspace.clear());
    const environment = { DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32) };
    const { code, stdout, stderr } = await workspace.run(command.split(" "), environment);
    expect(code).toBe(1);
    const says = "it takes no writes: the server is a standby, or default_transaction_read_only is on";
    if (command === "doctor") expect(stdout).toMatch(new RegExp(`^fault +database +${says}$`, "m"));
    else expect([stdout, stderr]).toEqual(["", expect.stringMatching(new RegExp(`^billow: .*: ${says}\\. .*\n$`))]);
  },
);

describe.each(findServers())("the server of %s", (bin) => {
  let server: InstalledServer;
  beforeAll(async () => void (server = await startInstalledServer({ bin, settings: { fsync: "off" } })), 540_000);
  afterAll(() => server.stop());

  test("is refused if a power cut may destroy its data", async () => {
    const db = openDatabase({ host: server.directory, port: server.port, user: "postgres", database: "postgres" });
    onTestFinished(() => db.end());
    await expect(migrate(db)).rejects.toThrow(
      /: fsync is off, so a power cut may destroy the database\. Set fsync = on\.$/,
    );
  });
});
