import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parseAddress } from "../../src/database-address.ts";
import { openDatabase, sql, type Database } from "../../src/store/driver/db.ts";
import { routeOf } from "../../src/store/driver/route.ts";
import { findServers, freePort, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";

// An address with several hosts leads to the first that takes writes.

let servers: [InstalledServer, InstalledServer];
beforeAll(async () => {
  const bin = findServers()[0]!;
  servers = [await startInstalledServer({ bin }), await startInstalledServer({ bin })];
  for (const server of servers) await server.query("CREATE TABLE writes (n int)");
}, 540_000);
afterAll(async () => {
  for (const server of servers) await server.stop();
});

/** Makes one server the primary. The other one is as a standby to its clients. */
async function promote(n: 0 | 1): Promise<void> {
  const roles: [InstalledServer, string][] = [
    [servers[1 - n]!, "on"],
    [servers[n], "off"],
  ];
  for (const [server, readOnly] of roles) {
    await server.query(`ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`);
    await server.reload();
  }
}
beforeEach(() => promote(0));

function open(address: string): Database {
  const db = openDatabase(routeOf(parseAddress(address)), { reads: 1, transactions: 2 });
  onTestFinished(() => db.end());
  return db;
}
const portStatement = sql("test.hosts_port", "SELECT current_setting('port')::int AS port");
const writeStatement = sql(
  "test.hosts_write",
  "INSERT INTO writes VALUES (1) RETURNING current_setting('port')::int AS port",
);
const read = async (db: Database) => (await db.read.query<{ port: number }>(portStatement))[0]!.port;
const write = async (db: Database) => (await db.tx((tx) => tx.query<{ port: number }>(writeStatement)))[0]!.port;
const both = () => `127.0.0.1:${servers[0].port},127.0.0.1:${servers[1].port}`;

describe("of several hosts", () => {
  test("the first one is taken", async () => {
    const db = open(`postgres://postgres@${both()}/postgres`);
    expect([await read(db), await write(db)]).toEqual([servers[0].port, servers[0].port]);
  });

  test("one where no server listens is passed over", async () => {
    const db = open(`postgres://postgres@127.0.0.1:${await freePort()},127.0.0.1:${servers[0].port}/postgres`);
    expect([await read(db), await write(db)]).toEqual([servers[0].port, servers[0].port]);
  });

  test("one that refuses writes is passed over", async () => {
    await promote(1);
    const db = open(
      `postgres://postgres@/postgres?host=127.0.0.1,127.0.0.1&port=${servers[0].port},${servers[1].port}`,
    );
    expect([await read(db), await write(db)]).toEqual([servers[1].port, servers[1].port]);
  });

  test("sockets and addresses may stand side by side", async () => {
    const { directory, port } = servers[1];
    const address = `postgres://postgres@/postgres?host=127.0.0.1,${directory}&port=${await freePort()},${port}`;
    await promote(1);
    expect(await write(open(address))).toBe(port);
  });

  test("if all refuse writes, the call is a 503", async () => {
    await servers[0].query("ALTER SYSTEM SET default_transaction_read_only = on");
    await servers[0].reload();
    await expect(write(open(`postgres://postgres@${both()}/postgres`))).rejects.toMatchObject({ status: 503 });
  });
});

describe("after a failover", () => {
  test("writes go to the new primary once one was refused", async () => {
    const db = open(`postgres://postgres@${both()}/postgres`);
    expect(await write(db)).toBe(servers[0].port);
    await promote(1);
    await expect(write(db)).rejects.toMatchObject({ status: 503 });
    expect(await write(db)).toBe(servers[1].port);
  });

  test("a server that was restarted as a standby is left", async () => {
    const db = open(`postgres://postgres@${both()}/postgres`);
    expect([await read(db), await write(db)]).toEqual([servers[0].port, servers[0].port]);
    await promote(1);
    await servers[0].restart();
    // The connections of the old primary broke: the first call after that may fail.
    await write(db).catch(() => undefined);
    await read(db).catch(() => undefined);
    expect([await read(db), await write(db)]).toEqual([servers[1].port, servers[1].port]);
  });
});

test("one host with target_session_attrs=read-write must take writes", async () => {
  const address = `postgres://postgres@127.0.0.1:${servers[1].port}/postgres`;
  expect(await read(open(address))).toBe(servers[1].port);
  await expect(read(open(`${address}?target_session_attrs=read-write`))).rejects.toMatchObject({ status: 503 });
});
