import { readFileSync } from "node:fs";
import { join } from "node:path";

type Versions = Record<string, string>;
/** An entry of `package-lock.json`, by its place, such as `node_modules/pg`. */
export type LockedPackage = {
  version: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  optional?: boolean;
  dependencies?: Versions;
  optionalDependencies?: Versions;
  peerDependencies?: Versions;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};
export type LockedPackages = Record<string, LockedPackage>;

export function lockedPackages(root: string): LockedPackages {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: LockedPackages };
  return lock.packages;
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
export const packageName = (place: string): string => place.replace(/^.*node_modules\//, "");

/** The place of a dependency, as Node looks it up from the package at `from`. */
function locate(packages: LockedPackages, name: string, from: string): string {
  const folders = from.split("/");
  for (let n = folders.length; n >= 0; n--) {
    const place = [...folders.slice(0, n), "node_modules", name].filter(Boolean).join("/");
    if (place in packages) return place;
  }
  throw new Error(`package-lock.json lacks ${name} for ${from || "billow"}.`);
}

/**
 * The sorted places of all packages that the package at `root` brings, without its tools for development. npm's own
 * mark `dev` does not say which package brings another one. @throws Error if the lock file lacks a package
 */
export function packageTree(packages: LockedPackages, root: string): string[] {
  const found = new Set([root]);
  for (const from of found) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[from]!;
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      found.add(locate(packages, name, from));
  }
  found.delete(root);
  return [...found].sort();
}
