import { realNow } from "../clock.ts";
import { HOUR } from "../domain/calendar.ts";
import { firstIdAt } from "../ids.ts";
import { sql, type Queryable } from "./driver/db.ts";

// The index of failed payments is read from the first id of the hour on, once for each live Organization.
const countStatement = sql(
  "payments.failed_lately",
  `SELECT coalesce(sum(f.failed), 0)::integer AS failed FROM organizations o
   CROSS JOIN LATERAL (
     SELECT count(*) AS failed FROM payments p
     WHERE p.organization_id = o.id AND p.status = 'failed' AND p.id >= $1
       AND p.purpose IN ('renewal', 'retry', 'last_invoice')) f
   WHERE o.mode = 'live'`,
);

/**
 * The number of charges without the buyer (renewals, retries, last invoices) that began within the last hour and
 * failed, in all live Organizations.
 */
export async function countFailedLately(db: Queryable): Promise<number> {
  return (await db.query<{ failed: number }>(countStatement, [firstIdAt("pay", realNow() - HOUR)]))[0]!.failed;
}
