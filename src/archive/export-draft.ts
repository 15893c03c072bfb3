import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { Meter, type Measured } from "./archive-writer.ts";
import { BackupError, explained } from "./backup-error.ts";
import { syncDirectory } from "./new-file.ts";

/**
 * A file that is whole. `state`: a text that differs once the rows behind the file differ; null: the file is never
 * kept for a later run.
 */
export type Part = Measured & { rows: number; state: string | null };

const book = z.object({
  format: z.literal("billow-export-draft"),
  key: z.string(),
  parts: z.record(
    z.string(),
    z.object({ rows: z.int(), bytes: z.int(), sha256: z.string(), state: z.string().nullable() }),
  ),
});

const BOOK = "draft.json";
/** The files of a run that ended before its draft had a book. */
const UNFINISHED_BOOK = /^draft\.json\.\d+\.partial$/;

/**
 * The files of an export that is under way, in a directory beside the file of the export. A file is written under
 * another name, and gets its own name once it is on the disk. The book of the draft names the files that are whole, so
 * that a later run can keep them.
 */
export class ExportDraft {
  readonly #directory: string;
  readonly #key: string;
  readonly #parts: Map<string, Part>;
  /** Whether an earlier run began this draft. */
  readonly isContinued: boolean;

  private constructor(directory: string, key: string, parts: Record<string, Part> | null) {
    this.#directory = directory;
    this.#key = key;
    this.#parts = new Map(Object.entries(parts ?? {}));
    this.isContinued = parts !== null;
  }

  /**
   * Opens the draft beside `file`, or makes its directory. `key`: all that the bytes of the files depend on, beside the
   * rows. A draft with another key is removed first. A directory that is no draft stays as it is.
   * @throws BackupError
   */
  static async open(file: string, key: string): Promise<ExportDraft> {
    const directory = `${file}.draft`;
    try {
      const found = await readFile(join(directory, BOOK), "utf8").then(
        (text) => book.safeParse(JSON.parse(text)).data ?? null,
        () => null,
      );
      if (found?.key === key) return new ExportDraft(directory, key, found.parts);
      if (found === null) await requireNoOther(directory);
      await rm(directory, { recursive: true, force: true });
      // The directory around must exist, as for any file.
      await mkdir(directory, { mode: 0o700 });
      return new ExportDraft(directory, key, null);
    } catch (error) {
      throw explained(file, error);
    }
  }

  /** From now on a later run can continue the draft. Must be called before the first file. @throws BackupError */
  async begin(): Promise<void> {
    await this.#write();
  }

  /** The file of an earlier run; null: there is none, or the rows behind it differ. */
  async kept(name: string, state: string | null): Promise<Part | null> {
    const part = this.#parts.get(name);
    if (part === undefined || state === null || part.state !== state) return null;
    const size = await sizeOf(join(this.#directory, name));
    return size === part.bytes ? part : null;
  }

  /** Writes a file of lines. @throws BackupError, the error of `lines` */
  async write(name: string, state: string | null, lines: AsyncIterable<readonly object[]>): Promise<Part> {
    const meter = new Meter();
    let rows = 0;
    const bytes = async function* () {
      for await (const page of lines) {
        rows += page.length;
        const chunk = Buffer.from(page.map((line) => `${JSON.stringify(line)}\n`).join(""));
        meter.add(chunk);
        yield chunk;
      }
    };
    await this.#fill(name, bytes());
    const part = { rows, ...meter.end(), state };
    this.#parts.set(name, part);
    await this.#write();
    return part;
  }

  /**
   * Makes a small file once: a file with this name is whole, from this run or from an earlier one. Answers its size
   * and checksum.
   */
  async once(name: string, make: () => Promise<Uint8Array>): Promise<Measured> {
    const path = join(this.#directory, name);
    const meter = new Meter();
    if ((await sizeOf(path)) === null) {
      const made = await make();
      await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
      await this.#fill(name, [made]);
      meter.add(made);
    } else for await (const chunk of this.read(name)) meter.add(chunk);
    return meter.end();
  }

  read(name: string): AsyncIterable<Buffer> {
    return createReadStream(join(this.#directory, name));
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #fill(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const path = join(this.#directory, name);
    // Two runs at once don't write into one file.
    const unfinished = `${path}.${process.pid}.partial`;
    try {
      await pipeline(bytes, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw explained(path, error);
    }
  }

  async #write(): Promise<void> {
    const text = JSON.stringify({
      format: "billow-export-draft",
      key: this.#key,
      parts: Object.fromEntries(this.#parts),
    });
    await this.#fill(BOOK, [Buffer.from(text)]);
    await syncDirectory(this.#directory);
  }
}

/** @throws BackupError if a file, or a directory with files of others, has the name of the draft */
async function requireNoOther(directory: string): Promise<void> {
  const names = await readdir(directory).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR" && (await sizeOf(directory)) !== null) return null;
    throw error;
  });
  if (names?.every((name) => UNFINISHED_BOOK.test(name))) return;
  throw new BackupError(`${directory} is no draft of an export: give another name, or remove it.`);
}

async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  );
}
