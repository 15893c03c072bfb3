import type pg from "pg";

/** A row as PostgreSQL writes it as JSON: instants as text, `json` columns as values. */
export type Row = Record<string, unknown>;
/** A row that was written. `changed`: null for a new row, else the columns that changed. */
export type Write = { table: string; row: Row; changed: string[] | null };
type Entry = { table: string; before: Row | null; after: Row | null };

/**
 * The tables that belong to Organizations: the types of their columns in order, and the columns of their primary
 * keys. The tables of the overview's figures are left out: a sweep counts a day of events in them once (rule R5), which
 * is no part of the work on a Customer. So is the log of requests, which forgets old rows as time passes.
 */
export type Schema = Map<string, { types: Map<string, string>; key: string[] }>;

export async function readSchema(client: pg.Client): Promise<Schema> {
  const { rows } = await client.query<{ table: string; column: string; type: string; isKey: boolean }>(
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
       EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary
       AND a.attnum = ANY (i.indkey)) AS "isKey"
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND (c.relname = 'organizations' OR EXISTS (
       SELECT 1 FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'organization_id' AND NOT o.attisdropped))
       AND c.relname !~ '^(metric_|mrr_|api_requests$)'
     ORDER BY c.relname, a.attnum`,
  );
  const schema: Schema = new Map();
  for (const { table, column, type, isKey } of rows) {
    const known = schema.get(table) ?? { types: new Map<string, string>(), key: [] };
    known.types.set(column, type);
    if (isKey) known.key.push(column);
    schema.set(table, known);
  }
  return schema;
}

const START = `CREATE SCHEMA bench;
  CREATE TABLE bench.journal (seq bigserial PRIMARY KEY, "table" text NOT NULL, before json, after json);
  CREATE FUNCTION bench.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO bench.journal ("table", before, after) VALUES (TG_TABLE_NAME,
      CASE WHEN TG_OP <> 'INSERT' THEN to_json(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_json(NEW) END);
    RETURN NULL;
  END $$;`;

/**
 * Every write to these tables during `work`, in order and by any process. Triggers note the writes, so that the
 * measured code stays unchanged. The triggers are removed after `work`.
 */
export async function journalOf(client: pg.Client, schema: Schema, work: () => Promise<void>): Promise<Entry[]> {
  await client.query(START);
  for (const table of schema.keys()) {
    await client.query(
      `CREATE TRIGGER bench AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION bench.note()`,
    );
  }
  try {
    await work();
    return (await client.query<Entry>(`SELECT "table", before, after FROM bench.journal ORDER BY seq`)).rows;
  } finally {
    await client.query("DROP SCHEMA bench CASCADE");
  }
}

/** The entries as one write for each row, with its last state. @throws Error if an existing row was removed. */
export function writesOf(entries: readonly Entry[], schema: Schema): Write[] {
  const found = new Map<string, Entry>();
  for (const { table, before, after } of entries) {
    const key = `${table} ${schema
      .get(table)!
      .key.map((column) => String((after ?? before)![column]))
      .join(" ")}`;
    const first = found.get(key);
    if (after === null && first?.before !== null) throw new Error(`a row of ${table} was removed`);
    if (after === null) found.delete(key);
    else found.set(key, { table, before: first ? first.before : before, after });
  }
  return [...found.values()].flatMap(({ table, before, after }): Write[] => {
    if (before === null) return [{ table, row: after!, changed: null }];
    const changed = Object.keys(after!).filter(
      (column) => JSON.stringify(after![column]) !== JSON.stringify(before[column]),
    );
    return changed.length === 0 ? [] : [{ table, row: after!, changed }];
  });
}

/**
 * The writes of a renewal in three parts: before the call to the provider, in the provider's own book, and after the
 * provider's answer.
 */
export type Phases = { invoice: Write[]; charge: Write[]; settle: Write[] };

/**
 * The mailer writes each e-mail later and at its own pace. Only the new row of an e-mail belongs to the renewal, not
 * its updates.
 * @throws Error if no charge was made.
 */
export function phasesOf(entries: readonly Entry[], schema: Schema): Phases {
  const own = entries.filter(({ table, before }) => table !== "emails" || before === null);
  const isBooked = ({ table }: Entry) => table.startsWith("sandbox_");
  const charged = own.findIndex(isBooked);
  if (charged < 0) throw new Error("the provider made no charge");
  const rest = own.slice(charged);
  return {
    invoice: writesOf(own.slice(0, charged), schema),
    charge: writesOf(rest.filter(isBooked), schema),
    settle: writesOf(
      rest.filter((entry) => !isBooked(entry)),
      schema,
    ),
  };
}
