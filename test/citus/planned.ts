import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/driver/db.ts";
import { DISTRIBUTED } from "../../src/store/driver/statement.ts";
import { onlyAbout } from "../../src/store/distribution/across-nodes.ts";
import { migrate } from "../../src/store/migrate.ts";
import { makeAllStatements } from "../support/named-statements.ts";
import { ACROSS } from "../support/statement-exceptions.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";
import { distributeTables } from "./distribute.ts";
import { planOf, type Plan, type Reach } from "./plans.ts";

// Every statement, planned on a coordinator with two workers.

/** These statements read the first due rows of all shards, and then one node puts these rows in turn. */
const IN_STEPS = [
  "imports.count_alarms",
  "imports.unsent_alarms",
  "payment_methods.due",
  "payments.due",
  "portal_requests.asked",
  "subscriptions.due",
];

/** These statements are no queries: PostgreSQL can't prepare them. */
const NO_QUERIES = /\.(lock_table|empty|isolate)$/;

/** The looks that go on while a node is away, by their reasons. */
const LOOKS = /^(the worker looks for|the files of all Organizations)/;

let cluster: CitusCluster;
const plans = { coordinator: new Map<string, Plan>(), worker: new Map<string, Plan>() };
const looks = { coordinator: new Map<string, Plan>(), worker: new Map<string, Plan>() };

/** The plans of all statements that a cluster gets, by the node with this address. */
async function planAll(url: string, node: "coordinator" | "worker"): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const all = await makeAllStatements();
    // A cluster gets the other text.
    const sent = [...all].filter(([name]) => !NO_QUERIES.test(name) && !all.has(name + DISTRIBUTED));
    for (const [name, text] of sent) {
      plans[node].set(name, await planOf(client, text));
      if (!LOOKS.test(ACROSS[name]?.reason ?? "")) continue;
      const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
      looks[node].set(name, await planOf(client, onlyAbout({ name, text }, parameters).text));
    }
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  cluster = await startCluster();
  const url = await cluster.createDatabase("billow");
  const db = openDatabase({ connectionString: url });
  await migrate(db).finally(() => db.end());
  await distributeTables(url);
  await planAll(url, "coordinator");
  await planAll(url.replace(/:\d+\//, `:${cluster.workers[0]!.port}/`), "worker");
});
afterAll(() => cluster.stop());

describe.each(["coordinator", "worker"] as const)("every statement, asked on the %s", (node) => {
  const namesOf = (...reaches: Reach[]) =>
    [...plans[node]].flatMap(([name, plan]) => (reaches.includes(plan.reach) ? name : []));

  test("is planned", () => {
    expect(namesOf("refused").map((name) => [name, plans[node].get(name)!.reason])).toEqual([]);
  });

  test("asks one shard, but for those about all Organizations", () => {
    expect(namesOf("several", "steps").filter((name) => ACROSS[name] === undefined)).toEqual([]);
  });

  test("asks all shards at the same time if it asks several, but for those with a second step", () => {
    const names = namesOf("several").filter((name) => plans[node].get(name)!.jobs > 1);
    expect(names).toEqual(IN_STEPS);
  });

  test("asks only the shards of given Organizations if it looks for due work while a node is away", () => {
    expect(looks[node].size).toBeGreaterThan(25);
    expect([...looks[node]].filter(([, { reach }]) => reach !== "one" && reach !== "steps")).toEqual([]);
  });
});
