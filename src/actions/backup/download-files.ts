import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, readdir, realpath, rename, rm, utimes } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import type { NamedFile } from "../../store/backup/named-files.ts";
import { findBelow } from "../benefit/downloads.ts";
import { damaged } from "../../archive/archive-reader.ts";
import { Meter } from "../../archive/archive-writer.ts";
import { BackupError, explained } from "../../archive/backup-error.ts";

const FOLDER = "downloads";

/** A file to download, by its path below the directory `downloads`. */
export type DownloadFile = { path: string; file: string; size: number };

const namesIn = (directory: string) =>
  readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw explained(directory, error);
  });

/** `above`: the real paths of the directories around, because a link may lead back to one of them. */
async function* walk(root: string, path: string, above: readonly string[]): AsyncGenerator<DownloadFile> {
  const directory = await realpath(join(root, path));
  if (above.includes(directory)) return;
  const found = (await namesIn(directory)).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const each of found) {
    const own = path === "" ? each.name : `${path}/${each.name}`;
    const file = await findBelow(root, own);
    if (file) yield { path: own, ...file };
    else if (each.isDirectory() || each.isSymbolicLink())
      yield* await walkable(root, own).then((is) => (is ? walk(root, own, [...above, directory]) : []));
  }
}

const walkable = async (root: string, path: string): Promise<boolean> =>
  realpath(join(root, path)).then(
    () => true,
    () => false,
  );

/** The files that buyers could download, in the order of their paths. */
export async function* downloadFiles(dataDir: string): AsyncGenerator<DownloadFile> {
  const organizations = (await namesIn(join(dataDir, FOLDER))).map(({ name }) => name).sort();
  for (const organization of organizations) {
    const root = join(dataDir, FOLDER, organization);
    if (!(await walkable(dataDir, join(FOLDER, organization)))) continue;
    for await (const { path, ...found } of walk(root, "", [])) yield { path: `${organization}/${path}`, ...found };
  }
}

/** The path of a file below the directory `downloads`. */
export const pathOf = ({ organizationId, path }: NamedFile): string => posix.join(organizationId, path);

/** The paths of those files that are not below the directory `downloads`. */
export async function missingAmong(dataDir: string, named: readonly NamedFile[]): Promise<string[]> {
  const missing: string[] = [];
  for (const each of named)
    if (!(await findBelow(join(dataDir, FOLDER, each.organizationId), each.path))) missing.push(pathOf(each));
  return missing;
}

/** A path of a backup, unless the path leads out of the directory. */
function safe(path: string): string {
  const names = path.split("/");
  if (names.length < 2 || names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0")))
    throw damaged(`"${path}" is no path of a file to download`);
  return path;
}

async function digestOf(file: string): Promise<string> {
  const meter = new Meter();
  for await (const chunk of createReadStream(file)) meter.add(chunk as Buffer);
  return meter.end().sha256;
}

/** Moves a file, also to another file system: there, the name stands for the whole file or for none. */
async function move(file: string, target: string, mtime: Date): Promise<void> {
  try {
    return await rename(file, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
  }
  const draft = `${target}.of-backup`;
  try {
    await copyFile(file, draft);
    await utimes(draft, mtime, mtime);
    const handle = await open(draft, "r+");
    await handle.sync().finally(() => handle.close());
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Files of a backup beside the directory `downloads`, until they are put into that directory. */
export class IncomingFiles {
  readonly #dataDir: string;
  #draft: string | null = null;
  readonly #added: { path: string; mtime: Date }[] = [];

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Writes one file. @throws BackupError if another file has the path already */
  async add(path: string, mtime: Date, body: AsyncIterable<Buffer>): Promise<void> {
    await mkdir(this.#dataDir, { recursive: true });
    this.#draft ??= await mkdtemp(join(this.#dataDir, `${FOLDER}-of-backup-`));
    const file = join(this.#draft, safe(path));
    const meter = new Meter();
    await mkdir(dirname(file), { recursive: true });
    const measured = async function* () {
      for await (const chunk of body) {
        meter.add(chunk);
        yield chunk;
      }
    };
    await pipeline(measured, createWriteStream(file, { flags: "wx", flush: true })).catch((error: unknown) => {
      throw explained(file, error);
    });
    await utimes(file, mtime, mtime);
    const present = join(this.#dataDir, FOLDER, path);
    const other = await digestOf(present).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw explained(present, error);
    });
    if (other !== null && other !== meter.end().sha256)
      throw new BackupError(`${present} has other contents than in the backup: move the file away, and repeat.`);
    this.#added.push({ path, mtime });
  }

  /** Puts all files into the directory `downloads`. */
  async place(): Promise<void> {
    for (const { path, mtime } of this.#added) {
      const target = join(this.#dataDir, FOLDER, path);
      const placed = async () => {
        await mkdir(dirname(target), { recursive: true });
        await move(join(this.#draft!, path), target, mtime);
      };
      await placed().catch((error: unknown) => {
        throw explained(target, error);
      });
    }
  }

  /** Removes the files that were not placed. */
  async clear(): Promise<void> {
    if (this.#draft) await rm(this.#draft, { recursive: true, force: true });
  }
}
