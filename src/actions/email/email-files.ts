import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../context.ts";
import { isId } from "../../ids.ts";
import { readableOf } from "../../store/email-files.ts";

const directory = ({ config }: Pick<Context, "config">) => join(config.dataDir, "emails");
const EXTENSION = ".eml";
/**
 * The ending of the name of an incomplete file: the file is being written, or a dead process left it behind. The next
 * attempt overwrites the file.
 */
const PART = ".part";
const FILE_NAME = /^([^.]+)\.eml(\.part)?$/;
const BATCH = 500;

/**
 * Writes the file of an e-mail, whole or not at all, and answers its path. Only the operating system's user that runs
 * Billow can read the file.
 */
export async function writeEmailFile(
  ctx: Context,
  organizationId: string,
  id: string,
  content: Uint8Array,
): Promise<string> {
  const folder = join(directory(ctx), organizationId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, id + EXTENSION);
  await writeFile(path + PART, content, { mode: 0o600 });
  await rename(path + PART, path);
  return path;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // there has been no file yet
  }
}

/**
 * Removes the e-mail files on this machine whose e-mail is no longer stored, or whose Customer is deleted (rule I5m).
 */
export async function removeOldEmailFiles(ctx: Context, stopping: AbortSignal): Promise<void> {
  for (const organizationId of await namesIn(directory(ctx))) {
    if (!isId("org", organizationId)) continue;
    const folder = join(directory(ctx), organizationId);
    const files = (await namesIn(folder)).flatMap((name) => {
      const id = FILE_NAME.exec(name)?.[1];
      return id === undefined ? [] : [{ name, id }];
    });
    for (let from = 0; from < files.length && !stopping.aborted; from += BATCH) {
      const some = files.slice(from, from + BATCH);
      const readable = await readableOf(
        ctx.db.read,
        organizationId,
        some.map(({ id }) => id),
      );
      for (const { name, id } of some) if (!readable.has(id)) await rm(join(folder, name), { force: true });
    }
  }
}
