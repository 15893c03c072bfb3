import { findProgram, installPackage } from "./programs.ts";

const HOW =
  "The test of the quickstart for Python needs Python 3.9 or newer on the PATH: " +
  "on Debian and Ubuntu run `apt-get install python3`.";

const find = () => findProgram(["python3"]);

/** @throws Error that says how to get Python, if there is none. */
export function requirePython(): void {
  if (!find()) installPackage("python3");
  if (!find()) throw new Error(HOW);
}
