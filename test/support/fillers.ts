import { sql, type Database } from "../../src/store/driver/db.ts";

// The database of such a test holds no other rows, so only unique constraints have to hold.
const fillerStatement = sql(
  "test.filler",
  `SELECT c.table_name AS "table", json_object_agg(c.column_name, CASE
     WHEN c.column_name = 'organization_id' THEN to_json($1::text)
     WHEN c.data_type = 'text' THEN '"x"' WHEN c.data_type = 'boolean' THEN 'false' WHEN c.data_type = 'json' THEN '{}'
     WHEN c.data_type = 'ARRAY' THEN '[]' WHEN c.data_type LIKE 'timestamp%' THEN to_json(now())
     WHEN c.data_type = 'bytea' THEN '"x"'
     ELSE '1' END) AS filler
   FROM information_schema.columns c WHERE c.table_schema = 'public'
   AND (c.is_nullable = 'NO' OR c.column_default IS NOT NULL)
   GROUP BY c.table_name`,
);
const checksStatement = sql(
  "test.checks",
  // Of all catalogues, only pg_class hides the parts of a cluster's tables.
  `SELECT c.conrelid::regclass::text AS "table", c.conname AS name
   FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
   WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('c', 'f')`,
);

/** By the name of a table, a value for each column that must have one, as JSON. */
export async function readFillers(db: Database, organizationId: string): Promise<ReadonlyMap<string, object>> {
  const rows = await db.read.query<{ table: string; filler: object }>(fillerStatement, [organizationId]);
  return new Map(rows.map(({ table, filler }) => [table, filler]));
}

/** Drops the checks and foreign keys of all tables, so that a row needs no other rows. */
export async function dropChecks(db: Database): Promise<void> {
  for (const { table, name } of await db.read.query<{ table: string; name: string }>(checksStatement))
    await db.script(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
}

/** Inserts rows with these columns, named as in the database. The other columns have any values. */
export async function insertRows(
  db: Database,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const filler = (await readFillers(db, "org_filler")).get(table);
  const values = JSON.stringify(rows.map((row) => ({ ...filler, ...row })));
  const statement = sql(
    `test.insert_${table}`,
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
  );
  await db.tx((tx) => tx.query(statement, [values]));
}
