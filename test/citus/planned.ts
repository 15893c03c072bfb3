import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/driver/db.ts";
import { DISTRIBUTED } from "../../src/store/driver/statement.ts";
import { migrate } from "../../src/store/migrate.ts";
import { makeAllStatements } from "../support/named-statements.ts";
import { ACROSS } from "../support/statement-exceptions.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";
import { distributeTables } from "./distribute.ts";
import { OF_SEVERAL, REFUSED } from "./not-ready.ts";
import { planOf, type Plan, type Reach } from "./plans.ts";

// Every statement, planned on a coordinator with two workers. The lists of not-ready.ts name the statements that a
// cluster can't run yet, so a new statement can't join these statements unseen.

/** These statements read the first due rows of all shards, and then one node puts these rows in turn. */
const IN_STEPS = ["payment_methods.due", "payments.due", "portal_requests.asked", "subscriptions.due"];

/** These statements are no queries: PostgreSQL can't prepare them. */
const NO_QUERIES = /\.(lock_table|empty|isolate)$/;

let cluster: CitusCluster;
let plans: Map<string, Plan>;

beforeAll(async () => {
  cluster = await startCluster();
  const url = await cluster.createDatabase("billow");
  const db = openDatabase({ connectionString: url });
  await migrate(db).finally(() => db.end());
  await distributeTables(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  plans = new Map();
  try {
    const all = await makeAllStatements();
    // A cluster gets the other text.
    const sent = [...all].filter(([name]) => !NO_QUERIES.test(name) && !all.has(name + DISTRIBUTED));
    for (const [name, text] of sent) plans.set(name, await planOf(client, text));
  } finally {
    await client.end();
  }
});
afterAll(() => cluster.stop());

const namesOf = (...reaches: Reach[]) =>
  [...plans].flatMap(([name, plan]) => (reaches.includes(plan.reach) ? name : []));
const matches = (patterns: readonly RegExp[], name: string) => patterns.some((pattern) => pattern.test(name));

/** The names that no pattern matches, and the patterns that match no name. */
const differences = (names: readonly string[], patterns: readonly RegExp[]) => ({
  unlisted: names.filter((name) => !matches(patterns, name)).map((name) => [name, plans.get(name)!.reason]),
  unneeded: patterns.filter((pattern) => !names.some((name) => pattern.test(name))).map(String),
});

describe("every statement on the cluster", () => {
  test("is planned, but for those on a list", () => {
    expect(differences(namesOf("refused"), REFUSED)).toEqual({ unlisted: [], unneeded: [] });
  });

  test("asks one shard, but for those on a list and those about all Organizations", () => {
    const names = namesOf("several", "steps").filter((name) => ACROSS[name] === undefined);
    expect(differences(names, OF_SEVERAL)).toEqual({ unlisted: [], unneeded: [] });
  });

  test("asks all shards at the same time if it asks several, but for those with a second step", () => {
    const names = namesOf("several").filter((name) => plans.get(name)!.jobs > 1);
    expect(names).toEqual(IN_STEPS);
  });
});
