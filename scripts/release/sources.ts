import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { create, type WriteEntry } from "tar";

export const ROOT = join(import.meta.dirname, "../..");

export const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

type Versions = Record<string, string>;
export type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  type: string;
  bin: Record<string, string>;
  workspaces: string[];
  dependencies: Versions;
  devDependencies: Versions;
  optionalDependencies: Versions;
};
export type Locked = {
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  dependencies?: Versions;
  devDependencies?: Versions;
};
export type Lock = { name: string; version: string; packages: Record<string, Locked> };

export const manifest = JSON.parse(read("package.json")) as Manifest;
export const lock = JSON.parse(read("package-lock.json")) as Lock;

const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });

/** The paths of the files that git tracks at or below these paths; without paths, all of them. */
export const trackedFiles = (...paths: string[]): string[] =>
  git("ls-files", "-z", "--", ...paths)
    .split("\0")
    .filter(Boolean);

/** A release is of one commit. @throws Error that names files with changes, and files that git does not track */
export function checkCommitted(folder = ROOT): void {
  const changed = git("-C", folder, "status", "--porcelain", "--untracked-files=all").trimEnd();
  if (changed !== "") throw new Error(`Commit these files, or take them away:\n${changed}`);
}

/** The instant of the commit. Lists that name an instant name this one, so that a commit always gives the same bytes. */
export const committedAt = (): string => new Date(git("log", "-1", "--format=%cI").trim()).toISOString();

export function write(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Copies files of the project to the same paths below a folder. */
export function copy(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(folder, path));
  }
}

/** The sorted paths of the files below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** The umask of the checkout must not change the bytes. Of a file's mode, git tracks one bit. */
function plainMode({ stat }: WriteEntry): void {
  if (stat) stat.mode = stat.mode & 0o100 ? 0o755 : 0o644;
}

/** A tarball of these files below a folder. The same files always give the same bytes. */
export const pack = (folder: string, prefix: string, files: readonly string[]): Promise<Buffer> =>
  create({ cwd: folder, prefix, gzip: true, portable: true, noMtime: true, onWriteEntry: plainMode }, [
    ...files,
  ]).concat() as Promise<Buffer>;
