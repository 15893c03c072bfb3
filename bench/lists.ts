import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readConfig } from "../src/config.ts";
import { createContext } from "../src/context.ts";
import { joinEmbeddedPostgres } from "../src/postgres/embedded.ts";
import { openDatabase } from "../src/store/db.ts";
import { migrate } from "../src/store/migrate.ts";
import { PAGES, plansOf, type Plan } from "./list-plans.ts";
import { createManyRows } from "./many-rows.ts";

const COPIES = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 7;

/** The median time of a page's statements in milliseconds. Each round asks for other rows. */
async function measure(client: pg.Client, organizationId: string, page: (typeof PAGES)[number]) {
  const rounds: Plan[][] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await plansOf(client, page, organizationId, Math.ceil((COPIES * (round + 1)) / (ROUNDS + 1))));
  const times = rounds
    .map((plans) => plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
    .sort((a, b) => a - b);
  return { plans: rounds[0]!, milliseconds: times[Math.floor(ROUNDS / 2)]! };
}

/** The indexes of the list's own rows come first in a plan; the others find the Customers beside the rows. */
function present(name: string, { plans, milliseconds }: Awaited<ReturnType<typeof measure>>): string {
  const indexes = [...new Set(plans.flatMap((plan) => plan.indexes))].map((index) => `\`${index}\``).join(", ");
  const scanned = plans.flatMap((plan) => plan.scanned).map((table) => `all of ${table}`);
  const rows = plans.reduce((sum, plan) => sum + plan.rows, 0);
  return `| ${name} | ${[indexes, ...scanned].filter(Boolean).join(", ")} | ${rows} | ${milliseconds.toFixed(1)} |`;
}

const folder = mkdtempSync(join(tmpdir(), "billow-lists-"));
chmodSync(folder, 0o711);
const postgres = await joinEmbeddedPostgres({ dataDir: join(folder, "data"), log: () => undefined });
const { host, port, user, password, database } = postgres.connection;
const url = new URL(`postgres://localhost/${database}`);
Object.assign(url, { username: user, password });
url.searchParams.set("host", host);
url.searchParams.set("port", String(port));
const db = openDatabase(postgres.connection);
try {
  await migrate(db);
  const config = readConfig({ DATABASE_URL: url.href, BILLOW_SECRET: "b".repeat(32), LOG_LEVEL: "warn" });
  const organizationId = await createManyRows(await createContext(config, { db }), COPIES);
  const client = new pg.Client({ ...postgres.connection });
  await client.connect();
  console.log(
    `| page, ${COPIES.toLocaleString("en")} rows in each table | indexes | rows read | ms |\n|---|---|---:|---:|`,
  );
  for (const page of PAGES) console.log(present(page.name, await measure(client, organizationId, page)));
  await client.end();
} finally {
  await db.end();
  await postgres.leave();
  rmSync(folder, { recursive: true });
}
