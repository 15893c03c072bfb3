import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../../src/actions/doctor/check.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { findServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";
import { callersOf, foundShop, offerPro, type Keys } from "../support/command-shop.ts";
import { CARDS, ok } from "../support/story.ts";

// A role that is no superuser, with exactly as many connections as the processes may open: one more would be refused.

const EACH = 7;

let server: InstalledServer;
let workspace: Workspace;
let environment: Record<string, string>;
let keys: Keys;

beforeAll(async () => {
  server = await startInstalledServer({ bin: findServers()[0]!, settings: { max_connections: "30" } });
  await server.query("CREATE ROLE billow LOGIN");
  await server.query("CREATE DATABASE billow OWNER billow");
  workspace = await createWorkspace();
  const address = `postgres://billow@127.0.0.1:${server.port}/billow`;
  environment = { DATABASE_URL: address, BILLOW_SECRET: "c".repeat(32), RATE_LIMIT: "0" };
  keys = await foundShop(workspace, environment);
}, 540_000);
afterAll(async () => {
  await workspace.clear();
  await server.stop();
});

const limit = (most: number) => server.query(`ALTER ROLE billow CONNECTION LIMIT ${most}`);
const begin = (command: string, most: number): Promise<Started> =>
  workspace.start([command, "--json"], { ...environment, DATABASE_CONNECTIONS: String(most) });

async function end(started: Started): Promise<string> {
  started.signal("SIGTERM");
  const { code, stderr } = await started.finished;
  expect(code).toBe(0);
  return stderr;
}

async function connections(more: Record<string, string> = {}): Promise<Check> {
  const { stdout } = await workspace.run(["doctor", "--json"], { ...environment, ...more });
  return (JSON.parse(stdout) as { checks: Check[] }).checks.find(({ name }) => name === "connections")!;
}

test("a server and a worker open no more connections than they may, and refuse no request", async () => {
  await limit(2 * EACH);
  const [serving, working] = await Promise.all(["serve", "worker"].map((command) => begin(command, EACH)));
  const { url } = serving!.output;
  const { api, manage } = callersOf(serving!, keys);
  await offerPro(manage);
  const buy = async (n: number) => {
    const customer = { email: `buyer${n}@example.com` };
    const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer }));
    await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  };
  await Promise.all(Array.from({ length: 60 }, (_, n) => buy(n)));
  expect([await end(serving!), await end(working!)]).toEqual(["", ""]);
}, 360_000);

test("a process that may open more connections than the server has says so at its start", async () => {
  await limit(-1);
  const warnings = async (command: string, most: number) =>
    (await end(await begin(command, most))).split("\n").filter((line) => line !== "");
  expect(await warnings("serve", 27)).toEqual([]);
  expect(await warnings("serve", 28)).toEqual([
    "Warning: This process with DATABASE_CONNECTIONS=28 opens up to 28 connections, and max_connections (30, of " +
      "which 3 are reserved) allows 27: requests beyond that get 503. Set max_connections to 31 or more, and restart " +
      "PostgreSQL, or set DATABASE_CONNECTIONS to 27. Other programs on the server need connections, too.",
  ]);
  expect(await warnings("worker", 28)).toEqual([expect.stringContaining("DATABASE_CONNECTIONS=28 opens up to 28")]);
}, 180_000);

test("the connections that other programs use now are not there for Billow", async () => {
  await limit(-1);
  const others = Array.from(
    { length: 5 },
    () => new pg.Client({ host: "127.0.0.1", port: server.port, user: "postgres" }),
  );
  for (const other of others) await other.connect();
  try {
    expect(await connections({ DATABASE_CONNECTIONS: "22" })).toMatchObject({ status: "ok" });
    expect(await connections({ DATABASE_CONNECTIONS: "23" })).toMatchObject({
      status: "warning",
      says: expect.stringContaining("(30, of which 3 are reserved) allows 27, and other programs use 5 of them: "),
      advice: expect.stringContaining("Set max_connections to 31 or more, and restart PostgreSQL, or set DATABASE_CO"),
    });
  } finally {
    for (const other of others) await other.end();
  }
});
