import { sql } from "../../src/store/driver/db.ts";
import type { TestApp } from "./app.ts";

const probeDueStatement = sql(
  "test.probe_due",
  "UPDATE payment_pauses SET check_at = statement_timestamp() WHERE organization_id = $1 AND ended_at IS NULL",
);

/** A minute passes: the next probe of each paused account is due, and the worker does all due work. */
export async function minutePasses({ ctx, organization, runDue }: TestApp): Promise<void> {
  await ctx.db.tx((tx) => tx.query(probeDueStatement, [organization.id]));
  await runDue();
}
