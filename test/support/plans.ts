import type pg from "pg";

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Total Cost": number;
  /** Since PostgreSQL 18. */
  Disabled?: boolean;
  Plans?: Node[];
};

/** PostgreSQL 15 to 17 add this to the cost of a node that is switched off. */
const DISABLED_COST = 1e10;

/** The nodes of a plan that a setting switches off, and that PostgreSQL had to use all the same. */
function disabledIn(node: Node): string[] {
  const below = node.Plans ?? [];
  const isDisabled = node.Disabled ?? node["Total Cost"] >= DISABLED_COST;
  const found = below.flatMap(disabledIn);
  // Costs are sums: the deepest node with such a cost is the one that is switched off.
  if (!isDisabled || (node.Disabled === undefined && found.length > 0)) return found;
  return [`${node["Node Type"]} ${node["Relation Name"] ?? ""}`.trim(), ...found];
}

/**
 * The disabled nodes in the plan that PostgreSQL keeps for a statement, for all values of the parameters. The settings
 * of the session count. @throws Error for a text that can't be explained
 */
export async function disabledNodes(client: pg.ClientBase, text: string): Promise<string[]> {
  await client.query("SET plan_cache_mode = force_generic_plan");
  await client.query(`PREPARE planned AS ${text}`);
  try {
    const asked = "SELECT cardinality(parameter_types) AS n FROM pg_prepared_statements WHERE name = 'planned'";
    const { n } = (await client.query<{ n: number }>(asked)).rows[0]!;
    const given = n === 0 ? "" : `(${Array.from({ length: n }, () => "NULL").join(", ")})`;
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE planned${given}`);
    return disabledIn((rows[0] as { "QUERY PLAN": [{ Plan: Node }] })["QUERY PLAN"][0].Plan);
  } finally {
    await client.query("DEALLOCATE planned");
  }
}
