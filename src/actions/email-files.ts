import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import { isId } from "../ids.ts";
import { readableOf } from "../store/emails.ts";

const directory = ({ config }: Pick<Context, "config">) => join(config.dataDir, "emails");
const EXTENSION = ".eml";
const BATCH = 500;

/** Where the e-mail of this id is, whole or not at all. Only whoever runs Billow can read it. */
export async function writeEmailFile(ctx: Context, organizationId: string, id: string, content: Uint8Array): Promise<string> {
  const folder = join(directory(ctx), organizationId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, id + EXTENSION);
  await writeFile(`${path}.part`, content, { mode: 0o600 });
  await rename(`${path}.part`, path);
  return path;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // there has been no file yet
  }
}

/** Removes the files of e-mails that are forgotten, or whose Customer was deleted (rule I5), as far as they are on this machine. */
export async function removeOldEmailFiles(ctx: Context): Promise<void> {
  for (const organizationId of await namesIn(directory(ctx))) {
    if (!isId("org", organizationId)) continue;
    const folder = join(directory(ctx), organizationId);
    const ids = (await namesIn(folder)).filter((name) => name.endsWith(EXTENSION)).map((name) => name.slice(0, -EXTENSION.length));
    for (let from = 0; from < ids.length; from += BATCH) {
      const some = ids.slice(from, from + BATCH);
      const readable = await readableOf(ctx.db.read, organizationId, some);
      for (const id of some) if (!readable.has(id)) await rm(join(folder, id + EXTENSION), { force: true });
    }
  }
}
