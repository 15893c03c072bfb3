import { hash } from "node:crypto";
import { join } from "node:path";
import { npm } from "./npm.ts";
import { committedAt, lock, manifest, read, write, type Locked } from "./sources.ts";

const FORMATS = { cyclonedx: "cdx.json", spdx: "spdx.json" };

/** Packages for development of which the server hands out a copied file (`generate.ts`). Their dependencies stay out. */
const COPIED = ["minisearch", "openapi-explorer"];

/** npm refuses a package with a wrong hash. So the lock file needs a hash of each fetched package. @throws Error */
export function checkLock(): void {
  if (lock.name !== manifest.name || lock.version !== manifest.version)
    throw new Error("package-lock.json is of another version: run npm install.");
  const fetched = Object.entries(lock.packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  const bare = fetched.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path);
  if (bare.length > 0) throw new Error(`package-lock.json has no SHA-512 for ${bare.join(", ")}.`);
}

/**
 * Writes the manifests and the lock file as production installs them. npm's `--omit=dev` would also leave out packages
 * that both production and a development tool need (nodemailer, for smtp-server).
 */
function layOut(folder: string): void {
  const copied = Object.fromEntries(COPIED.map((name) => [name, manifest.devDependencies[name]!]));
  const dependencies = { ...manifest.dependencies, ...copied };
  const kept = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const packages: Record<string, Locked> = Object.fromEntries(kept);
  packages[""] = { ...lock.packages[""], dependencies, devDependencies: {} };
  for (const name of COPIED) {
    const { dev: _dev, dependencies: _dependencies, ...locked } = lock.packages[`node_modules/${name}`]!;
    packages[`node_modules/${name}`] = locked;
  }
  write(folder, "package.json", JSON.stringify({ ...manifest, dependencies, devDependencies: {} }));
  for (const workspace of manifest.workspaces)
    write(folder, `${workspace}/package.json`, read(`${workspace}/package.json`));
  write(folder, "package-lock.json", JSON.stringify({ ...lock, packages }));
}

/** npm makes a random UUID, and takes the time of the run. The UUID becomes one of the content, the time the commit's. */
function settle(list: string): string {
  const random = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/;
  const timed = list.replace(/("(?:timestamp|created)": ")[^"]*/, `$1${committedAt()}`);
  const h = hash("sha256", timed.replace(random, ""));
  // Version 8 of RFC 9562 leaves the other bits to its maker.
  const own = `${h.slice(0, 8)}-${h.slice(8, 12)}-8${h.slice(12, 15)}-a${h.slice(15, 18)}-${h.slice(18, 30)}`;
  return timed.replace(random, own);
}

/**
 * npm's bills of materials (SBOM), by file name: the packages of the lock file on every platform, not just on this one.
 * @param work an empty folder
 */
export function billsOfMaterials(work: string): Map<string, string> {
  // npm 11 puts the folder's name into the list.
  const folder = join(work, manifest.name);
  layOut(folder);
  return new Map(
    Object.entries(FORMATS).map(([format, ending]) => [
      `${manifest.name}-${manifest.version}.${ending}`,
      settle(npm(folder, "sbom", "--package-lock-only", `--sbom-format=${format}`)),
    ]),
  );
}
