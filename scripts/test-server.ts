import { readdirSync } from "node:fs";
import { runTask } from "./task.ts";
import { installedServers } from "../test/support/installed-server.ts";
import { startOwnServer } from "../test/support/own-server.ts";

// `npm run test:server`: a part of the tests on a PostgreSQL of the distribution, which has another version, another
// locale and another time zone than the embedded one. Arguments go to vitest, in place of the chosen part.
const CHOSEN = [
  // The project durability, but for the tests of the embedded server.
  "test/bench/",
  "test/crash/",
  "test/postgres/",
  // All statements, settings and migrations. The test of the fingerprint takes rights from roles, as a superuser.
  ...readdirSync(new URL("../test/store/", import.meta.url))
    .filter((name) => name.endsWith(".test.ts") && name !== "installation.test.ts")
    .map((name) => `test/store/${name}`),
  // Locks, leases and lost answers.
  ...["copies", "races", "table"].map((name) => `test/faults/${name}`),
  ...["bad-month", "calendar", "change-checkouts", "downtime", "first-year", "mrr", "refunds", "upgrades"].map(
    (name) => `test/scenarios/${name}`,
  ),
  ...["checkouts", "clock", "invoices", "management", "metrics", "races", "refunds", "tenancy"].map(
    (name) => `test/api/${name}`,
  ),
  // The stories over the Stripe adapter send the same statements.
  "--project=!stripe",
];

const bin = installedServers().at(-1);
if (bin === undefined) {
  process.stderr.write("There is no installed PostgreSQL: on Debian, run `apt-get install postgresql locales`.\n");
  process.exit(1);
}
process.env["TEST_SERVER_PROGRAMS"] = bin;
const server = await startOwnServer().catch(({ message }: Error) => {
  process.stderr.write(`PostgreSQL of ${bin} does not start here. Does the locale en_US.UTF-8 exist?\n${message}\n`);
  process.exit(1);
});
process.env["TEST_DATABASE_URL"] = server.url();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => void server.remove().then(() => process.exit(1)));
const chosen = process.argv.slice(2);
const args = ["run", ...(chosen.length > 0 ? chosen : CHOSEN)];
let passed = false;
try {
  passed = await runTask({ name: `tests on the server of ${bin}`, program: "vitest/vitest.mjs", args }, false);
} finally {
  await server.remove();
}
process.exit(passed ? 0 : 1);
