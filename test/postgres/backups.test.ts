import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Bulk } from "../../src/store/driver/bulk.ts";
import { openDatabase } from "../../src/store/driver/db.ts";
import { asUser } from "../../src/embedded-postgres/home.ts";
import { createInstalledWorkspace, createWorkspace, type Workspace } from "../support/command-line.ts";
import { blocksOf, readDocument } from "../support/guide.ts";
import {
  findServers,
  freePort,
  startInstalledServer,
  unprivileged,
  type InstalledServer,
} from "../support/installed-server.ts";
import { startPooler } from "../support/pooler.ts";
import { startOwnServer } from "../support/own-server.ts";
import { until } from "../support/until.ts";

const SECRET = "s".repeat(32);

/** The code of the document below the comment `example: NAME`. */
async function example(document: string, name: string): Promise<string> {
  const block = blocksOf(await readDocument(document)).find(({ mark }) => mark === `example: ${name}`);
  return block!.code;
}

const namesOf = async (workspace: Workspace, settings: Record<string, string>) => {
  const { stdout } = await workspace.run(["org", "list", "--json"], settings);
  return (JSON.parse(stdout) as { data: { name: string }[] }).data.map(({ name }) => name);
};

async function create(workspace: Workspace, settings: Record<string, string>, ...names: string[]): Promise<void> {
  for (const name of names)
    expect(await workspace.run(["org", "create", "--mode", "sandbox", "--name", name], settings)).toMatchObject({
      code: 0,
      stderr: "",
    });
}

describe("PostgreSQL of a distribution", () => {
  const bin = findServers()[0]!;
  let directory: string;
  let workspace: Workspace;
  let server: InstalledServer;
  let settings: Record<string, string>;
  const addressOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/billow`;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "billow-wal-"));
    await chmod(directory, 0o755);
    const user = unprivileged();
    for (const name of ["wal", "restored"]) {
      await mkdir(join(directory, name));
      if (user) await chown(join(directory, name), user.uid, user.gid);
    }
    const archive = `test ! -f "${directory}/wal/%f" && cp "%p" "${directory}/wal/%f"`;
    server = await startInstalledServer({ bin, settings: { archive_mode: "on", archive_command: archive } });
    await server.query("CREATE DATABASE billow");
    workspace = await createWorkspace();
    settings = { DATABASE_URL: addressOf(server.port), BILLOW_SECRET: SECRET };
    expect(await workspace.run(["migrate"], settings)).toMatchObject({ code: 0 });
  }, 540_000);
  afterAll(async () => {
    await workspace.clear();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  test("is restored to a point in time by the commands of the guide", async () => {
    const [rehearsal, port] = [join(directory, "restored/rehearsal"), await freePort()];
    const options = asUser(unprivileged());
    const run = async (code: string, instant = "") => {
      const env = {
        ...options.env,
        PATH: `${bin}:${process.env["PATH"]}`,
        PGHOST: server.directory,
        PGPORT: String(server.port),
        PGUSER: "postgres",
        WAL: join(directory, "wal"),
        BASE: join(directory, "restored/base"),
        REHEARSAL: rehearsal,
        PORT: String(port),
        INSTANT: instant,
      };
      await promisify(execFile)("sh", ["-ec", code], { ...options, env });
    };
    const document = "docs/operating/backups.md";
    await create(workspace, settings, "before the base backup");
    await run(await example(document, "base"));
    await create(workspace, settings, "before the instant");
    const { rows } = await server.query("SELECT clock_timestamp()::text AS now");
    await create(workspace, settings, "after the instant");
    const switched = await server.query("SELECT pg_walfile_name(pg_switch_wal()) AS file");
    await until(async () => (await readdir(join(directory, "wal"))).includes(switched.rows[0].file));

    await run(await example(document, "rehearsal"), rows[0].now);
    try {
      const restored = { ...settings, DATABASE_URL: addressOf(port) };
      expect(await workspace.run(["verify"], restored)).toMatchObject({ code: 0, stderr: "" });
      expect(await namesOf(workspace, restored)).toEqual(["before the base backup", "before the instant"]);
    } finally {
      await run(`pg_ctl stop --mode=fast --pgdata="$REHEARSAL"`);
    }
  });

  test("gives a backup that another version restores, and takes it back", async () => {
    const embedded = await createWorkspace();
    onTestFinished(() => embedded.clear());
    const names = await namesOf(workspace, settings);
    const [there, back] = [join(directory, "there.backup"), join(directory, "back.backup")];
    const own = { BILLOW_SECRET: SECRET };
    expect(await workspace.run(["backup", there], settings)).toMatchObject({ code: 0 });
    expect(await embedded.run(["restore", there], own)).toMatchObject({ code: 0, stderr: "" });
    expect(await namesOf(embedded, own)).toEqual(names);
    expect(await embedded.run(["backup", back], own)).toMatchObject({ code: 0 });
    await server.query("CREATE DATABASE back");
    const target = { ...settings, DATABASE_URL: addressOf(server.port).replace(/billow$/, "back") };
    expect(await workspace.run(["restore", back], target)).toMatchObject({ code: 0, stderr: "" });
    expect(await namesOf(workspace, target)).toEqual(names);
  });

  test("gives and takes a backup over a pooler that lends its sessions for one transaction", async () => {
    const pooler = await startPooler(server, { pool_mode: "transaction" });
    onTestFinished(() => pooler.stop());
    await server.query("CREATE DATABASE pooled");
    const over = (database: string) => ({
      ...settings,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${pooler.connection.port}/${database}`,
    });
    const file = join(directory, "pooled.backup");
    expect(await workspace.run(["backup", file], over("billow"))).toMatchObject({ code: 0, stderr: "" });
    expect(await workspace.run(["restore", file], over("pooled"))).toMatchObject({ code: 0, stderr: "" });
    expect(await namesOf(workspace, over("pooled"))).toEqual(await namesOf(workspace, settings));
  });

  test("limits no statement in the transaction of a backup, and only there", async () => {
    const login = { host: "127.0.0.1", user: "postgres", database: "billow", port: server.port };
    const db = openDatabase(login);
    const settingsNow = async (bulk: Bulk) =>
      bulk.query(`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
        current_setting('tcp_user_timeout') AS "unreadSince"`);
    const found = await db.bulk(async (bulk) => {
      await bulk.begin("BEGIN", "LOCK TABLE organizations IN ACCESS SHARE MODE");
      const within = await settingsNow(bulk);
      await bulk.query("COMMIT");
      return [...within, ...(await settingsNow(bulk))];
    });
    await db.end();
    const limited = { statement: "30s", lock: "10s" };
    expect(found).toMatchObject([{ statement: "0", lock: "0", unreadSince: expect.stringMatching(/^0/) }, limited]);
  });
});

test("a standby gives a backup", async () => {
  const server = await startOwnServer();
  const workspace = await createWorkspace();
  onTestFinished(async () => {
    await workspace.clear();
    await server.remove();
  });
  const settings = { DATABASE_URL: server.url("billow"), BILLOW_SECRET: SECRET };
  await server.administer("CREATE DATABASE billow OWNER billow_owner");
  expect(await workspace.run(["migrate"], settings)).toMatchObject({ code: 0 });
  await create(workspace, settings, "Acme");
  const standby = await server.standby();
  onTestFinished(() => standby.remove());
  const file = join(workspace.directory, "standby.backup");
  const made = await workspace.run(["backup", file], { ...settings, DATABASE_URL: standby.url("billow") });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  await server.administer("CREATE DATABASE restored OWNER billow_owner");
  const restored = { ...settings, DATABASE_URL: server.url("restored") };
  expect(await workspace.run(["restore", file], restored)).toMatchObject({ code: 0, stderr: "" });
  expect(await namesOf(workspace, restored)).toEqual(["Acme"]);
});

test("an embedded database of another major version is moved by the commands of the guide", async () => {
  const workspace = await createInstalledWorkspace();
  onTestFinished(() => workspace.clear());
  const document = "docs/operating/upgrades.md";
  const commands = async (name: string) => {
    for (const line of (await example(document, name)).trim().split("\n")) {
      const [, words] = /^node bin\/billow\.mjs (.*)$/.exec(line) ?? [];
      const args = words?.replace("upgrade.backup", join(workspace.directory, "upgrade.backup")).split(" ");
      if (args) expect(await workspace.run(args), line).toMatchObject({ code: 0, stderr: "" });
      else await promisify(execFile)("sh", ["-ec", line], { cwd: workspace.directory });
    }
  };
  await create(workspace, {}, "Acme");
  await commands("old release");
  // The new release meets the directory of the old one.
  const [database, old] = ["postgres", "postgres-old"].map((name) => join(workspace.directory, ".billow", name));
  const version = join(old!, "data/PG_VERSION");
  const now = await readFile(version, "utf8");
  await writeFile(version, "17\n");
  await rename(old!, database!);
  const refused = await workspace.run(["org", "list"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("billow.mjs restore with this one: see docs/"),
  });
  await rename(database!, old!);
  await writeFile(version, now);
  await commands("new release");
  expect(await namesOf(workspace, {})).toEqual(["Acme"]);
  expect(await workspace.run(["verify"])).toMatchObject({ code: 0 });
});
