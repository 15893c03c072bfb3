import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FONT_FILES } from "../../src/documents/fonts.ts";
import { npm } from "./npm.ts";
import { copy, filesBelow, manifest, pack, ROOT, trackedFiles, write } from "./sources.ts";

/** The files beside the compiled program: those that the server reads or hands out, and those for a reader. */
const FILES = [
  ".env.example",
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "README.md",
  "bin",
  "client/LICENSE",
  "client/README.md",
  "client/dist",
  "client/package.json",
  "clients",
  "docs",
  "migrations",
  "src",
];
/** TypeScript comes compiled. The pages at `/docs` show no pictures but drawings. */
const LEFT_OUT = /^src\/.*\.ts$|\.webp$/;

/** Files of packages that no program reads. Each file costs time in an installation. */
const IDLE =
  /\.(map|md|markdown|[cm]?ts|png|yml)$|\.test\.[cm]?js$|\/(tests?|benchmarks?)\/|\/highlight\.js\/(es|scss|styles)\//;
const LICENCE = /(licen[cs]e|copying|notice)[^/]*$/i;

/** A clone's commands, and those of an installed package, where `billow` is a program of its own. */
const COMMANDS: [RegExp, string][] = [
  // A function of the shell with the name of the program would call itself without end.
  [/(\(cd \S+ &&) node bin\/billow\.mjs "\$@"\)/g, '$1 command billow "$@")'],
  [/\bnode bin\/billow\.mjs\b/g, "billow"],
  [/\bnpm ci && npm start\b|\bnpm start\b/g, "billow start"],
];
/** The texts that name commands to people. The decisions and the pages about the code speak of a clone. */
const TEXTS = ["src/**/*.js", "docs/*.md", "docs/{api-guide,guides,operating}/*.md"];
/** These pages install the sources of a clone on a server or in an image, where no program is called `billow`. */
const OF_A_CLONE = ["docs/guides/going-live.md", "docs/operating/containers.md"];

/** Node runs no TypeScript below `node_modules`. @throws Error */
function compile(folder: string): void {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, "-p", "tsconfig.release.json", "--outDir", folder],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`The server can't be compiled:\n${stdout}`);
}

function nameCommands(folder: string): void {
  for (const name of globSync(TEXTS, { cwd: folder }).filter((each) => !OF_A_CLONE.includes(each))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const named = COMMANDS.reduce((changed, [inClone, installed]) => changed.replace(inClone, installed), text);
    if (named !== text) writeFileSync(path, named);
  }
}

/**
 * Installs the packages of production into the package, as the lock file names them. npm follows no lock file in a
 * tarball that it installs. A Node and a PostgreSQL stay optional packages, because each platform has its own. The
 * packages run under this Node: the limits of their manifests would only warn of the Node that npm runs on.
 */
function bundle(folder: string): void {
  const workspaces = manifest.workspaces.map((each) => `${each}/package.json`);
  copy(folder, ["package.json", "package-lock.json", ".npmrc", ...workspaces]);
  npm(folder, "ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--prefer-offline");
  for (const path of globSync("node_modules/**/package.json", { cwd: folder }).map((name) => join(folder, name))) {
    const { engines, ...kept } = JSON.parse(readFileSync(path, "utf8")) as { engines?: unknown };
    if (engines !== undefined) writeFileSync(path, JSON.stringify(kept, null, 2));
  }
}

/** Also the link to the client, which stands beside `node_modules`. */
const ONLY_OF_NPM = /^(\.npmrc|package-lock\.json|node_modules\/(\.bin\/.*|\.package-lock\.json|@billow\/.*))$/;

function isShipped(path: string): boolean {
  if (ONLY_OF_NPM.test(path)) return false;
  const [, inPackages] = /^node_modules\/(.*)$/.exec(path) ?? [];
  if (inPackages === undefined) return true;
  return path.endsWith(".ttf") ? FONT_FILES.includes(inPackages) : !IDLE.test(path) || LICENCE.test(path);
}

function builtManifest(): string {
  const { name, version, description, license, type, bin, dependencies, optionalDependencies } = manifest;
  const built = {
    name,
    version,
    description,
    license,
    type,
    bin,
    imports: { "#main": "./src/main.js" },
    engines: { node: ">=20" },
    dependencies,
    optionalDependencies,
    bundleDependencies: Object.keys(dependencies),
  };
  return `${JSON.stringify(built, null, 2)}\n`;
}

/** The tarball that `npm install` and `npx` take. @param folder is empty */
export function serverPackage(folder: string): Promise<Buffer> {
  bundle(folder);
  compile(folder);
  copy(
    folder,
    trackedFiles(...FILES).filter((path) => !LEFT_OUT.test(path)),
  );
  nameCommands(folder);
  write(folder, "package.json", builtManifest());
  return pack(folder, "package", filesBelow(folder).filter(isShipped));
}
