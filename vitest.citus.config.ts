import { defineConfig } from "vitest/config";

// `npm run test:citus`. Apart from the other tests, because it needs a PostgreSQL with the extension Citus.
export default defineConfig({
  test: {
    include: ["test/citus/backup.ts", "test/citus/distribution.ts", "test/citus/planned.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
