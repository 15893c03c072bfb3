import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { sql, type Database, type Tx } from "./driver/db.ts";
import { rekeyEmails } from "./email-keys.ts";
import { sqlState, violated } from "./driver/failures.ts";
import { CLUSTER_SETTINGS, placeNewTables, readUnplaced } from "./distribution/tables.ts";
import { statementsOf } from "./driver/script.ts";
import { requireFitServer } from "./driver/server.ts";
import { reviewTaxRegions } from "./tax-region-review.ts";

/** The state of the schema: names of migrations, in order. `unknown`: applied by another version of Billow. */
export type MigrationState = { missing: string[]; edited: string[]; unknown: string[] };

/** A fault of the database's schema, in one line for the operator. */
export class MigrationError extends Error {}

export type Migration = { name: string; checksum: string; text: string };

/** The part of a migration that SQL can't do. The step runs after the statements, in the same transaction. */
const STEPS: Readonly<Record<string, (tx: Tx) => Promise<void>>> = {
  "0085-tax-regions.sql": reviewTaxRegions,
  "0086-international-domains.sql": rekeyEmails,
};
/** How long the step of a migration may wait for an answer of PostgreSQL. */
const STEP_MILLISECONDS = 3_600_000;

const DIRECTORY = new URL("../../migrations/", import.meta.url);
const FILE = /^\d{4}-[a-z0-9-]+\.sql$/;
const UNDEFINED_TABLE = "42P01";

const appliedStatement = sql("migrations.applied", "SELECT name, checksum FROM schema_migrations ORDER BY name");
const latestStatement = sql("migrations.latest", "SELECT max(name) AS name FROM schema_migrations");

/** The migrations of this version of Billow, in order. `directory` must end in a slash. */
export async function readMigrations(directory = DIRECTORY): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

/** Makes the table of the migrations. */
export const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name       text COLLATE "C" PRIMARY KEY,
  checksum   text NOT NULL,
  applied_at timestamptz NOT NULL
)`;

/**
 * `IF NOT EXISTS` races with itself: of two processes, one fails on the new table's catalog entries, but its second run
 * finds the table.
 */
async function createTable(db: Database): Promise<void> {
  await db.script(CREATE_TABLE).catch(() => db.script(CREATE_TABLE));
}

async function appliedChecksums(db: Database): Promise<Map<string, string>> {
  const rows = await db.read.query<{ name: string; checksum: string }>(appliedStatement);
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** As `appliedChecksums`. A database without the table has no migration. */
const appliedIfAny = (db: Database): Promise<Map<string, string>> =>
  appliedChecksums(db).catch((error: unknown) => {
    if (sqlState(error) === UNDEFINED_TABLE) return new Map<string, string>();
    throw error;
  });

async function withStep(db: Database, statements: readonly string[], step: (tx: Tx) => Promise<void>): Promise<void> {
  const unlimited = ["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0"];
  await db.tx(async (tx) => {
    for (const text of [...unlimited, ...statements]) await tx.query({ name: "", text });
    await step(tx);
  }, STEP_MILLISECONDS);
}

/**
 * Sends statement by statement, because a distributed PostgreSQL accepts only one statement in a message. The row of
 * the migration is inserted first: of several processes one writes the row, and the others wait for the end of that
 * transaction. After a commit the others find the migration applied; after a rollback one of them applies it. False:
 * another process applied it.
 */
async function apply(db: Database, { name, checksum, text }: Migration): Promise<boolean> {
  const row = `INSERT INTO schema_migrations VALUES ('${name}', '${checksum}', statement_timestamp())`;
  const statements = [...(db.isDistributed() ? CLUSTER_SETTINGS : []), row, ...statementsOf(text)];
  const step = STEPS[name];
  try {
    await (step ? withStep(db, statements, step) : db.script(...statements));
    return true;
  } catch (error) {
    if (violated(error) === "schema_migrations_pkey") return false;
    throw new MigrationError(`The migration ${name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Brings the schema up to this version of Billow. Applies each file once, in one transaction with its row, even if
 * other processes migrate at the same time. On a distributed database, gives new tables their places. Returns the
 * names of the applied migrations.
 * @throws ServerError for a server that Billow can't work on, MigrationError for a failing migration, for one edited
 * after it was applied, or on a worker node of a cluster if there is anything to do
 */
export async function migrate(db: Database, directory?: URL): Promise<string[]> {
  await requireFitServer(db);
  const migrations = await readMigrations(directory);
  const coordinator = db.coordinator();
  if (coordinator !== null) return requireMigratedNode(db, migrations, coordinator);
  await createTable(db);
  let applied = await appliedChecksums(db);
  const done: string[] = [];
  for (const migration of migrations) {
    if (!applied.has(migration.name)) {
      if (await apply(db, migration)) {
        done.push(migration.name);
        continue;
      }
      applied = await appliedChecksums(db);
    }
    requireUnedited(migration, applied);
  }
  if (db.isDistributed()) await place(db);
  return done;
}

function requireUnedited({ name, checksum }: Migration, applied: ReadonlyMap<string, string>): void {
  if (applied.get(name) === checksum) return;
  throw new MigrationError(
    `The migration ${name} was edited after it was applied to this database; add a new one instead.`,
  );
}

/** Only the coordinator of a cluster can change its schema. Returns no name, because no file was applied. */
async function requireMigratedNode(
  db: Database,
  migrations: readonly Migration[],
  coordinator: string,
): Promise<string[]> {
  const applied = await appliedIfAny(db);
  const isMissing = migrations.some(({ name }) => !applied.has(name));
  if (isMissing || !db.isDistributed() || (await db.bulk(readUnplaced)).length > 0)
    throw new MigrationError(
      `DATABASE_URL names a worker node, and this work needs the coordinator, ${coordinator}: ` +
        "run node bin/billow.mjs migrate there.",
    );
  for (const migration of migrations) requireUnedited(migration, applied);
  return [];
}

/** Places the new tables of a distributed database, also those of an earlier run that ended before it placed them. */
async function place(db: Database): Promise<void> {
  try {
    await placeNewTables(db);
  } catch (error) {
    throw new MigrationError(
      `The migrations are applied, but a new table has no place on the nodes yet: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** The migrations of this version that the database lacks or has in another form, and those of other versions. */
export async function readMigrationState(db: Database): Promise<MigrationState> {
  const migrations = await readMigrations();
  const applied = await appliedIfAny(db);
  const known = new Set(migrations.map(({ name }) => name));
  const namesOf = (found: Migration[]) => found.map(({ name }) => name);
  return {
    missing: namesOf(migrations.filter(({ name }) => !applied.has(name))),
    edited: namesOf(migrations.filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)),
    unknown: [...applied.keys()].filter((name) => !known.has(name)),
  };
}

let latest: Promise<string | undefined> | undefined;

/** Whether every migration of this version is applied. True also for a database that a newer version migrated. */
export async function isCurrent(db: Database): Promise<boolean> {
  latest ??= readMigrations().then((migrations) => migrations.at(-1)?.name);
  const wanted = (await latest) ?? "";
  try {
    const [row] = await db.read.query<{ name: string | null }>(latestStatement);
    return (row?.name ?? "") >= wanted;
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return false;
    throw error;
  }
}
