import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { reasonOf } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { createKeyring } from "../../keyring.ts";
import type { Bulk } from "../../store/driver/bulk.ts";
import { sqlState } from "../../store/driver/failures.ts";
import { requireFitServer } from "../../store/driver/server.ts";
import {
  addForeignColumns,
  analyzeTables,
  dropColumns,
  loadTable,
  lockForRestore,
  makeBareSchema,
  markAsCopy,
  readRelations,
} from "../../store/backup/load.ts";
import { migrate, readMigrations } from "../../store/migrate.ts";
import { listOrganizations } from "../../store/organizations.ts";
import { readInstallation, type InstallationState } from "../installation.ts";
import { verifyOrganization, type Verification } from "../verify.ts";
import { damaged } from "../../archive/archive-reader.ts";
import { BackupError } from "../../archive/backup-error.ts";
import { readNamedFiles } from "../../store/backup/named-files.ts";
import { IncomingFiles, missingAmong } from "./download-files.ts";
import type { Manifest, Totals } from "../../archive/manifest.ts";
import type { OpenBackup } from "../../archive/read-backup.ts";

/**
 * A restored database. `foreignColumns`: columns of the backup that no migration has made, left out. `applied`: the
 * migrations of this release that the backup did not have. `verifications`: the findings about each Organization.
 * `missingFiles`: files that Benefits offer, and that the data directory lacks.
 */
export type Restored = {
  totals: Totals;
  foreignColumns: string[];
  applied: string[];
  installation: InstallationState;
  verifications: Verification[];
  missingFiles: string[];
};

/** @throws BackupError for a backup of a later release, or of a release with other migrations */
export async function requireKnownMigrations({ migrations, billowVersion }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (!known.has(name))
      throw new BackupError(
        `The backup was made by Billow ${billowVersion}, and this release lacks its migration ${name}: restore with ` +
          "that release or a later one.",
      );
    if (known.get(name) !== checksum)
      throw new BackupError(`The migration ${name} of the backup is another one than that of this release.`);
  }
}

type Secrets = Pick<Context["config"], "dataDir" | "secret" | "previousSecrets">;

/** @throws BackupError unless the current secret of the backup is one of these secrets. `secret` null: there is none */
export function requireSecret({ dataDir, secret, previousSecrets }: Secrets, { secretFingerprints }: Manifest): void {
  const [wanted] = secretFingerprints;
  const given = secret === null ? [] : createKeyring(secret, previousSecrets).sealing.map(({ id }) => id);
  if (given.includes(wanted!)) return;
  const found = secret === null ? `${dataDir} has none` : `the fingerprint of the given one is ${given[0]}`;
  throw new BackupError(
    `The backup needs the secret with the fingerprint ${wanted}, and ${found}: set BILLOW_SECRET to the secret of ` +
      "the original, or give --other-secret to go on without its links and stored keys.",
  );
}

const MOST_NAMED = 3;

function notEmpty(relations: readonly string[]): BackupError {
  const others = relations.length - MOST_NAMED;
  const names = [...relations.slice(0, MOST_NAMED), ...(others > 0 ? [`${others} more`] : [])].join(", ");
  return new BackupError(
    `The database is not empty, and has these tables: ${names}. Make an empty database for DATABASE_URL, or name a ` +
      "new directory with BILLOW_DATA_DIR.",
  );
}

/** The classes of the errors about rows that PostgreSQL can't read, and of violated constraints. */
const WRONG_ROWS = /^2[23]/;

/** Runs a part of the load of which the rows come from the backup. */
async function loading<T>(part: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!WRONG_ROWS.test(sqlState(error) ?? "")) throw error;
    throw damaged(`PostgreSQL refuses ${part}: ${(error as Error).message}`, error);
  }
}

/** One transaction, so that a failure at any point leaves an empty database. */
async function load(
  bulk: Bulk,
  { manifest, read }: OpenBackup,
  files: IncomingFiles,
  signal: AbortSignal,
): Promise<Pick<Restored, "totals" | "foreignColumns">> {
  await bulk.begin("BEGIN ISOLATION LEVEL READ COMMITTED");
  await lockForRestore(bulk);
  const relations = await readRelations(bulk);
  if (relations.length > 0) throw notEmpty(relations);
  const completions = await makeBareSchema(bulk, new Set(manifest.migrations.map(({ name }) => name)));
  const foreign = await addForeignColumns(bulk, manifest.tables);
  if (foreign === null) throw damaged("its tables are not those of its migrations");
  const totals = await read({
    file: (path, { mtime }, body) => files.add(path, mtime, body),
    table: (table, body) => {
      signal.throwIfAborted();
      return loading(`the rows of the table ${table.name}`, loadTable(bulk, table, body));
    },
  });
  await dropColumns(bulk, foreign);
  for (const statement of completions) {
    signal.throwIfAborted();
    await loading("the rows", bulk.query(statement));
  }
  await markAsCopy(bulk, newId("ins"));
  // The files come first. A restore that is repeated after a crash finds the same files again.
  await files.place();
  signal.throwIfAborted();
  await bulk.commit();
  return { totals, foreignColumns: foreign.map(({ table, column }) => `${table}.${column}`) };
}

/** The rows and files of a backup are in their places, and a step after that failed. */
export class RestoreUnfinished extends Error {}

async function afterLoad<T>(step: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const message = `The rows are restored, but ${step} failed: ${reasonOf(error)}.`;
    throw new RestoreUnfinished(message, { cause: error });
  }
}

async function verifyAll(ctx: Context, organizations: readonly Organization[]): Promise<Verification[]> {
  const found: Verification[] = [];
  for (const organization of organizations) found.push(await verifyOrganization(ctx, organization));
  return found;
}

async function examine(ctx: Context): Promise<Omit<Restored, "totals" | "foreignColumns" | "applied">> {
  await analyzeTables(ctx.db);
  const verifications = await verifyAll(ctx, await listOrganizations(ctx.db.read));
  const missingFiles = await missingAmong(ctx.config.dataDir, await ctx.db.bulk(readNamedFiles));
  return { installation: await readInstallation(ctx), verifications, missingFiles };
}

/**
 * Restores a backup into an empty database and the data directory, migrates the database to this release, and verifies
 * each Organization. The database is a copy afterwards: its charges, e-mails and webhooks are held (rule D1c). A
 * failure before the end of the load leaves the database empty.
 * @throws BackupError, AppError `unavailable`, RestoreUnfinished
 */
export async function restore(ctx: Context, backup: OpenBackup, signal: AbortSignal): Promise<Restored> {
  await requireFitServer(ctx.db);
  const files = new IncomingFiles(ctx.config.dataDir);
  const loaded = await ctx.db.bulk((bulk) => load(bulk, backup, files, signal), signal).finally(() => files.clear());
  const applied = await afterLoad("the migration", migrate(ctx.db));
  const found = await afterLoad("the verification", examine(ctx));
  return { ...loaded, applied, ...found };
}
