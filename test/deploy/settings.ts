import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/source.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The variables that Billow takes, as the template of settings lists them. */
export const SETTINGS = [...read(".env.example").matchAll(/^#(\w+)=/gm)].map(([, name]) => name!);

/** The commands of Billow without their options, as the table of commands has them. */
export const COMMANDS = [...read("src/command-line.ts").matchAll(/^ {2}"?([a-z][a-z -]*)"?: async \(\) =>/gm)].map(
  ([, name]) => name!,
);
