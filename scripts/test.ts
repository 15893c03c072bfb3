import { spawnSync } from "node:child_process";
import { runTask } from "./task.ts";

// Everything: the checks, then the tests. Arguments go to vitest: `npm test -- test/api`.
const check = spawnSync(process.execPath, [new URL("check.ts", import.meta.url).pathname], { stdio: "inherit" });
const tests = await runTask(
  { name: "tests", program: "vitest/vitest.mjs", args: ["run", ...process.argv.slice(2)] },
  false,
);
process.exit(check.status === 0 && tests ? 0 : 1);
