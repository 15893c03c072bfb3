import { defineConfig } from "vitest/config";
import { OVER_STRIPE } from "./test/support/over-stripe/files.ts";
import { Sequencer } from "./test/support/sequencer.ts";

const API = ["actions", "api", "http", "payments", "store"];
const STORIES = ["docs", "documents", "emails", "faults", "scenarios", "simulation"];
const UNIT = ["client", "domain", "exam", "outbound"];
const filesOf = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** The files of a process follow each other in it and share its modules, its server and its database. */
const COMMON = { pool: "forks", isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } as const;
const DATABASE = {
  ...COMMON,
  globalSetup: ["test/support/global-setup.ts"],
  provide: { provider: "sandbox" },
} as const;

export default defineConfig({
  test: {
    // Twice as many as there are cores on a small machine: many tests wait for processes, deadlines and leases.
    maxWorkers: 4,
    teardownTimeout: 30_000,
    sequence: { sequencer: Sequencer },
    projects: [
      { test: { ...COMMON, name: "unit", include: ["src/**/*.test.ts", ...filesOf(UNIT)] } },
      { test: { ...DATABASE, name: "api", include: filesOf(API) } },
      { test: { ...DATABASE, name: "stories", include: filesOf(STORIES) } },
      // The scenarios and the fault table again, over Stripe's adapter and the local Stripe server.
      { test: { ...DATABASE, name: "stripe", ...OVER_STRIPE, provide: { provider: "stripe" } } },
      // Processes, browsers, other computers and real time.
      {
        test: {
          ...DATABASE,
          name: "world",
          include: ["test/**/*.test.ts"],
          exclude: filesOf([...API, ...STORIES, ...UNIT, "over-stripe"]),
        },
      },
    ],
  },
});
