/** The tests that `npm run test:citus` runs over a cluster. */
export const ON_CLUSTER = [
  "test/api/tenancy.test.ts",
  "test/api/customers.test.ts",
  "test/api/checkouts.test.ts",
  "test/scenarios/first-year.test.ts",
  "test/scenarios/upgrades.test.ts",
  "test/scenarios/cancellation.test.ts",
  "test/scenarios/dunning.test.ts",
  "test/scenarios/refunds.test.ts",
  "test/scenarios/one-time.test.ts",
  "test/scenarios/free-and-trial.test.ts",
  "test/scenarios/groups.test.ts",
  "test/scenarios/crowd.test.ts",
  "test/scenarios/downtime.test.ts",
  "test/worker/worker.test.ts",
];
