import { pino } from "pino";
import { verifyOrganization } from "../../src/actions/verify.ts";
import type { Context } from "../../src/context.ts";
import { HOUR, instant } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { startTestApp, type Json, type TestApp } from "./app.ts";
import { connect } from "./connections.ts";
import { openOutside, OUTSIDE, type OutsideProvider } from "./outside-provider.ts";
import { moved } from "./sql-instants.ts";
import { CARDS, ok } from "./story.ts";

/** A sandbox that takes its payments at a connected provider outside of the database. */
export type Connected = {
  app: TestApp;
  outside: OutsideProvider;
  /** Sells the monthly plan for 30.00, and returns the Subscription. */
  sell(email: string): Promise<Json>;
  /** Moves the payments, the refunds and the provider's book by three hours into the past. */
  age(): Promise<void>;
  /** Makes the next import due. If `anew`, the import begins ten days ago. */
  due(anew?: boolean): Promise<void>;
  /** A night: the whole book is imported anew and compared. */
  importAnew(): Promise<void>;
  /** The rules that `billow verify` reports. */
  differences(): Promise<string[]>;
  /** Does all due work, as `app.runDue`. */
  work(): Promise<void>;
  /** The error lines of the log in `importAnew` and `work`. */
  logged: Json[];
  /** The keys of the stored entries, by the provider's ids. */
  stored(): Promise<{ ref: string; key: string | null }[]>;
};

export const AGE = 3 * HOUR;

const providerStatement = sql(
  "test.connected_provider",
  "UPDATE organizations SET provider = $2, provider_account = $3 WHERE id = $1",
);
const aged = (table: string) =>
  sql(
    `test.connected_age_${table}`,
    `UPDATE ${table} SET created_at = ${moved("created_at", "- $2 * interval '1 millisecond'")},
       settled_at = ${moved("settled_at", "- $2 * interval '1 millisecond'")} WHERE organization_id = $1`,
  );
const agedPayments = aged("payments");
const agedRefunds = aged("refunds");
const dueStatement = sql(
  "test.connected_due",
  "UPDATE provider_book_imports SET import_at = statement_timestamp() WHERE organization_id = $1",
);
const anewStatement = sql(
  "test.connected_anew",
  `UPDATE provider_book_imports SET import_at = statement_timestamp(), imported_from = NULL, imported_until = NULL,
     reading_from = NULL, reading_until = NULL, cursor = NULL, orphans_until = NULL, orphans = NULL,
     late = NULL, late_until = NULL,
     created_at = statement_timestamp() - interval '10 days'
   WHERE organization_id = $1`,
);
const emptyStatement = sql("test.connected_empty", "DELETE FROM provider_book WHERE organization_id = $1");
const storedStatement = sql(
  "test.connected_stored",
  "SELECT ref, key FROM provider_book WHERE organization_id = $1 ORDER BY ref",
);

/** The Organization takes new payments at the connected account from now on. */
export async function connectOutside(ctx: Context, organizationId: string, outside: OutsideProvider): Promise<void> {
  const { provider, providerAccount } = OUTSIDE;
  Object.assign(ctx.payments, { connected: async () => outside.provider });
  const secret = "s".repeat(32);
  await connect(ctx.db, { organizationId, provider, account: providerAccount, secret, key: "key" });
  await ctx.db.tx((tx) => tx.query(providerStatement, [organizationId, provider, providerAccount]));
}

export async function startConnected(): Promise<Connected> {
  const app = await startTestApp();
  const { ctx, organization, api, manage } = app;
  const outside = openOutside();
  await connectOutside(ctx, organization.id, outside);
  const prices = [{ currency: "usd", amount: 3000 }];
  await ok(manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
  const logged: Json[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const due = async (anew = false) => {
    await ctx.db.tx(async (tx) => {
      if (anew) await tx.query(emptyStatement, [organization.id]);
      await tx.query(anew ? anewStatement : dueStatement, [organization.id]);
    });
  };
  const work = () => runOnce({ ...ctx, log });
  return {
    app,
    outside,
    logged,
    due,
    work,
    async importAnew() {
      await due(true);
      await work();
    },
    async differences() {
      return (await verifyOrganization(ctx, organization)).disagreements.map(({ rule }) => rule).sort();
    },
    async sell(email) {
      const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer: { email } }));
      const paid = await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
      return ok(api("GET", `/subscriptions/${paid.subscriptionId}`));
    },
    async age() {
      for (const entry of outside.book) entry.createdAt = instant(entry.createdAt - AGE);
      await ctx.db.tx(async (tx) => {
        for (const statement of [agedPayments, agedRefunds]) await tx.query(statement, [organization.id, AGE]);
      });
    },
    stored: () => ctx.db.read.query(storedStatement, [organization.id]),
  };
}
