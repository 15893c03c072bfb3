import { defineConfig } from "vitest/config";
import { OVER_STRIPE } from "./test/support/over-stripe/files.ts";
import { APART, filesOf, SHARING } from "./test/support/projects.ts";
import { Sequencer } from "./test/support/sequencer.ts";

/** The files of a process follow each other in it and share its modules, its server and its database. */
const COMMON = {
  pool: "forks",
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // The limit of Vitest is a second. A busy machine can take longer for 300 requests.
  expect: { poll: { timeout: 90_000 } },
} as const;
const DATABASE = {
  ...COMMON,
  globalSetup: ["test/support/global-setup.ts"],
  provide: { provider: "sandbox", seeds: 8 },
} as const;

const withDatabase = (name: string, files: { include: string[]; exclude: string[] }) => ({
  test: { ...DATABASE, name, include: files.include, exclude: ["test/over-stripe/**", ...files.exclude] },
});
/** The names that `--project` gives, also those of `!name`. */
const named = process.argv.flatMap((argument, n) => {
  if (!/^--project(=|$)/.test(argument)) return [];
  const name = argument.split("=")[1] ?? process.argv[n + 1] ?? "";
  return [name.replace(/^!/, "")];
});
/**
 * The projects with a database are one, unless a run names one of them. A process serves one project only, and
 * takes 1.5 s of a processor to load the modules of a server.
 */
const WITH_DATABASE = named.every((name) => [...APART, "stripe"].includes(name))
  ? [
      withDatabase("with a database", {
        include: ["test/**/*.test.ts"],
        exclude: APART.flatMap((name) => filesOf(name).include),
      }),
    ]
  : SHARING.map((name) => withDatabase(name, filesOf(name)));

export default defineConfig({
  test: {
    // Twice as many as there are cores on a small machine: many tests wait for processes, deadlines and leases.
    maxWorkers: 4,
    teardownTimeout: 30_000,
    sequence: { sequencer: Sequencer },
    projects: [
      { test: { ...COMMON, name: "unit", include: filesOf("unit").include } },
      { test: { ...DATABASE, isolate: true, name: "clocks", include: filesOf("clocks").include } },
      ...WITH_DATABASE,
      // The scenarios and the fault table again, over Stripe's adapter and the local Stripe server.
      { test: { ...DATABASE, name: "stripe", ...OVER_STRIPE, provide: { provider: "stripe" } } },
    ],
  },
});
