import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { create } from "tar";
import type { WriteEntry } from "tar";

const CLIENT = fileURLToPath(new URL("../../client/", import.meta.url));

let packed: Promise<Uint8Array> | undefined;

/** The tarball that `npm pack` would make of the client. The same files give the same bytes; they are packed once a process. */
export function clientPackage(): Promise<Uint8Array> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<Uint8Array> {
  const built = (await readdir(`${CLIENT}dist`)).sort().map((name) => `dist/${name}`);
  const files = ["package.json", "README.md", ...built];
  return create({ cwd: CLIENT, prefix: "package", gzip: true, portable: true, noMtime: true, onWriteEntry: plainMode }, files).concat();
}

/** A checkout's umask must not reach the bytes. */
function plainMode({ stat }: WriteEntry): void {
  if (stat) stat.mode = 0o644;
}
