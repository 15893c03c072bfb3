import * as z from "zod";
import { MANIFEST } from "./manifest.ts";
import { BackupError } from "./backup-error.ts";

export const EXPORT_FORMAT = "billow-export";
/** A new version is one that a program for an older version would misread. A new file or a new field is none. */
export const EXPORT_VERSION = 1;

/** The file that names each PDF of an export. */
export const PDF_LIST = "pdfs.jsonl";
/** The beginning of the paths of PDFs. */
export const PDFS = "pdfs/";

const file = z.object({
  /** The resource of the API that each line holds. */
  resource: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
});
export type ExportedFile = z.output<typeof file>;

const manifest = z.object({
  format: z.literal(EXPORT_FORMAT),
  formatVersion: z.literal(EXPORT_VERSION),
  billowVersion: z.string(),
  /** The instant of the state that all files hold, in real time. */
  takenAt: z.string(),
  /** The same instant in billing time: another one in a sandbox with a clock of its own. */
  billingTime: z.string(),
  organization: z.object({ id: z.string(), name: z.string(), mode: z.enum(["live", "sandbox"]) }),
  files: z.record(z.string(), file),
  /** Null: the export was made without PDFs. */
  pdfs: z.object({ count: z.int(), bytes: z.int() }).nullable(),
});

/** The first entry of an export. */
export type ExportManifest = z.output<typeof manifest>;

/** @throws BackupError */
export function parseExportManifest(text: string): ExportManifest {
  try {
    return manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(`The export is damaged: ${MANIFEST} does not have its form.`, { cause: error });
  }
}
