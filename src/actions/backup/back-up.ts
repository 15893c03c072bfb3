import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Readable, type Writable } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";
import type { Context } from "../../context.ts";
import type { Bulk } from "../../store/driver/bulk.ts";
import { readMigrations } from "../../store/migrate.ts";
import { copyTable, openTableSnapshot, type TableSnapshot } from "../../store/backup/snapshot.ts";
import { archiveEnd, entry, parts, smallEntry } from "../../archive/archive-writer.ts";
import { BackupError } from "../../archive/backup-error.ts";
import { readNamedFiles } from "../../store/backup/named-files.ts";
import { downloadFiles, pathOf } from "./download-files.ts";
import {
  DOWNLOADS,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  partsOf,
  toText,
  TOTALS,
  type Manifest,
  type Totals,
} from "../../archive/manifest.ts";

/**
 * A written backup. `foreignTables`: tables of the schema that are not Billow's, and not in the backup. `missingFiles`:
 * files that Benefits offer, and that were not found.
 */
export type BackedUp = { manifest: Manifest; totals: Totals; foreignTables: string[]; missingFiles: string[] };

type World = Pick<Context, "db" | "config" | "keyring">;

function manifestOf({ keyring }: World, snapshot: TableSnapshot, billowVersion: string): Manifest {
  const { takenAt, server: postgresqlVersion, installationId, migrations, tables } = snapshot;
  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    billowVersion,
    takenAt,
    postgresqlVersion,
    installationId,
    secretFingerprints: keyring.sealing.map(({ id }) => id),
    migrations,
    tables,
  };
}

const DISTRIBUTED =
  "This database is distributed over several nodes, and their states would not be of one instant: back up each node " +
  "by the tools of PostgreSQL and Citus.";

/** @throws BackupError for a database of a later release: the backup would lack its new tables */
async function requireKnown({ migrations }: TableSnapshot): Promise<void> {
  const known = new Set((await readMigrations()).map(({ name }) => name));
  const unknown = migrations.find(({ name }) => !known.has(name));
  if (unknown)
    throw new BackupError(
      `A later release of Billow has migrated this database (${unknown.name}): back up with that release.`,
    );
}

async function* contents(ctx: World, bulk: Bulk, manifest: Manifest, totals: Totals): AsyncGenerator<Buffer> {
  const mtime = new Date(manifest.takenAt);
  yield* smallEntry(MANIFEST, toText(manifest), mtime);
  // A Benefit names a file that lies there already. So the files of all Benefits of the snapshot are found now.
  for await (const { path, file } of downloadFiles(ctx.config.dataDir)) {
    const found = await stat(file);
    const changed = () => new BackupError(`${file} was changed while it was read: repeat the backup.`);
    totals.files[path] = yield* entry(`${DOWNLOADS}${path}`, found, createReadStream(file), changed);
  }
  for (const table of manifest.tables) {
    const { result: rows, ...measured } = yield* parts(partsOf(table.name), mtime, copyTable(bulk, table));
    totals.tables[table.name] = { rows, ...measured };
  }
  yield* smallEntry(TOTALS, toText(totals), mtime);
  yield archiveEnd();
}

/**
 * Writes a backup to `output`, and ends `output`: one state of the database, and the files to download. Memory stays
 * bounded: a table passes by in parts.
 * @throws BackupError
 */
export async function backUp(
  ctx: World,
  billowVersion: string,
  output: Writable,
  signal: AbortSignal,
): Promise<BackedUp> {
  return ctx.db.bulk(async (bulk) => {
    const snapshot = await openTableSnapshot(bulk);
    if (snapshot === "empty") throw new BackupError("The database is empty: there is no table to back up.");
    if (snapshot === "distributed") throw new BackupError(DISTRIBUTED);
    await requireKnown(snapshot);
    const manifest = manifestOf(ctx, snapshot, billowVersion);
    const totals: Totals = { tables: {}, files: {} };
    const named = (await readNamedFiles(bulk)).map(pathOf);
    const bytes = Readable.from(contents(ctx, bulk, manifest, totals), { objectMode: false });
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    await pipeline(bytes, compress, output, { signal });
    const missingFiles = named.filter((path) => totals.files[path] === undefined);
    await bulk.commit();
    return { manifest, totals, foreignTables: snapshot.foreignTables, missingFiles };
  }, signal);
}
