import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { unreachable } from "../../src/actions/connection-failure.ts";
import { parseAddress } from "../../src/database-address.ts";
import type { AppError } from "../../src/errors.ts";
import { openDatabase, sql, type Database } from "../../src/store/driver/db.ts";
import { routeOf } from "../../src/store/driver/route.ts";
import { createCertificate } from "../support/certificate.ts";
import { createWorkspace } from "../support/command-line.ts";
import { findServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";

const OURS = createCertificate(["localhost"]);
const OTHER = createCertificate(["localhost"]);
/** A certificate of the role `test`, which is the common name of all certificates of the tests. */
const CLIENT = createCertificate([]);
const SSL = { ssl: "on", ssl_ca_file: "client.crt" };
const ANYONE = "local all all trust\nhost all postgres 127.0.0.1/32 trust\n";
const ENCRYPTED = "local all all trust\nhostssl all postgres 127.0.0.1/32 trust\n";
const BY_CERTIFICATE = `${ANYONE}hostssl all test 127.0.0.1/32 cert\n`;

let server: InstalledServer;
let folder: string;
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "billow-tls-"));
  for (const [name, { cert, key }] of Object.entries({ ours: OURS, other: OTHER, client: CLIENT })) {
    writeFileSync(path(`${name}.crt`), cert);
    writeFileSync(path(`${name}.key`), key, { mode: 0o600 });
  }
  const files = { "server.crt": OURS.cert, "server.key": OURS.key, "client.crt": CLIENT.cert };
  server = await startInstalledServer({ bin: findServers()[0]!, settings: SSL, hba: ANYONE, files });
  await server.query("CREATE ROLE test LOGIN");
}, 540_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function configure({ ssl = "on", hba = ANYONE, certificate = OURS } = {}): Promise<void> {
  server.write("server.crt", certificate.cert);
  server.write("server.key", certificate.key);
  server.write("pg_hba.conf", hba);
  await server.query(`ALTER SYSTEM SET ssl = '${ssl}'`);
  await server.reload();
}
beforeEach(() => configure());

const addressOf = (query: string, host = "localhost", user = "postgres") =>
  `postgres://${user}@${host}:${server.port}/postgres?${query}`;

function open(address: string): Database {
  const db = openDatabase(routeOf(parseAddress(address)), { reads: 1, transactions: 1 });
  onTestFinished(() => db.end());
  return db;
}

const encryptedStatement = sql("test.tls_encrypted", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");

/** "tls", "plain", or the line that an operator reads. */
async function result(address: string): Promise<string> {
  const db = open(address);
  try {
    const [row] = await db.read.query<{ ssl: boolean }>(encryptedStatement);
    expect(await db.tx((tx) => tx.query(encryptedStatement))).toEqual([row]);
    return row!.ssl ? "tls" : "plain";
  } catch (error) {
    expect(error).toMatchObject({ code: "unavailable", status: 503, parts: { headers: { "Retry-After": "1" } } });
    const line = unreachable(parseAddress(address), (error as AppError).cause);
    return /can't be reached: (.*)\. Check DATABASE_URL\.$/.exec(line)![1]!;
  }
}

const NO_TLS = "the server offers no TLS, which sslmode wants";
const SELF_SIGNED = "the server's certificate is signed by itself, and sslrootcert does not name it";
const OTHER_HOST = "the server's certificate is for another host";
const NO_ENTRY = /^no pg_hba\.conf entry for host "127\.0\.0\.1", user "postgres", database "postgres", no encryption$/;

describe("sslmode, as in libpq, of a server with TLS:", () => {
  test.each([
    ["", "tls"],
    ["sslmode=disable", "plain"],
    ["sslmode=allow", "plain"],
    ["sslmode=prefer", "tls"],
    ["sslmode=require", "tls"],
    ["ssl=true", "tls"],
    ["sslmode=require&sslrootcert=OURS", "tls"],
    ["sslmode=require&sslrootcert=OTHER", SELF_SIGNED],
    ["sslmode=verify-ca&sslrootcert=OURS", "tls"],
    ["sslmode=verify-ca&sslrootcert=OTHER", SELF_SIGNED],
    ["sslmode=verify-full&sslrootcert=OURS", "tls"],
    ["sslmode=verify-full&sslrootcert=OTHER", SELF_SIGNED],
    ["sslmode=verify-full", SELF_SIGNED],
    ["sslrootcert=system", SELF_SIGNED],
  ])("%j", async (query, expected) => {
    expect(await result(addressOf(query.replace("OURS", path("ours.crt")).replace("OTHER", path("other.crt"))))).toBe(
      expected,
    );
  });

  test("verify-full wants a certificate for the host, verify-ca does not", async () => {
    const root = `sslrootcert=${path("ours.crt")}`;
    expect(await result(addressOf(`sslmode=verify-ca&${root}`, "127.0.0.1"))).toBe("tls");
    expect(await result(addressOf(`sslmode=verify-full&${root}`, "127.0.0.1"))).toBe(OTHER_HOST);
  });

  test("a server that wants TLS", async () => {
    await configure({ hba: ENCRYPTED });
    expect(await result(addressOf("sslmode=disable"))).toMatch(NO_ENTRY);
    expect(await result(addressOf("sslmode=allow"))).toBe("tls");
    expect(await result(addressOf("sslmode=require"))).toBe("tls");
  });

  test("a server that knows the client by its certificate", async () => {
    await configure({ hba: BY_CERTIFICATE });
    const identity = `sslcert=${path("client.crt")}&sslkey=${path("client.key")}`;
    expect(await result(addressOf(`sslmode=require&${identity}`, "localhost", "test"))).toBe("tls");
    expect(await result(addressOf("sslmode=require", "localhost", "test"))).toBe(
      "connection requires a valid client certificate",
    );
  });

  test("a unix socket has no TLS", async () => {
    const directory = encodeURIComponent(server.directory);
    expect(await result(`postgres://postgres@/postgres?host=${directory}&port=${server.port}`)).toBe("plain");
    expect(await result(`postgres://postgres@${directory}:${server.port}/postgres?sslmode=verify-full`)).toBe("plain");
  });
});

test.each([
  ["", "plain"],
  ["sslmode=disable", "plain"],
  ["sslmode=allow", "plain"],
  ["sslmode=prefer", "plain"],
  ["sslmode=require", NO_TLS],
  ["sslmode=verify-ca", NO_TLS],
  ["sslmode=verify-full", NO_TLS],
])("a server without TLS: %j", async (query, expected) => {
  await configure({ ssl: "off" });
  expect(await result(addressOf(query))).toBe(expected);
});

describe("a certificate that is replaced", () => {
  const address = () => addressOf(`sslmode=verify-full&sslrootcert=${path("ours.crt")}`);

  test("makes new connections a 503 until it is back, and leaves those that are open", async () => {
    const db = open(address());
    expect(await db.read.query(encryptedStatement)).toEqual([{ ssl: true }]);
    await configure({ certificate: OTHER });
    expect(await db.read.query(encryptedStatement)).toEqual([{ ssl: true }]);
    await expect(db.tx((tx) => tx.query(encryptedStatement))).rejects.toMatchObject({ status: 503 });
    await configure();
    expect(await db.tx((tx) => tx.query(encryptedStatement))).toEqual([{ ssl: true }]);
  });

  test.each(["start", "migrate", "org list", "doctor"])("ends `billow %s` with one line", async (command) => {
    await configure({ certificate: OTHER });
    const workspace = await createWorkspace();
    onTestFinished(() => workspace.clear());
    const environment = { DATABASE_URL: address(), BILLOW_SECRET: "s".repeat(32) };
    // In a process of its own, which would also print the warnings of Node and of the driver.
    const { code, stdout, stderr } = await workspace.begin(command.split(" "), environment).finished;
    const says = `database postgres at localhost:${server.port} can't be reached: ${SELF_SIGNED}`;
    expect(code).toBe(1);
    if (command === "doctor") expect([stdout, stderr]).toEqual([expect.stringContaining(says), ""]);
    else expect([stdout, stderr]).toEqual(["", `billow: The ${says}. Check DATABASE_URL.\n`]);
  });
});
