import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { create } from "tar";
import type { WriteEntry } from "tar";

const CLIENT = fileURLToPath(new URL("../../client/", import.meta.url));

/** `path`: below PUBLIC_ORIGIN. The path contains a hash of the bytes, so a lock file's hash stays true. */
export type ClientPackage = { path: string; tarball: Uint8Array<ArrayBuffer> };

let packed: Promise<ClientPackage> | undefined;

/** The tarball that `npm pack` would make of the client. The package is made once per process. */
export function clientPackage(): Promise<ClientPackage> {
  packed ??= pack();
  return packed;
}

/** The names that tarballs have or had. `/client.tgz` was the name of every version. */
export const CLIENT_PATHS = ["/client.tgz", "/client/:file{billow-.+\\.tgz}"];

async function pack(): Promise<ClientPackage> {
  const { version } = JSON.parse(await readFile(`${CLIENT}package.json`, "utf8")) as { version: string };
  const tarball = await makeTarball();
  return { path: `/client/billow-${version}-${hash("sha256", tarball).slice(0, 16)}.tgz`, tarball };
}

/** The same files always give the same bytes. */
async function makeTarball(): Promise<Uint8Array<ArrayBuffer>> {
  const entries = await readdir(`${CLIENT}dist`, { recursive: true, withFileTypes: true });
  const built = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(CLIENT, join(entry.parentPath, entry.name)));
  const files = ["package.json", "LICENSE", "README.md", ...built.sort()];
  const options = { cwd: CLIENT, prefix: "package", portable: true, noMtime: true, onWriteEntry: plainMode };
  return create({ ...options, gzip: true }, files).concat() as Promise<Uint8Array<ArrayBuffer>>;
}

/** The umask of a git checkout must not change the bytes. */
function plainMode({ stat }: WriteEntry): void {
  if (stat) stat.mode = 0o644;
}
