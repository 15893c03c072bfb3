import { runTask, type Task } from "./task.ts";

// The checks that take only seconds. `npm test` runs them first.
const TASKS: Task[] = [
  { name: "types", program: "typescript/bin/tsc", args: ["-p", "."] },
  { name: "types of the client", program: "typescript/bin/tsc", args: ["-p", "client", "--noEmit"] },
  { name: "format", program: "oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "lint", program: "oxlint/bin/oxlint", args: [] },
  {
    name: "house rules",
    program: "vitest/vitest.mjs",
    args: ["run", "test/tidy.test.ts", "test/drawing.test.ts", "test/decisions.test.ts"],
  },
];

const passed = await Promise.all(TASKS.map((task) => runTask(task, true)));
process.exit(passed.every(Boolean) ? 0 : 1);
