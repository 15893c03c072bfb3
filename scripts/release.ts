import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

// Writes npm's software bills of materials (SBOM) of a release, in both formats, to `release/` or `--out DIRECTORY`.
const ROOT = join(import.meta.dirname, "..");
const FORMATS = { cyclonedx: "cdx.json", spdx: "spdx.json" };

type Versions = Record<string, string>;
type Manifest = {
  name: string;
  version: string;
  workspaces: string[];
  dependencies: Versions;
  devDependencies: Versions;
};
type Locked = {
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  dependencies?: Versions;
  devDependencies?: Versions;
};
type Lock = { name: string; version: string; packages: Record<string, Locked> };

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8")) as unknown;

/** Packages for development of which the server hands out a copied file (`generate.ts`). Their dependencies stay out. */
const COPIED = ["minisearch", "openapi-explorer"];

/** npm refuses a package with a wrong hash. So the lock file needs a hash of each fetched package. @throws Error */
function checkLock({ name, version, packages }: Lock, manifest: Manifest): void {
  if (name !== manifest.name || version !== manifest.version)
    throw new Error("package-lock.json is of another version: run npm install.");
  const fetched = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  const bare = fetched.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path);
  if (bare.length > 0) throw new Error(`package-lock.json has no SHA-512 for ${bare.join(", ")}.`);
}

/**
 * Writes the manifests and the lock file as production installs them. The folder has the package's name, since npm 11
 * puts the folder's name into the list. npm's `--omit=dev` would also leave out packages that both production and a
 * development tool need (nodemailer, for smtp-server).
 */
function layOut(folder: string, manifest: Manifest, lock: Lock): void {
  const copied = Object.fromEntries(COPIED.map((name) => [name, manifest.devDependencies[name]!]));
  const dependencies = { ...manifest.dependencies, ...copied };
  const files = new Map<string, unknown>([["package.json", { ...manifest, dependencies, devDependencies: {} }]]);
  for (const workspace of manifest.workspaces)
    files.set(`${workspace}/package.json`, read(`${workspace}/package.json`));
  const kept = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const packages: Record<string, Locked> = Object.fromEntries(kept);
  packages[""] = { ...lock.packages[""], dependencies, devDependencies: {} };
  for (const name of COPIED) {
    const { dev: _dev, dependencies: _dependencies, ...locked } = lock.packages[`node_modules/${name}`]!;
    packages[`node_modules/${name}`] = locked;
  }
  files.set("package-lock.json", { ...lock, packages });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  }
}

/** Lists the packages of the lock file: those of every platform, not just of this one. @throws Error of npm */
function listPackages(folder: string, format: string): string {
  const args = ["sbom", "--package-lock-only", `--sbom-format=${format}`];
  const { npm_execpath: npm } = process.env;
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const ran =
    npm === undefined ? spawnSync("npm", args, options) : spawnSync(process.execPath, [npm, ...args], options);
  if (ran.status !== 0) throw new Error(ran.error?.message ?? ran.stderr);
  return ran.stdout;
}

const { values } = parseArgs({ options: { out: { type: "string", default: join(ROOT, "release") } } });
const manifest = read("package.json") as Manifest;
const lock = read("package-lock.json") as Lock;
checkLock(lock, manifest);
mkdirSync(values.out, { recursive: true });
const temporary = mkdtempSync(join(tmpdir(), "billow-release-"));
try {
  const folder = join(temporary, manifest.name);
  layOut(folder, manifest, lock);
  for (const [format, ending] of Object.entries(FORMATS)) {
    const path = join(values.out, `${manifest.name}-${manifest.version}.${ending}`);
    writeFileSync(path, listPackages(folder, format));
    console.log(path);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
