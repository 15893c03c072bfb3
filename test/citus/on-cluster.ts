/**
 * The tests that `npm run test:citus` runs over a cluster. Other tests of `test/faults` have a server or a clock of
 * their own: of backups, of copies, of a silent database and of processes with a wrong clock.
 */
export const ON_CLUSTER = [
  "test/actions/organizations-apart.test.ts",
  "test/actions/verify.test.ts",
  "test/api/checkouts.test.ts",
  "test/api/customers.test.ts",
  "test/api/tenancy.test.ts",
  "test/faults/{cards,notices,races,steps,table}.test.ts",
  "test/scenarios/*.test.ts",
  "test/simulation/simulation.test.ts",
  "test/store/verify-*.test.ts",
  "test/worker/worker.test.ts",
];
