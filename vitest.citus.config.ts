import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ON_CLUSTER } from "./test/citus/on-cluster.ts";

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
      // Tests of the product again, over a cluster in the place of the embedded PostgreSQL.
      {
        test: {
          name: "on the cluster",
          include: ON_CLUSTER,
          globalSetup: ["test/citus/global-setup.ts"],
          provide: { provider: "sandbox", seeds: 100 },
          pool: "forks",
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
