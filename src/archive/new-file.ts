import { once } from "node:events";
import { link, lstat, open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { BackupError, explained } from "./backup-error.ts";

/** @throws BackupError if there is something with this name */
export async function requireFree(file: string): Promise<void> {
  const isTaken = await lstat(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(file);
}

/**
 * Lets `write` fill a new file, lets `check` read the file again, and only then gives the file its name. A failure
 * leaves no file. Returns the result of `write` and the size in bytes.
 * @throws BackupError
 */
export async function writeNewFile<T>(
  file: string,
  write: (output: Writable) => Promise<T>,
  check: (draft: string) => Promise<void>,
): Promise<{ result: T; bytes: number }> {
  await requireFree(file);
  const draft = `${file}.${process.pid}.partial`;
  try {
    const result = await fill(draft, write);
    await check(draft);
    const { size: bytes } = await stat(draft);
    await name(draft, file);
    await syncDirectory(dirname(resolve(file)));
    return { result, bytes };
  } catch (error) {
    await rm(draft, { force: true });
    throw explained(file, error);
  }
}

const taken = (file: string) => new BackupError(`${file} exists already: give another name.`);

/** Codes of a file system without hard links. */
const NO_LINKS = /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/;

/** Gives the draft its name, and never takes the name from another file where the file system knows hard links. */
async function name(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw taken(file);
    if (!NO_LINKS.test(code)) throw error;
    return rename(draft, file);
  }
  await rm(draft);
}

async function fill<T>(draft: string, write: (output: Writable) => Promise<T>): Promise<T> {
  const handle = await open(draft, "wx", 0o600);
  const output = handle.createWriteStream({ flush: true });
  try {
    return await write(output);
  } finally {
    // The stream closes the file, also if the work has failed before the first byte.
    if (!output.closed) await once(output.destroy(), "close");
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}
