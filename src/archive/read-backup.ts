import { isDeepStrictEqual } from "node:util";
import { pipeline, type Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { ArchiveReader, cut, damaged, type Entry } from "./archive-reader.ts";
import { Meter } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";
import {
  DOWNLOADS,
  MANIFEST,
  parseManifest,
  parseTotals,
  partsOf,
  TOTALS,
  type Manifest,
  type Table,
  type Totals,
} from "./manifest.ts";

/** The receiver of the parts of a backup, in their order. Each body must be read to its end. */
export type Receiver = {
  file(path: string, entry: Entry, body: AsyncIterable<Buffer>): Promise<void>;
  /** Answers the number of the rows. */
  table(table: Table, body: AsyncIterable<Buffer>): Promise<number>;
};

/** A backup of which the manifest has been read. */
export type OpenBackup = {
  manifest: Manifest;
  /** Reads all the rest once. @throws BackupError if a size or a checksum differs */
  read(receiver: Receiver): Promise<Totals>;
};

const NO_BACKUP = "This file is no backup of Billow.";

/** The codes of the compression: the beginning is of another format, the bytes were changed, the end is missing. */
function explainCompression(error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ZSTD_error_prefix_unknown") return new BackupError(NO_BACKUP, { cause: error });
  if (code === "Z_BUF_ERROR" || code === "ERR_STREAM_PREMATURE_CLOSE") return cut(error);
  return code.startsWith("ZSTD_error") ? damaged("the compressed bytes were changed", error) : error;
}

async function* decompressed(source: Readable): AsyncGenerator<Buffer> {
  const out = createZstdDecompress();
  pipeline(source, out, () => undefined);
  try {
    yield* out as AsyncIterable<Buffer>;
  } catch (error) {
    throw explainCompression(error);
  }
}

async function* metered(meter: Meter, archive: ArchiveReader): AsyncGenerator<Buffer> {
  for await (const chunk of archive.body()) {
    meter.add(chunk);
    yield chunk;
  }
}

/** The bytes of all parts of a table. Leaves the archive at the entry after them. */
async function* rowsOf(archive: ArchiveReader, table: string, meter: Meter): AsyncGenerator<Buffer> {
  while (archive.current?.path.startsWith(partsOf(table))) {
    yield* metered(meter, archive);
    await archive.next();
  }
}

function compare(found: Totals, stated: Totals): void {
  for (const kind of ["tables", "files"] as const) {
    const names = new Set([...Object.keys(found[kind]), ...Object.keys(stated[kind])]);
    for (const name of names) {
      if (!isDeepStrictEqual(found[kind][name], stated[kind][name]))
        throw damaged(
          `${kind === "tables" ? "the rows of the table" : "the file"} ${name} are not those that were written`,
        );
    }
  }
}

async function readRest(archive: ArchiveReader, { tables }: Manifest, receiver: Receiver): Promise<Totals> {
  const found: Totals = { tables: {}, files: {} };
  for (let at = await archive.next(); at?.path.startsWith(DOWNLOADS); at = await archive.next()) {
    const [path, meter] = [at.path.slice(DOWNLOADS.length), new Meter()];
    await receiver.file(path, at, metered(meter, archive));
    found.files[path] = meter.end();
  }
  for (const table of tables) {
    const meter = new Meter();
    const rows = await receiver.table(table, rowsOf(archive, table.name, meter));
    found.tables[table.name] = { rows, ...meter.end() };
  }
  if (archive.current?.path !== TOTALS)
    throw damaged(`${archive.current?.path ?? "the end"} stands in place of ${TOTALS}`);
  const stated = parseTotals(await archive.text());
  if (await archive.next()) throw damaged("there is an entry after the last one");
  await archive.finish();
  compare(found, stated);
  return stated;
}

/** Opens a backup, and reads its manifest. @throws BackupError */
export async function openBackup(source: Readable): Promise<OpenBackup> {
  const archive = new ArchiveReader(decompressed(source));
  const first = await archive.next();
  if (first?.path !== MANIFEST) throw new BackupError(NO_BACKUP);
  const manifest = parseManifest(await archive.text());
  return { manifest, read: (receiver) => readRest(archive, manifest, receiver) };
}

const NEWLINE = 10;

/** Reads a backup, and keeps no part of it. In PostgreSQL's text format each row ends with the only newline of the row. */
const COUNTING: Receiver = {
  async file(_path, _entry, body) {
    for await (const _chunk of body);
  },
  async table(_table, body) {
    let rows = 0;
    for await (const chunk of body)
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
    return rows;
  },
};

/** Reads a whole backup, and checks each size and checksum. @throws BackupError */
export async function checkBackup(source: Readable): Promise<void> {
  await (await openBackup(source)).read(COUNTING);
}
