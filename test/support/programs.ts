import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** True if the path may be executed. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of these programs that is on the PATH, searched directory by directory. */
export function findProgram(names: readonly string[]): string | undefined {
  const directories = (process.env["PATH"] ?? "").split(delimiter).filter((directory) => directory !== "");
  return directories.flatMap((directory) => names.map((name) => join(directory, name))).find(isExecutable);
}

/** Installs a package only as root on Debian, as in a container of a CI. A developer's machine stays as it is. */
export function installPackage(name: string): void {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Several processes of a run may install at once, and then wait for each other.
  const patient = ["-o", "DPkg::Lock::Timeout=300"];
  const apt = (...args: string[]) => spawnSync("apt-get", [...patient, ...args], { env }).status === 0;
  if (!apt("install", "-y", name) && apt("update")) apt("install", "-y", name);
}
