import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext } from "../src/context.ts";
import { readConfig } from "../src/config.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { migrate } from "../src/store/migrate.ts";
import { casesOf, fill, type Case } from "./cases.ts";
import { cpuOf, serverCpuOf } from "./cpu.ts";
import { launch, SERVER } from "./installation.ts";
import { createWorld, SUBSCRIPTIONS } from "./world.ts";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";

// The processor time of PATCH requests. Other work on the machine changes this time less than the rate of requests.

const REQUESTS = Number(process.argv[2] ?? 2000);
const ROUNDS = Number(process.argv[3] ?? 3);
const LANES = 8;
const SECRET = "b".repeat(32);

const folder = mkdtempSync(join(tmpdir(), "billow-bench-"));
chmodSync(folder, 0o711);
const { connection, leave, pid } = await joinEmbeddedDatabase({ dataDir: join(folder, "data"), log: () => undefined });
const url = new URL(`postgres://localhost/${connection.database}`);
Object.assign(url, { username: connection.user, password: connection.password });
url.searchParams.set("host", connection.host);
url.searchParams.set("port", String(connection.port));
const env = { ...process.env, DATABASE_URL: url.href, BILLOW_SECRET: SECRET, LOG_LEVEL: "warn", RATE_LIMIT: "0" };

const db = openDatabase(connection);
await migrate(db);
const ctx = await createContext(readConfig({ DATABASE_URL: url.href, BILLOW_SECRET: SECRET, LOG_LEVEL: "silent" }), {
  db,
});
const world = await createWorld(ctx);
const server = await launch(SERVER, { ...env, PORT: "0" }, /http:\/\/127\.0\.0\.1:(\d+)/);
const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(server.output)![1]!;

/** Sends each request once, and returns the processor time of one in milliseconds: of Node, and of PostgreSQL. */
async function measure({ method, path, body }: Case, first: number): Promise<{ node: number; postgres: number }> {
  let next = 0;
  const headers = { Authorization: `Bearer ${world.key}`, "Content-Type": "application/json" };
  const lane = async () => {
    for (let turn = next++; turn < REQUESTS; turn = next++) {
      const values = { n: first + turn, turn };
      const request = { method, headers, body: fill(body!, values) };
      const answer = await fetch(`http://127.0.0.1:${port}/public/v2${fill(path, values)}`, request);
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  const before = [cpuOf(server.pid), serverCpuOf(pid)] as const;
  await Promise.all(Array.from({ length: LANES }, lane));
  const [node, postgres] = [cpuOf(server.pid) - before[0], serverCpuOf(pid) - before[1]];
  return { node: node / REQUESTS, postgres: postgres / REQUESTS };
}

try {
  if (REQUESTS * ROUNDS > SUBSCRIPTIONS) throw new Error(`at most ${SUBSCRIPTIONS} requests`);
  for (const each of casesOf(world).filter(({ method }) => method === "PATCH")) {
    const own = Array.from({ length: ROUNDS }, (_, round) => 1 + round * REQUESTS);
    for (const first of own) {
      const { node, postgres } = await measure(each, first);
      console.log(`${each.name}: ${node.toFixed(3)} + ${postgres.toFixed(3)} = ${(node + postgres).toFixed(3)} ms`);
    }
  }
} finally {
  await server.stop("SIGTERM");
  await ctx.close();
  await leave();
  rmSync(folder, { recursive: true, force: true });
}
