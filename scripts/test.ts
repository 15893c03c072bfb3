import { spawnSync } from "node:child_process";
import { runTask } from "./task.ts";

// Everything: the checks, then the tests. Arguments go to vitest: `npm test -- test/api`. A part of the tests runs
// without the checks, which take a quarter of a minute.
const args = process.argv.slice(2);
const checks = [new URL("check.ts", import.meta.url).pathname];
const isChecked = args.length > 0 || spawnSync(process.execPath, checks, { stdio: "inherit" }).status === 0;
const isTested = await runTask({ name: "tests", program: "vitest/vitest.mjs", args: ["run", ...args] }, false);
process.exit(isChecked && isTested ? 0 : 1);
