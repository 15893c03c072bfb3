import { realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Context } from "../../context.ts";

/**
 * The directory of the files that buyers of one Organization's Benefits can download. An operator puts the files there;
 * no other Organization can name them.
 */
export function downloadsDirectory(ctx: Context, organizationId: string): string {
  return join(ctx.config.dataDir, "downloads", organizationId);
}

/** The file and its size in bytes, if the file lies below `root` after all links are followed; otherwise null. */
export async function findBelow(root: string, path: string): Promise<{ file: string; size: number } | null> {
  try {
    const file = await realpath(resolve(root, path));
    const found = await stat(file);
    return found.isFile() && file.startsWith((await realpath(root)) + sep) ? { file, size: found.size } : null;
  } catch {
    return null; // the file is missing or not readable
  }
}
