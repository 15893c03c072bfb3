import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../src/actions/doctor/check.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { startOwnServer, type OwnServer } from "../support/own-server.ts";
import { until } from "../support/until.ts";

let server: OwnServer;
let workspace: Workspace;
let settings: Record<string, string>;

beforeAll(async () => {
  server = await startOwnServer({ max_connections: "60", superuser_reserved_connections: "5" });
  await server.administer("CREATE DATABASE billow OWNER billow_owner");
  workspace = await createWorkspace();
  settings = { DATABASE_URL: server.url("billow"), BILLOW_SECRET: "r".repeat(32) };
  expect(await workspace.run(["migrate"], settings)).toMatchObject({ code: 0, stderr: "" });
}, 540_000);
afterAll(async () => {
  await workspace.clear();
  await server.remove();
});

async function check(name: string, more: Record<string, string> = {}): Promise<Check> {
  const { stdout } = await workspace.run(["doctor", "--json"], { ...settings, ...more });
  return (JSON.parse(stdout) as { checks: Check[] }).checks.find((each) => each.name === name)!;
}

describe("the connections of an owner that is no superuser", () => {
  const OK = { status: "ok", says: "WEB_CONCURRENCY=1 opens up to 44 connections, and PostgreSQL allows 55" };

  test("are enough for one process, and too few for two", async () => {
    expect(await check("connections")).toMatchObject(OK);
    expect(await check("connections", { WEB_CONCURRENCY: "2" })).toEqual({
      name: "connections",
      status: "warning",
      says:
        "WEB_CONCURRENCY=2 opens up to 64 connections, and max_connections (60, of which 5 are reserved) allows 55: " +
        "requests beyond that get 503",
      advice:
        "Set max_connections to 69 or more, and restart PostgreSQL, or set WEB_CONCURRENCY to 1, " +
        "or set DATABASE_CONNECTIONS to 18. " +
        "Other programs on the server need connections, too.",
    });
  });

  test("are limited by the role and by the database, and `start` says so", async () => {
    await server.administer("ALTER ROLE billow_owner CONNECTION LIMIT 40", "ALTER DATABASE billow CONNECTION LIMIT 38");
    const says = "and the connection limit of the database billow allows 38: requests beyond that get 503";
    expect(await check("connections")).toMatchObject({ status: "warning", says: expect.stringContaining(says) });
    const started = await workspace.start(["start", "--json"], settings);
    started.signal("SIGTERM");
    const { stderr } = await started.finished;
    const warnings = stderr.split("\n").filter((line) => line.startsWith("Warning: "));
    expect(warnings).toEqual([
      expect.stringContaining(
        "Give the database billow a CONNECTION LIMIT of 44 or more, or set DATABASE_CONNECTIONS to 38. ",
      ),
    ]);
    await server.administer("ALTER ROLE billow_owner CONNECTION LIMIT -1", "ALTER DATABASE billow CONNECTION LIMIT -1");
    expect(await check("connections")).toMatchObject(OK);
  });
});

test("a replica is told while it lags, and while the role may not read its lag", async () => {
  expect(await check("replicas")).toMatchObject({ status: "ok", says: "no replica follows this server" });
  const standby = await server.standby();
  try {
    const streams = async () => (await check("replicas")).says.startsWith("the role billow_owner can't read how far 1");
    await until(streams);
    expect(await check("replicas")).toMatchObject({
      status: "warning",
      advice: "Grant pg_read_all_stats to the role billow_owner.",
    });
    await server.administer("GRANT pg_read_all_stats TO billow_owner");
    const caughtUp = "no commit is missing on 1 replica; each commit waits for 0 of them";
    await expect.poll(() => check("replicas")).toMatchObject({ status: "ok", says: caughtUp });

    await standby.whileFrozen(async () => {
      await server.administer("CREATE TABLE filler AS SELECT generate_series(1, 20000) AS n");
      expect(await check("replicas")).toMatchObject({
        status: "warning",
        says: expect.stringMatching(
          /^the replica standby is \d+ (kB|MB) behind \(\d+ s\): its promotion now loses the charges of that time$/,
        ),
      });
    });
    await expect.poll(() => check("replicas")).toMatchObject({ status: "ok", says: caughtUp });
    await server.administer("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()");
    const waits = "no commit is missing on 1 replica; each commit waits for 1 of them";
    await expect.poll(() => check("replicas")).toMatchObject({ status: "ok", says: waits });
    await server.administer("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
  } finally {
    await standby.remove();
  }
  await server.administer("SELECT pg_create_physical_replication_slot('away', true)", "CREATE TABLE more (n int)");
  expect(await check("replicas")).toMatchObject({
    status: "warning",
    says: expect.stringMatching(/^the replica away is \d+ (kB|MB) behind and is not connected: its promotion/),
  });
});
