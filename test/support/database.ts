import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase, type Database } from "../../src/store/driver/db.ts";

/**
 * The access to one database of the server that the whole run shares. `workers`: the ports of the workers on the same
 * host, if the server is the coordinator of a cluster.
 */
export type Connection = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  workers?: readonly number[];
};

declare module "vitest" {
  interface ProvidedContext {
    /** A migrated database without connections. Each test database is a copy of it. */
    template: Connection;
    /** A data directory after a first start; null with TEST_DATABASE_URL. */
    installed: string | null;
    /** Holds the data directories of the run's installations, and goes with the run. */
    directory: string;
  }
}

export type TestDatabase = { db: Database; url: string; connection: Connection; drop(): Promise<void> };

/** The connection as a `DATABASE_URL`. The host may be the directory of a Unix socket. */
export function toUrl({ host, port, user, password, database }: Connection): string {
  const url = new URL(`postgres://localhost/${database}`);
  url.username = user;
  url.password = password;
  url.searchParams.set("host", host);
  url.searchParams.set("port", String(port));
  return url.href;
}

/** Runs one statement on a connection of its own to the server's maintenance database. */
export async function administer(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** As `administer`, on each node if the server is the coordinator of a cluster. Nodes know a database by its name. */
async function administerNodes(connection: Connection, statement: string): Promise<void> {
  for (const port of [connection.port, ...(connection.workers ?? [])])
    await administer({ ...connection, port }, statement);
}

/** The beginning of the names of a template's copies. */
const copiesOf = ({ database }: Connection) => `${database}_copy_`;

/** Drops the copies that the processes of a run still kept for a next test. */
export async function dropCopies(template: Connection): Promise<void> {
  const client = new pg.Client({ ...template, database: "postgres" });
  await client.connect();
  const left = "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)";
  const { rows } = await client.query<{ name: string }>(left, [copiesOf(template)]);
  for (const { name } of rows) await administerNodes(template, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.end();
}

/** A copy of `source`, on the server of `template`. */
export async function createFrom(template: Connection, source: string = template.database): Promise<TestDatabase> {
  const connection = { ...template, database: `${copiesOf(template)}${randomBytes(8).toString("hex")}` };
  await administerNodes(template, `CREATE DATABASE ${connection.database} TEMPLATE ${source}`);
  const db = openDatabase(connection, { transactions: 8 });
  return {
    db,
    url: toUrl(connection),
    connection,
    async drop() {
      await db.end();
      await administerNodes(template, `DROP DATABASE IF EXISTS ${connection.database} WITH (FORCE)`);
    },
  };
}

/** A database of this test alone, migrated and without a row. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(inject("template"));
}

/** A database of this test alone, not migrated. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom(inject("template"), "template0");
}
