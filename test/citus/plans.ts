import type pg from "pg";

/**
 * The nodes that a statement asks. `one`: one shard, all in one task. `steps`: one shard, in several tasks. `several`:
 * more than one shard. `local`: the coordinator alone, or a table that each node has. `refused`: Citus has no plan.
 */
export type Reach = "one" | "steps" | "several" | "local" | "refused";
/** `jobs`: the statements that the coordinator sends one after the other. A job asks its shards at the same time. */
export type Plan = { reach: Reach; jobs: number; reason: string | null };

const VALUES: Record<string, string> = {
  bytea: "'\\x00'",
  date: "'2026-01-01'",
  interval: "'1 day'",
  json: "'[]'",
  jsonb: "'[]'",
  text: "'a'",
  boolean: "'true'",
};

/** A value of a type, as a text of SQL. An Organization is a value like each other one: Citus plans with the value. */
function valueOf(type: string): string {
  if (type.endsWith("[]")) return `ARRAY[${valueOf(type.slice(0, -2))}]::${type}`;
  const value = type.startsWith("timestamp") ? "'2026-01-01'" : (VALUES[type] ?? "'1'");
  return `${value}::${type}`;
}

function reachOf(plan: string): Reach {
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map((match) => Number(match[1]));
  if (tasks.some((many) => many > 1)) return "several";
  if (tasks.length === 0) return "local";
  return tasks.length > 1 || plan.includes("Distributed Subplan") ? "steps" : "one";
}

/** Plans a statement on the coordinator, with a value for each parameter. The statement is not run. */
export async function planOf(client: pg.Client, text: string): Promise<Plan> {
  await client.query(`PREPARE planned AS ${text}`);
  try {
    const { rows } = await client.query<{ types: string[] }>(
      "SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'planned'",
    );
    const values = rows[0]!.types.map(valueOf);
    const call = values.length > 0 ? `planned(${values.join(", ")})` : "planned";
    const plan = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN EXECUTE ${call}`);
    const shown = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
    return { reach: reachOf(shown), jobs: shown.match(/Task Count: /g)?.length ?? 0, reason: null };
  } catch (error) {
    return { reach: "refused", jobs: 0, reason: (error as Error).message };
  } finally {
    await client.query("DEALLOCATE planned");
  }
}
