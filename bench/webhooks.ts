import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOrganizationWithKeys } from "../src/actions/organization/create-organization.ts";
import { newSecret } from "../src/actions/webhook/endpoint-secret.ts";
import { realNow } from "../src/clock.ts";
import { readConfig } from "../src/config.ts";
import { createContext, type Context } from "../src/context.ts";
import { instant } from "../src/domain/calendar.ts";
import { newEndpoint } from "../src/domain/webhook/new-endpoint.ts";
import { MOST_ENDPOINTS } from "../src/domain/webhook/webhook.ts";
import { newId } from "../src/ids.ts";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { events } from "../src/store/events.ts";
import { migrate } from "../src/store/migrate.ts";
import { endpoints } from "../src/store/webhooks.ts";
import { startWorker } from "../src/worker/worker.ts";
import { until } from "../test/support/until.ts";

const DELIVERIES = Number(process.argv[2] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), "billow-webhooks-"));
chmodSync(folder, 0o711);

async function listen(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => void server.close().closeAllConnections() };
}

/** Seconds until all events have reached the endpoints that answer. An Organization has at most 50 endpoints. */
async function measure(ctx: Context, alive: number, dead: number): Promise<number> {
  const enough = Promise.withResolvers<void>();
  const expected = Math.ceil(DELIVERIES / alive);
  let came = 0;
  const fast = await listen((request, response) => {
    request.resume();
    response.writeHead(204).end();
    if ((came += 1) === expected * alive) enough.resolve();
  });
  const hanging = await listen((request) => void request.resume());
  const wanted = { kind: "http", description: null, events: ["*"], expiresAt: null } as const;
  const now = instant(realNow());
  const count = Math.ceil((alive + dead) / MOST_ENDPOINTS);
  for (let each = 0; each < count; each++) {
    await ctx.db.tx(async (tx) => {
      const { organization } = await createOrganizationWithKeys(tx, { name: "Bench", mode: "sandbox" });
      const urls = [...Array<string>(alive / count).fill(fast.url), ...Array<string>(dead / count).fill(hanging.url)];
      for (const url of urls) {
        endpoints.insert(tx, newEndpoint(organization.id, { ...wanted, secret: newSecret(), events: ["*"], url }, now));
      }
      const event = {
        organizationId: organization.id,
        type: "customer.created",
        sequence: 1,
        data: { name: "x".repeat(500) },
      } as const;
      for (let n = 0; n < expected; n++)
        events.insert(tx, { ...event, id: newId("evt"), resourceId: newId("cus"), createdAt: now });
    });
  }
  const began = performance.now();
  const worker = startWorker(ctx);
  await enough.promise;
  const took = (performance.now() - began) / 1000;
  const stopped = worker.stop();
  let isStopped = false;
  void stopped.finally(() => (isStopped = true));
  await until(() => (hanging.close(), isStopped), { pause: 100 });
  fast.close();
  hanging.close();
  return took;
}

const postgres = await joinEmbeddedDatabase({ dataDir: join(folder, "data"), log: () => undefined });
const db = openDatabase(postgres.connection);
try {
  await migrate(db);
  const environment = {
    DATABASE_URL: "postgres://localhost/bench",
    BILLOW_SECRET: "b".repeat(32),
    LOG_LEVEL: "silent",
  };
  const ctx = await createContext(readConfig(environment), { db });
  console.log("| endpoints | deliveries a second to those that answer |\n|---|---|");
  for (const [alive, dead] of [
    [1, 0],
    [100, 100],
    // One Organization, with more requests than it may have under way at once.
    [10, 40],
  ] as const) {
    const took = await measure(ctx, alive, dead);
    const made = Math.ceil(DELIVERIES / alive) * alive;
    console.log(
      `| ${alive} that answer, ${dead} that never do | ${Math.round(made / took)} (${made} in ${took.toFixed(1)} s) |`,
    );
  }
} finally {
  await db.end();
  await postgres.leave();
  rmSync(folder, { recursive: true, force: true });
}
