import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "./support/source.ts";

type Manifest = { allowScripts: Record<string, boolean> };
type Lock = { packages: Record<string, { hasInstallScript?: boolean }> };

const read = async <T>(file: string) => JSON.parse(await readFile(join(ROOT, file), "utf8")) as T;

/** Runs npm without the settings of the machine. Answers all that npm writes to stderr. */
async function warningsOf(cwd: string, args: string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const settings = { npm_config_userconfig: join(tmpdir(), "no-such-npmrc"), npm_config_update_notifier: "false" };
  const env = { ...Object.fromEntries(own), ...settings };
  return (await promisify(execFile)("npm", [...args, "--dry-run", "--offline"], { cwd, env })).stderr;
}

describe("npm ci", () => {
  test("runs no install script of a package, and package.json decides on each of them", async () => {
    const [{ allowScripts }, { packages }] = [
      await read<Manifest>("package.json"),
      await read<Lock>("package-lock.json"),
    ];
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
  });

  test("has no warning", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "billow-npm-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    for (const file of ["package.json", "package-lock.json", ".npmrc", "client/package.json"])
      await cp(join(ROOT, file), join(cwd, file));
    expect(await warningsOf(cwd, ["ci", "--loglevel=warn"])).toBe("");
  });

  test("is silent about the Node of the host", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "billow-npm-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(join(cwd, "package.json"), '{"engines": {"node": ">=9999"}}');
    expect(await warningsOf(cwd, ["install"])).toContain("EBADENGINE");
    await cp(join(ROOT, ".npmrc"), join(cwd, ".npmrc"));
    expect(await warningsOf(cwd, ["install"])).toBe("");
  });
});
