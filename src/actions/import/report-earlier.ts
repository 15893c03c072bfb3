import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { EarlierReport } from "../../domain/model/earlier-report.ts";
import type { ConnectionKey } from "../../domain/model/provider-connection.ts";
import { putEarlierReport } from "../../store/earlier-reports.ts";
import { importsOf } from "../../store/imports.ts";

/**
 * Stores a refund or a dispute of a charge from before an import, for the people of the seller. No invoice here
 * changes. `unmatched`: the Customer was not imported.
 */
export async function reportEarlier(
  ctx: Context,
  account: ConnectionKey,
  report: EarlierReport,
): Promise<"taken" | "unmatched"> {
  const { organizationId } = account;
  const imports = await importsOf(ctx.db.read, organizationId, report.customerId);
  if (imports.length === 0) return "unmatched";
  await ctx.db.tx((tx) => putEarlierReport(tx, account, report, instant(realNow())));
  return "taken";
}
