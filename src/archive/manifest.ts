import * as z from "zod";
import { BackupError } from "./backup-error.ts";

export const FORMAT = "billow-backup";
/** A new version is one that an older release can't read. */
export const FORMAT_VERSION = 1;

export const MANIFEST = "manifest.json";
export const TOTALS = "totals.json";
/** The beginnings of the names of files to download, and of the parts of a table. */
export const DOWNLOADS = "downloads/";
export const partsOf = (table: string): string => `tables/${table}/`;

const mark = z.object({ format: z.literal(FORMAT), formatVersion: z.int() });
const manifest = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.literal(FORMAT_VERSION),
  billowVersion: z.string(),
  /** The instant of the state that the backup holds. */
  takenAt: z.string(),
  postgresqlVersion: z.string(),
  installationId: z.string().nullable(),
  /** The ids of the keys that BILLOW_SECRET and BILLOW_SECRET_PREVIOUS make, the current one first. */
  secretFingerprints: z.array(z.string()).min(1),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), columns: z.array(z.string()).min(1) })),
});

/** The first entry of a backup. */
export type Manifest = z.output<typeof manifest>;
/** A table with the columns whose values a backup holds. */
export type Table = Manifest["tables"][number];

const size = z.object({ bytes: z.int(), sha256: z.string() });
const totals = z.object({
  tables: z.record(z.string(), size.extend({ rows: z.int() })),
  files: z.record(z.string(), size),
});

/** The last entry of a backup: the sizes and checksums of all entries before. `files`: by path. */
export type Totals = z.output<typeof totals>;

const DAMAGED = "The backup is damaged";

function parseAs<Schema extends z.ZodType>(schema: Schema, name: string, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(`${DAMAGED}: ${name} does not have its form.`, { cause: error });
  }
}

/** @throws BackupError for a file that is no backup, and for one in a form of a later release */
export function parseManifest(text: string): Manifest {
  const { formatVersion } = parseAs(mark, MANIFEST, text);
  if (formatVersion > FORMAT_VERSION)
    throw new BackupError(
      `This release of Billow does not know the format ${formatVersion} of this backup: take a newer release.`,
    );
  return parseAs(manifest, MANIFEST, text);
}

/** @throws BackupError */
export const parseTotals = (text: string): Totals => parseAs(totals, TOTALS, text);

/** The text of an entry of JSON, for people and programs. */
export const toText = (content: Manifest | Totals): string => `${JSON.stringify(content, null, 2)}\n`;
