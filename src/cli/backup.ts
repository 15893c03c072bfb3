import { createReadStream } from "node:fs";
import { backUp, type BackedUp } from "../actions/backup/back-up.ts";
import { writeNewFile } from "../archive/new-file.ts";
import { BackupError, explained } from "../archive/backup-error.ts";
import type { Totals } from "../archive/manifest.ts";
import { checkBackup } from "../archive/read-backup.ts";
import { counted } from "../domain/words.ts";
import { VERSION } from "../version.ts";
import { CommandError, HELD, UsageError, type Command, type Output, type Wiring } from "./command.ts";
import { openExisting } from "./database.ts";

/** The word in place of a file that stands for stdout or stdin. */
export const STREAM = "-";

/** @throws UsageError for an empty name, such as that of an unset variable */
export function requireName(file: string | undefined): string {
  if (!file) throw new UsageError("FILE is empty.");
  return file;
}

/** A signal for work that stops at the first signal of the process. */
export function stopSignal(wiring: Wiring): AbortSignal {
  const stopping = new AbortController();
  void wiring.listenForStop().once.then(() => stopping.abort(new BackupError("Stopped.")));
  return stopping.signal;
}

/** Runs work on a backup, with its refusals as errors of the command. */
export async function asCommand<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const stopped = (error as Error).name === "AbortError" ? (error as Error).cause : error;
    throw stopped instanceof BackupError ? new CommandError(stopped.message, { cause: error }) : error;
  }
}

/** The numbers of a backup, for a sentence and for `--json`. */
export function summaryOf({ tables, files }: Totals): { says: string; json: object } {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const [ofTables, ofFiles] = [Object.keys(tables).length, Object.keys(files).length];
  const says = `${counted(rows, "row")} of ${counted(ofTables, "table")}, ${counted(ofFiles, "file")} to download`;
  return { says, json: { rows, tables: ofTables, files: ofFiles } };
}

/** The lines about files that Benefits offer and that are missing at `place`. */
export const missingLines = (paths: readonly string[], place: string): string[] =>
  paths.length === 0 ? [] : [`Benefits offer ${counted(paths.length, "file")} not in ${place}:`, ...paths];

function present({ manifest, totals, foreignTables, missingFiles }: BackedUp, bytes: number | null): Output {
  const { takenAt, secretFingerprints } = manifest;
  const { says, json } = summaryOf(totals);
  const size = bytes === null ? "" : `, ${counted(Math.ceil(bytes / 1_000), "kB", "kB")}`;
  const notes = [
    ...(foreignTables.length > 0 ? [`Not in the backup, because not Billow's: ${foreignTables.join(", ")}.`] : []),
    ...missingLines(missingFiles, "the directory downloads of BILLOW_DATA_DIR, and not in the backup"),
  ];
  return {
    text: [
      `Backed up the state of ${takenAt}: ${says}${size}.`,
      `A restore needs the secret with the fingerprint ${secretFingerprints[0]}, which is not in the backup.`,
      ...notes,
    ].join("\n"),
    json: {
      takenAt,
      ...json,
      ...(bytes !== null && { bytes }),
      secretFingerprint: secretFingerprints[0],
      foreignTables,
      missingFiles,
    },
  };
}

export const backup: Command = {
  usage: "backup FILE",
  summary: "writes the database and the files to download to a new file; - is stdout",
  group: "Data and imports",
  options: {},
  example: "backup billow.backup",
  exits: { 3: "the backup is written, but files to download were missing" },
  words: 1,
  async run(wiring, _values, words) {
    const file = requireName(words[0]);
    const output = file === STREAM ? wiring.output() : null;
    if (output && "isTTY" in output && output.isTTY)
      throw new UsageError("The terminal can't take a backup: name a FILE.");
    const signal = stopSignal(wiring);
    const ctx = await openExisting(wiring);
    try {
      return await asCommand(async () => {
        if (output) {
          const made = await backUp(ctx, VERSION, output, signal).catch((error: unknown) => {
            throw explained("stdout", error);
          });
          wiring.note(present(made, null).text);
          return made.missingFiles.length > 0 ? HELD : 0;
        }
        const check = (draft: string) => checkBackup(createReadStream(draft, { signal }));
        const { result, bytes } = await writeNewFile(file, (to) => backUp(ctx, VERSION, to, signal), check);
        wiring.print(present(result, bytes));
        return result.missingFiles.length > 0 ? HELD : 0;
      });
    } finally {
      await ctx.close();
    }
  },
};
