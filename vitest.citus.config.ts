import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ON_CLUSTER } from "./test/citus/on-cluster.ts";
import { filesOf } from "./test/support/projects.ts";

/** Tests of the product again, over a cluster in the place of the embedded PostgreSQL. */
const OVER_CLUSTER = {
  globalSetup: ["test/citus/global-setup.ts"],
  pool: "forks",
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
} as const;
/** These files put the clock of their process an hour ahead, and so the ids of later files in it. */
const CLOCKS = filesOf("clocks").include;

/** The random histories take longest. As the last file they would run alone in one process. */
class HistoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => moduleId.endsWith("/simulation.test.ts");
    return (await super.sort(files)).toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  }
}

/** `npm run test:citus`. Apart from the other tests, because it needs a PostgreSQL with the extension Citus. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    teardownTimeout: 60_000,
    sequence: { sequencer: HistoriesFirst },
    projects: [
      {
        test: {
          name: "cluster",
          include: [
            "test/citus/backup.ts",
            "test/citus/distribution.ts",
            "test/citus/planned.ts",
            "test/citus/any-node.ts",
            "test/citus/failures.ts",
            "test/citus/moves.ts",
          ],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...OVER_CLUSTER,
          name: "on the cluster",
          include: ON_CLUSTER,
          exclude: CLOCKS,
          isolate: false,
          provide: { provider: "sandbox", seeds: 100 },
        },
      },
      {
        test: {
          ...OVER_CLUSTER,
          name: "clocks on the cluster",
          include: CLOCKS.filter((files) => files.startsWith("test/webhooks/")),
          provide: { provider: "sandbox", seeds: 0 },
        },
      },
    ],
  },
});
