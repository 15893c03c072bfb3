import { spawnSync } from "node:child_process";

/**
 * Runs npm: the one that runs this script, else the one of the PATH. Settings that npm left in the environment for the
 * script would be those of this project. Answers stdout. @throws Error of npm
 */
export function npm(cwd: string, ...args: string[]): string {
  const { npm_execpath: path, ...environment } = process.env;
  const own = Object.entries(environment).filter(([name]) => !/^npm_/i.test(name));
  const options = { cwd, env: Object.fromEntries(own), encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const ran =
    path === undefined ? spawnSync("npm", args, options) : spawnSync(process.execPath, [path, ...args], options);
  if (ran.status !== 0) throw new Error(ran.error?.message ?? ran.stderr);
  return ran.stdout;
}
