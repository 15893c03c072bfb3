/**
 * The tests that `npm run test:citus` runs over a cluster. Other tests of `test/faults` have a server or a clock of
 * their own: of backups, of copies, of a silent database and of processes with a wrong clock.
 *
 * Of `test/store`, these run on one PostgreSQL only: tests of migrations, of plans (`planned.ts` has those of a
 * cluster), of batches of several Organizations, of texts in whose place a cluster gets another text, and tests of a
 * server, a replica or a pooler of their own.
 */
export const ON_CLUSTER = [
  "test/actions/export.test.ts",
  "test/actions/organizations-apart.test.ts",
  "test/actions/verify.test.ts",
  "test/api/benefit-grants.test.ts",
  "test/api/checkouts.test.ts",
  "test/api/customer-export.test.ts",
  "test/api/customers.test.ts",
  "test/api/management-webhook-deliveries.test.ts",
  "test/api/management-webhook-endpoints.test.ts",
  "test/api/price-changes.test.ts",
  "test/api/races.test.ts",
  "test/api/subscriptions.test.ts",
  "test/api/tenancy.test.ts",
  "test/cli/export.test.ts",
  "test/crash/*.test.ts",
  "test/emails/*.test.ts",
  "test/faults/{cards,notices,price-changes,races,steps,table}.test.ts",
  "test/scenarios/*.test.ts",
  "test/simulation/simulation.test.ts",
  "test/store/{batched,checkout-page,customer-billing-events,db,events}.test.ts",
  "test/store/{email-files,event-retention,old-rows}.test.ts",
  "test/store/verify-*.test.ts",
  "test/webhooks/*.test.ts",
  "test/worker/*.test.ts",
];
