import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql, statements, type Read } from "../../src/store/db.ts";
import { listEmails } from "../../src/store/emails.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { ROOT } from "../support/source.ts";
import { parse, readTies, type KeyOf } from "../support/sql-reader.ts";
import { complaintsOf, type Steadiness } from "../support/sql-rules.ts";

const FILES = ["src/store", "src/payments"].flatMap((directory) =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join(ROOT, directory, file)),
);

let database: TestDatabase;
let keyOf: KeyOf;
let steadiness: Steadiness;
let names: string[];

/** Tables that are nobody's. */
const NOBODYS = new Set(["schema_migrations", "worker_heartbeat", "write_probe", "pg_class"]);

/** Each set of filters has a statement of its own, which is made when it is first asked for. */
async function makeLists(): Promise<void> {
  const filters = { cursor: "em_1", customerId: "cus_1", kind: "receipt", status: "sent", skipped: "false" };
  const given = Object.entries(filters);
  const nothing: Read = { kind: "read", query: async () => [] };
  for (let set = 0; set < 2 ** given.length; set++) {
    const some = Object.fromEntries(given.filter((_, n) => set & (1 << n)));
    await listEmails(nothing, "org_1", { limit: 1, ...some } as Parameters<typeof listEmails>[2]);
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  await Promise.all(FILES.map((file) => import(pathToFileURL(file).href)));
  await makeLists();
  names = [...statements.keys()].sort();
  const { read } = database.db;
  const columns = await read.query<{ table: string; keyed: boolean }>(
    sql(
      "test.columns",
      `SELECT table_name::text AS table, bool_or(column_name = 'organization_id') AS keyed FROM information_schema.columns
       WHERE table_schema = 'public' GROUP BY 1`,
    ),
  );
  const keyed = new Set(columns.filter((each) => each.keyed).map(({ table }) => table));
  keyOf = (table) => {
    if (NOBODYS.has(table)) return null;
    if (table === "organizations") return "id";
    if (!keyed.has(table)) throw new Error(`the table ${table} says not whose its rows are`);
    return "organization_id";
  };
  const functions = await read.query<{ name: string; steady: "immutable" | "stable" | "volatile" }>(
    sql(
      "test.functions",
      `SELECT proname::text AS name, CASE WHEN bool_or(provolatile = 'v') THEN 'volatile'
         WHEN bool_or(provolatile = 's') THEN 'stable' ELSE 'immutable' END AS steady
       FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace GROUP BY 1`,
    ),
  );
  const known = new Map(functions.map(({ name, steady }) => [name, steady]));
  steadiness = (name) => known.get(name);
});
afterAll(() => database.drop());

describe("dump", () => {
  test("x", () => {
    const out: string[] = [];
    for (const name of names) {
      const text = statements.get(name)!;
      try {
        const [node] = parse(text);
        const reading = readTies(node!, keyOf);
        if (reading.tied !== "one") out.push(`${name}: ${JSON.stringify(reading)}`);
        const c = complaintsOf(node, steadiness);
        if (c.length) out.push(`${name}: ${c.join("; ")}`);
      } catch (error) {
        out.push(`${name}: ERROR ${(error as Error).message}`);
      }
    }
    console.log(names.length + "\n" + out.join("\n"));
    expect(1).toBe(1);
  });
});
void readFileSync;
