import { defineConfig } from "vitest/config";
import { Sequencer } from "./test/support/sequencer.ts";

const API = ["actions", "api", "http", "payments", "store"];
const STORIES = ["docs", "documents", "emails", "faults", "scenarios", "simulation"];
const UNIT = ["client", "domain", "exam", "outbound"];
const filesOf = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** The files of a process follow each other in it and share its modules, its server and its database. */
const COMMON = { pool: "forks", isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } as const;

export default defineConfig({
  test: {
    // Twice as many as there are cores on a small machine: many tests wait for processes, deadlines and leases.
    maxWorkers: 4,
    teardownTimeout: 30_000,
    sequence: { sequencer: Sequencer },
    projects: [
      { test: { ...COMMON, name: "unit", include: ["src/**/*.test.ts", ...filesOf(UNIT)] } },
      { test: { ...COMMON, name: "api", include: filesOf(API), globalSetup: ["test/support/global-setup.ts"] } },
      {
        test: { ...COMMON, name: "stories", include: filesOf(STORIES), globalSetup: ["test/support/global-setup.ts"] },
      },
      // Processes, browsers, other computers and real time.
      {
        test: {
          ...COMMON,
          name: "world",
          include: ["test/**/*.test.ts"],
          exclude: filesOf([...API, ...STORIES, ...UNIT]),
          globalSetup: ["test/support/global-setup.ts"],
        },
      },
    ],
  },
});
