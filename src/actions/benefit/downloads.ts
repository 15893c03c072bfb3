import { realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Context } from "../../context.ts";

/** Where an operator puts the files that one Organization's Benefits hand out; no other can name them. */
export function downloadsDirectory(ctx: Context, organizationId: string): string {
  return join(ctx.config.dataDir, "downloads", organizationId);
}

/** The file and its size in bytes if it really lies below `root`, whatever links lead to it; null for anything else. */
export async function findBelow(root: string, path: string): Promise<{ file: string; size: number } | null> {
  try {
    const file = await realpath(resolve(root, path));
    const found = await stat(file);
    return found.isFile() && file.startsWith((await realpath(root)) + sep) ? { file, size: found.size } : null;
  } catch {
    return null; // no such file, or not for us to read
  }
}
