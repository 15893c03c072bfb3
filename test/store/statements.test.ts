import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLACEMENTS } from "../../src/store/distribution/placements.ts";
import { sql, type Read } from "../../src/store/driver/db.ts";
import { DISTRIBUTED } from "../../src/store/driver/statement.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { makeAllStatements } from "../support/named-statements.ts";
import { readSources } from "../support/source.ts";
import { ACROSS, MIGRATION, NOBODYS } from "../support/statement-exceptions.ts";
import { readTies, type KeyOf, type Reading } from "../support/sql-reader.ts";
import { complaintsOf, type Steadiness } from "../support/sql-rules.ts";
import { parse, writtenIn } from "../support/sql-tree.ts";

// No statement may do anything that a distributed PostgreSQL refuses or gets wrong (decision 0030).

/**
 * Statements that step from each Organization to the next one in an index. Their keys are not tied to each other,
 * because a join would count all waiting rows. The statement of the heads of all queues consists of such statements and
 * of the first instants of other queues, each over all Organizations. A distributed database gets texts without steps.
 */
const STEPPING = [
  "emails.due",
  "emails.overdue",
  "queue_heads.read",
  "webhooks.due_endpoints",
  "webhooks.overdue",
  "webhooks.waiting_organizations",
];

/** The parts of a UNION are about all Organizations, each by itself, so their keys are not tied to each other. */
const UNIONS = ["imports.count_alarms", "imports.unsent_alarms", "queue_heads.read_distributed"];

/** These statements are no queries: they lock or empty a whole table, or set a property of the transaction. */
const NO_QUERIES = ["memberships.lock_table", "organizations.lock_table", "probes.empty", "users.lock_table"];

/** These statements call a volatile function to change a setting of their transaction. They read no rows. */
const SETTINGS = [
  "accounts.cluster_settings",
  "accounts.settings",
  "db.async_commit",
  "db.worker_limits",
  "export.begin",
  "verify.keep_plans",
  "verify.own_plans",
  "webhooks.plan_anew",
];

/** These statements call volatile functions that read the state of the server: its control file, its log. */
const OF_THE_SERVER = [
  "installation.cluster",
  "promotions.timeline",
  "replica.position",
  "replica.position_without_system",
  "server_state.lost_replicas",
  "server_state.replicas",
  "server_state.size",
];

let database: TestDatabase;
let all: Map<string, string>;
let keyOf: KeyOf;
let steadiness: Steadiness;

async function readKeys(db: Read): Promise<KeyOf> {
  const columns = sql(
    "test.columns",
    `SELECT table_name::text AS table, bool_or(column_name = 'organization_id') AS keyed FROM information_schema.columns
     WHERE table_schema = 'public' GROUP BY 1`,
  );
  const keyed = new Map(
    (await db.query<{ table: string; keyed: boolean }>(columns)).map((row) => [row.table, row.keyed]),
  );
  return (table) => {
    if (NOBODYS.has(table)) return null;
    if (table === "organizations") return "id";
    if (!keyed.get(table)) throw new Error(`the table ${table} does not say whose its rows are`);
    return "organization_id";
  };
}

/** Of the functions of PostgreSQL and of our migrations. */
async function readSteadiness(db: Read): Promise<Steadiness> {
  const functions = sql(
    "test.functions",
    `SELECT proname::text AS name, CASE WHEN bool_or(provolatile = 'v') THEN 'volatile'
       WHEN bool_or(provolatile = 's') THEN 'stable' ELSE 'immutable' END AS steady
     FROM pg_proc WHERE pronamespace IN ('pg_catalog'::regnamespace, current_schema()::regnamespace) GROUP BY 1`,
  );
  const rows = await db.query<{ name: string; steady: "immutable" | "stable" | "volatile" }>(functions);
  const known = new Map(rows.map(({ name, steady }) => [name, steady]));
  return (name) => known.get(name);
}

beforeAll(async () => {
  all = await makeAllStatements();
  database = await createTestDatabase();
  keyOf = await readKeys(database.db.read);
  steadiness = await readSteadiness(database.db.read);
});
afterAll(() => database.drop());

function read(text: string): Reading {
  const [statement, ...others] = parse(text);
  expect(others).toEqual([]);
  return readTies(statement!, keyOf);
}
/** The ties between the tables of a text, in a word. */
function tied(text: string): string {
  const reading = read(text);
  return reading.tied === "loose" ? `loose: ${reading.loose.join(", ")}` : reading.tied;
}
/** True if a text is about the rows that its parameters hold: a batch of any Organizations. */
function isGiven(text: string): boolean {
  const reading = read(text);
  return reading.tied === "joined" && reading.given;
}
/** True if a text only inserts the rows that its parameters hold. A cluster sends each of these rows to its node. */
function isInsertOfGiven(text: string): boolean {
  const reading = read(text);
  return "InsertStmt" in parse(text)[0]! && reading.tied === "joined" && reading.given && reading.tables === 1;
}
/** The tables that do not stand beside the Organization's key in their own FROM. */
function apartIn(text: string): string {
  const reading = read(text);
  return reading.tied === "one" ? reading.apart.join(", ") : "";
}
const complaints = (text: string) => complaintsOf(parse(text), steadiness);

describe("every statement", () => {
  test("that is written down is among them", () => {
    const written = readSources()
      .filter(({ path }) => /^src\/(store|payments)\//.test(path) && !path.endsWith(".test.ts"))
      .flatMap(({ text }) => [...text.matchAll(/\bsql\(\s*"([^"]+)"/g)].map((match) => match[1]!));
    expect(written.length).toBeGreaterThan(200);
    expect(written.filter((name) => !all.has(name))).toEqual([]);
  });

  // A batch is of given rows. A distributed database gets a form about one Organization.
  const isBatch = (name: string, text: string) => all.has(name + DISTRIBUTED) && isGiven(text);

  test("has the Organization's key beside each of its tables", () => {
    const isAllowed = ([name, text]: [string, string]) =>
      ["one", "none"].includes(tied(text)) ||
      isInsertOfGiven(text) ||
      isBatch(name, text) ||
      (ACROSS[name] !== undefined && tied(text) === "joined");
    const queries = [...all].filter(([name]) => !NO_QUERIES.includes(name));
    expect(queries.filter((each) => !isAllowed(each)).map(([name]) => name)).toEqual([...STEPPING, ...UNIONS].sort());
    expect(queries.flatMap(([name, text]) => (apartIn(text) === "" ? [] : [`${name}: ${apartIn(text)}`]))).toEqual([]);
  });

  test("of a batch has a form about one Organization", () => {
    const forms = [...all].flatMap(([name, text]) => (isBatch(name, text) ? [name + DISTRIBUTED] : []));
    expect(forms.length).toBeGreaterThan(50);
    expect(forms.filter((name) => tied(all.get(name)!) !== "one")).toEqual([]);
  });

  // A transaction over two Organizations of a distributed database is one over two nodes (decision 0107).
  test("about all Organizations writes none on a distributed database", () => {
    const isCopied = (table: string) => PLACEMENTS[table] === "reference";
    const writing = Object.entries(ACROSS).filter(
      ([name, { reason }]) => reason !== MIGRATION && !writtenIn(all.get(name)!).every(isCopied),
    );
    expect(writing.length).toBeGreaterThan(10);
    const ties = writing.map(([name]) => [name, all.has(name + DISTRIBUTED) && tied(all.get(name + DISTRIBUTED)!)]);
    expect(ties.filter(([, how]) => how !== "one")).toEqual([]);
  });

  test("that is excepted needs to be", () => {
    const queries = [...all].filter(([name]) => !NO_QUERIES.includes(name));
    const isUnion = (name: string) => UNIONS.includes(name);
    const joined = queries.filter(([name, text]) => isUnion(name) || (tied(text) === "joined" && !isGiven(text)));
    expect(joined.map(([name]) => name)).toEqual(Object.keys(ACROSS));
    for (const name of NO_QUERIES) expect(() => tied(all.get(name)!), name).toThrow("of a kind that is not known");
    for (const name of SETTINGS) expect(complaints(all.get(name)!), name).toContain("set_config() is volatile");
    for (const name of OF_THE_SERVER) expect(complaints(all.get(name)!).join(), name).toContain("is volatile");
  });

  test("does only work that a distributed PostgreSQL can do", () => {
    const wrong = [...all]
      .filter(([name]) => !SETTINGS.includes(name) && !OF_THE_SERVER.includes(name))
      .map(([name, text]) => [name, complaints(text)] as const);
    expect(wrong.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  test("has a name that no other text has", () => {
    expect(sql("probes.ping", "SELECT 1").text).toBe(all.get("probes.ping"));
    expect(() => sql("probes.ping", "SELECT 2")).toThrow("two statements are called probes.ping");
  });
});

describe("the reader finds", () => {
  const MINE = "organization_id = $1";
  const ties: [string, string, string][] = [
    ["a table of one Organization", `SELECT 1 FROM invoices WHERE ${MINE}`, "one"],
    ["the Organization by its id", "SELECT 1 FROM organizations WHERE id = $1", "one"],
    ["a table of all", "SELECT 1 FROM invoices", "joined"],
    ["a table with a key that is not the only choice", `SELECT 1 FROM invoices WHERE ${MINE} OR id = $2`, "joined"],
    ["a table of all others", `SELECT 1 FROM invoices WHERE NOT (${MINE})`, "joined"],
    [
      "rows that are compared",
      "SELECT 1 FROM invoices i JOIN payments p ON (p.organization_id, p.id) = ($1, i.id)",
      "loose: invoices",
    ],
    [
      "a join by the key",
      `SELECT 1 FROM invoices i LEFT JOIN payments p USING (organization_id) WHERE i.${MINE}`,
      "one",
    ],
    [
      "a join by another column",
      `SELECT 1 FROM invoices i JOIN payments p ON p.id = i.id WHERE i.${MINE}`,
      "loose: payments",
    ],
    ["a join of all", "SELECT 1 FROM invoices i JOIN payments p ON p.organization_id = i.organization_id", "joined"],
    ["a product of all", "SELECT 1 FROM invoices i, payments p", "loose: invoices, payments"],
    [
      "a subquery",
      `SELECT 1 FROM invoices WHERE ${MINE} AND id = ANY(ARRAY(SELECT invoice_id FROM payments))`,
      "loose: payments",
    ],
    [
      "a subquery that has its key from around",
      `SELECT 1 FROM invoices i WHERE ${MINE} AND EXISTS (SELECT 1 FROM payments p
        WHERE p.organization_id = i.organization_id)`,
      "loose: payments",
    ],
    ["a subquery in a list", `SELECT (SELECT max(id) FROM payments) FROM invoices WHERE ${MINE}`, "loose: payments"],
    ["rows out of a subquery", `SELECT 1 FROM (SELECT * FROM invoices) i WHERE i.${MINE}`, "one"],
    [
      "a subquery that says it under another name",
      "SELECT 1 FROM (SELECT organization_id AS o FROM invoices) i WHERE i.o = $1",
      "one",
    ],
    [
      "both parts of a UNION",
      `SELECT id FROM invoices WHERE ${MINE} UNION ALL SELECT id FROM payments`,
      "loose: payments",
    ],
    [
      "the order of a UNION",
      `SELECT id FROM invoices WHERE ${MINE} UNION SELECT '' ORDER BY (SELECT 1 FROM payments)`,
      "loose: payments",
    ],
    ["an UPDATE", `UPDATE invoices i SET id = p.id FROM payments p WHERE i.${MINE} AND p.id = i.id`, "loose: payments"],
    [
      "a DELETE",
      `DELETE FROM invoices i USING payments p WHERE p.${MINE} AND i.organization_id = p.organization_id`,
      "one",
    ],
    [
      "a WITH",
      `WITH p AS (SELECT id FROM payments) UPDATE invoices i SET id = p.id FROM p WHERE i.${MINE}`,
      "loose: payments",
    ],
    [
      "keys that come in by another column",
      "UPDATE invoices SET id = '' WHERE (organization_id, id) IN (SELECT id, organization_id FROM payments)",
      "loose: invoices, payments",
    ],
    ["an INSERT", "INSERT INTO invoices (id, organization_id) VALUES ($2, $1)", "one"],
    ["an INSERT without the key", "INSERT INTO invoices (id) VALUES ($1)", "joined"],
    [
      "an INSERT of another's",
      `INSERT INTO invoices (organization_id) SELECT id FROM payments WHERE ${MINE}`,
      "loose: invoices",
    ],
    [
      "rows of arrays",
      "DELETE FROM invoices i USING unnest($1::text[]) AS u (o) WHERE i.organization_id = u.o",
      "joined",
    ],
    ["a table of no Organization", "SELECT 1 FROM worker_heartbeat", "none"],
  ];
  test.each(ties)("%s", (_, text, how) => expect(tied(text)).toBe(how));

  const ROWS = "unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (o, id, n)";
  const BOTH = `SELECT i.organization_id AS o, i.id FROM ${ROWS} JOIN invoices i ON i.organization_id = k.o
     UNION ALL SELECT p.organization_id, p.id FROM ${ROWS} JOIN payments p ON p.organization_id = k.o`;
  const R = "json_populate_recordset(NULL::invoices, $1)";
  const ofRows = (rest: string) => `SELECT 1 FROM ${ROWS} ${rest}`;
  test.each([
    ["beside the key", `SELECT 1 FROM invoices i JOIN payments p USING (organization_id) WHERE i.${MINE}`, ""],
    ["by a subquery", `SELECT 1 FROM (SELECT * FROM invoices) i WHERE i.${MINE}`, "invoices"],
    [
      "by a CTE",
      `WITH i AS (SELECT organization_id FROM invoices WHERE ${MINE})
       SELECT 1 FROM i JOIN payments p ON p.organization_id = i.organization_id`,
      "payments",
    ],
    [
      "by the parameter of a subquery",
      "SELECT 1 FROM (SELECT $1::text AS o) k JOIN payments p ON p.organization_id = k.o",
      "payments",
    ],
    [
      "by a table that stands beside it",
      `SELECT 1 FROM (SELECT $1::text AS o) k JOIN payments p ON p.organization_id = k.o WHERE p.${MINE}`,
      "",
    ],
  ])("a table that is tied %s", (_, text, found) => expect(apartIn(text)).toBe(found));

  const batches: [string, string, boolean][] = [
    ["rows of arrays", ofRows("JOIN invoices i ON i.organization_id = k.o"), true],
    ["Organizations of an array", "SELECT 1 FROM organizations WHERE id = ANY($1::text[])", true],
    ["records", `INSERT INTO invoices (id, organization_id) SELECT id, organization_id FROM ${R}`, true],
    [
      "a change by records",
      `UPDATE invoices i SET id = '' FROM ${R} r WHERE i.organization_id = r.organization_id`,
      true,
    ],
    [
      "a subquery by rows of arrays",
      ofRows("WHERE EXISTS (SELECT 1 FROM payments p WHERE p.organization_id = k.o)"),
      true,
    ],
    ["both parts of a UNION", BOTH, true],
    ["a join with a UNION", `SELECT 1 FROM (${BOTH}) b JOIN refunds r ON r.organization_id = b.o`, true],
    ["a table of all", "SELECT 1 FROM invoices", false],
    ["a join by another column", ofRows("JOIN invoices i ON i.id = k.id"), false],
    ["a table beside the rows", ofRows("JOIN invoices i ON i.organization_id = k.o, payments p"), false],
    [
      "tables that are tied to rows of their own",
      "SELECT 1 FROM invoices i, payments p WHERE i.organization_id = ANY($1) AND p.organization_id = ANY($1)",
      false,
    ],
    [
      "a query that loses the key",
      `SELECT 1 FROM (SELECT id FROM (${BOTH}) b) c JOIN refunds r ON r.organization_id = ANY($1)`,
      false,
    ],
    [
      "values of other rows",
      "SELECT 1 FROM invoices i, unnest(i.ids) AS u (o) JOIN payments p ON p.organization_id = u.o",
      false,
    ],
    ["a choice", "SELECT 1 FROM invoices WHERE organization_id = ANY($1) OR id = $2", false],
  ];
  test.each(batches)("whether parameters hold the rows: %s", (_, text, given) => expect(isGiven(text)).toBe(given));

  const CHANGES =
    "WITH a AS (DELETE FROM invoices), b AS (INSERT INTO payments (id) VALUES ('')) SELECT 1 FROM refunds";
  test.each([
    ["no change", "SELECT 1 FROM invoices", []],
    ["one change", "UPDATE invoices SET id = '' FROM payments", ["invoices"]],
    ["changes in CTEs", CHANGES, ["invoices", "payments"]],
  ])("the tables that a text writes: %s", (_, text, tables) => expect(writtenIn(text)).toEqual(tables));

  test.each([
    ["MERGE INTO invoices i USING payments p ON true WHEN MATCHED THEN DELETE", "of a kind that is not known"],
    ["SELECT 1 FROM invoices NATURAL JOIN payments", "NATURAL JOIN is not known"],
    ["SELECT 1 FROM bills", "does not say whose its rows are"],
    ["SELECT 1 FROM invoices TABLESAMPLE system (1)", "a FROM of a kind that is not known"],
    ["SELECT FROM WHERE", "syntax error"],
  ])("no way through %j", (text, error) => expect(() => tied(text)).toThrow(error));

  const faults: [string, string][] = [
    ["UPDATE t SET at = clock_timestamp()", "clock_timestamp() is volatile"],
    ["DELETE FROM t WHERE n < random()", "random() is volatile"],
    ["INSERT INTO t (id) VALUES (gen_random_uuid())", "gen_random_uuid() is volatile"],
    ["SELECT own_function()", "own_function() is not known"],
    ["SELECT CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP and its like: statement_timestamp()"],
    [
      "UPDATE t SET at = CASE WHEN a THEN statement_timestamp() END",
      "statement_timestamp() in CASE or COALESCE of a change",
    ],
    [
      "DELETE FROM t WHERE coalesce(at, statement_timestamp()) < $1",
      "statement_timestamp() in CASE or COALESCE of a change",
    ],
    ["UPDATE t SET a = 1 RETURNING now()", "now() in RETURNING"],
    ["INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET at = now()", "now() in ON CONFLICT"],
    [
      "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 1 WHERE t.at < excluded.at - interval '1 day'",
      "an interval added to a column",
    ],
    ["UPDATE t SET at = at + $1 * interval '1 second'", "an interval added to a column"],
    ["SELECT to_char(at, 'YYYY') FROM t", "to_char() without AT TIME ZONE 'UTC'"],
    ["SELECT to_char(at AT TIME ZONE 'Asia/Tokyo', 'YYYY') FROM t", "to_char() without AT TIME ZONE 'UTC'"],
    ["SELECT CASE $1 WHEN 'x' THEN 1 END", "CASE of a parameter"],
    ["UPDATE t SET a = CASE b WHEN 'x' THEN 1 END", "CASE of a column in a change"],
    ["DELETE FROM t WHERE id IN (SELECT id FROM t ORDER BY id LIMIT 9)", "IN of a list with a LIMIT"],
    ["UPDATE t SET a = 1 WHERE (o, id) IN (SELECT o, id FROM t FOR UPDATE SKIP LOCKED)", "IN of a list with a LIMIT"],
  ];
  test.each(faults)("the fault of %s", (text, complaint) => expect(complaints(text)).toEqual([complaint]));

  test.each([
    "UPDATE t SET at = statement_timestamp() + CASE WHEN a THEN interval '0' END WHERE other <= statement_timestamp()",
    "UPDATE t SET at = CASE WHEN a THEN (at AT TIME ZONE 'UTC' + interval '1 day') AT TIME ZONE 'UTC' END",
    "INSERT INTO t (at) SELECT CASE WHEN a THEN statement_timestamp() END FROM s",
    "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2 WHERE excluded.at - t.at > interval '1 day'",
    "SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY'), coalesce(at, now()) FROM t",
    "DELETE FROM t WHERE id = ANY(ARRAY(SELECT id FROM t ORDER BY id LIMIT 9))",
  ])("no fault in %s", (text) => expect(complaints(text)).toEqual([]));
});
