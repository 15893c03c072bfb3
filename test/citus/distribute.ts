import pg from "pg";
import { PLACEMENTS } from "./placements.ts";

type Reference = { child: string; parent: string };

/** The tables in an order in which each one follows the tables that it refers to. */
function parentsFirst(tables: readonly string[], references: readonly Reference[]): string[] {
  const sorted: string[] = [];
  const isReady = (table: string) =>
    references.every(
      ({ child, parent }) => child !== table || parent === table || !tables.includes(parent) || sorted.includes(parent),
    );
  while (sorted.length < tables.length) {
    const next = tables.find((table) => !sorted.includes(table) && isReady(table));
    if (next === undefined) throw new Error("tables refer to each other in a circle");
    sorted.push(next);
  }
  return sorted;
}

/** Distributes the tables of a migrated database whose coordinator is at `url`. */
export async function distribute(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Reference>(
      `SELECT DISTINCT conrelid::regclass::text AS child, confrelid::regclass::text AS parent
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    const all = Object.keys(PLACEMENTS);
    const copied = all.filter((table) => PLACEMENTS[table] === "reference");
    const divided = all.filter((table) => PLACEMENTS[table] === "organization" && table !== "organizations");
    // A table that refers to users and to Organizations can't be divided before both of them.
    const tables = [...copied, "organizations", ...divided];
    // Else a table that refers to users becomes a table of Citus beside the users, and may not refer to Organizations.
    await client.query("SET citus.enable_local_reference_table_foreign_keys = off");
    // A reference table may not refer to a distributed one.
    await client.query("ALTER TABLE api_keys DROP CONSTRAINT IF EXISTS api_keys_organization_id_fkey");
    const references = rows.filter(({ child }) => child !== "api_keys");
    for (const table of parentsFirst(tables, references)) {
      if (PLACEMENTS[table] === "reference") await client.query("SELECT create_reference_table($1)", [table]);
      else if (table === "organizations") await client.query("SELECT create_distributed_table($1, 'id')", [table]);
      else
        await client.query("SELECT create_distributed_table($1, 'organization_id', colocate_with => 'organizations')", [
          table,
        ]);
    }
  } finally {
    await client.end();
  }
}
