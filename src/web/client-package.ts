import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { create } from "tar";
import type { WriteEntry } from "tar";

const CLIENT = fileURLToPath(new URL("../../client/", import.meta.url));

let packed: Promise<Uint8Array> | undefined;

/**
 * The tarball that `npm pack` would make of the client. The same files always give the same bytes. They are packed
 * once per process.
 */
export function clientPackage(): Promise<Uint8Array> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<Uint8Array> {
  const built = (await readdir(`${CLIENT}dist`)).sort().map((name) => `dist/${name}`);
  const files = ["package.json", "README.md", ...built];
  return create(
    { cwd: CLIENT, prefix: "package", gzip: true, portable: true, noMtime: true, onWriteEntry: plainMode },
    files,
  ).concat();
}

/** The umask of a git checkout must not change the bytes. */
function plainMode({ stat }: WriteEntry): void {
  if (stat) stat.mode = 0o644;
}
