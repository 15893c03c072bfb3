import type { Database } from "../src/store/driver/db.ts";
import { sql } from "../src/store/driver/db.ts";

type Column = {
  table: string;
  unlogged: boolean;
  name: string;
  type: string;
  collation: string | null;
  nullable: boolean;
  default: string | null;
  options: string[] | null;
};
type Definition = { table: string; name: string; definition: string };

const columnsStatement = sql(
  "scripts.columns",
  `SELECT c.relname AS "table", c.relpersistence = 'u' AS unlogged, a.attname AS name,
    format_type(a.atttypid, a.atttypmod) AS type, co.collname AS collation, NOT a.attnotnull AS nullable,
     pg_get_expr(d.adbin, d.adrelid) AS "default", c.reloptions AS options
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
   LEFT JOIN pg_collation co ON co.oid = a.attcollation AND co.collname <> 'default'
   LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE n.nspname = 'public' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`,
);
const constraintsStatement = sql(
  "scripts.constraints",
  `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid, true) AS definition
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = 'public' AND k.contype <> 'n' ORDER BY c.relname, k.contype DESC, k.conname`,
);
const indexesStatement = sql(
  "scripts.indexes",
  `SELECT i.tablename AS "table", i.indexname AS name, replace(i.indexdef, ' public.', ' ') AS definition
    FROM pg_indexes i
   WHERE i.schemaname = 'public' AND NOT EXISTS (SELECT 1 FROM pg_constraint k 
     WHERE k.conname = i.indexname AND k.contype IN ('p', 'u', 'x'))
   ORDER BY i.tablename, i.indexname`,
);

const functionsStatement = sql(
  "scripts.functions",
  `SELECT p.proname AS name, pg_get_functiondef(p.oid) AS definition
   FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public' ORDER BY p.proname`,
);

/** The comments of the migrations, by the table, the column (`table.column`) or the index below them. */
export function migrationComments(migrations: string[]): Map<string, string[]> {
  const comments = new Map<string, string[]>();
  let pending: string[] = [];
  let table = "";
  for (const line of migrations.join("\n").split("\n")) {
    const text = /^\s*--\s?(.*)$/.exec(line)?.[1];
    if (text !== undefined) {
      pending.push(text);
      continue;
    }
    const created = /^CREATE (?:TABLE|UNLOGGED TABLE|UNIQUE INDEX|INDEX|FUNCTION) (\w+)/.exec(line)?.[1];
    const column = /^\s+"?(\w+)"?\s/.exec(line)?.[1];
    if (created) table = created;
    const about = created ?? (column && `${table}.${column}`);
    if (about && pending.length > 0) comments.set(about, pending);
    pending = [];
  }
  return comments;
}

/** `schema.sql`: the whole database as the migrations leave it, read from the server itself. */
export async function describeSchema(db: Database, migrations: string[]): Promise<string> {
  const comments = migrationComments(migrations);
  const note = (about: string, indent: string) =>
    (comments.get(about) ?? []).map((line) => `${indent}-- ${line}\n`).join("");
  const found = await db.read.query<Omit<Definition, "table">>(functionsStatement);
  const functions = found.map(({ name, definition }) => {
    const text = definition.replaceAll("public.", "").trim();
    return `${note(name, "")}${text};\n\n`;
  });
  const columns = await db.read.query<Column>(columnsStatement);
  const constraints = await db.read.query<Definition>(constraintsStatement);
  const indexes = await db.read.query<Definition>(indexesStatement);
  const tables = [...new Set(columns.map((column) => column.table))].map((table) => {
    const own = columns.filter((column) => column.table === table);
    const fields = own.map(({ name, type, collation, nullable, default: value }) =>
      [
        `${note(`${table}.${name}`, "  ")}  ${name} ${type}`,
        collation ? ` COLLATE "${collation}"` : "",
        nullable ? "" : " NOT NULL",
        value === null ? "" : ` DEFAULT ${value}`,
      ].join(""),
    );
    const rules = constraints
      .filter((constraint) => constraint.table === table)
      .map(({ definition }) => `  ${definition}`);
    const keys = indexes
      .filter((index) => index.table === table)
      .map(({ name, definition }) => `${note(name, "")}${definition};\n`);
    const kind = own.some(({ unlogged }) => unlogged) ? "UNLOGGED TABLE" : "TABLE";
    const options = own[0]?.options ? ` WITH (${own[0].options.join(", ")})` : "";
    const body = [...fields, ...rules].join(",\n");
    return `${note(table, "")}CREATE ${kind} ${table} (\n${body}\n)${options};\n${keys.join("")}`;
  });
  return (
    "-- Generated: npm run gen. The whole database as the migrations leave it; " +
    `to change it, add a migration.\n\n${functions.join("")}${tables.join("\n")}`
  );
}
