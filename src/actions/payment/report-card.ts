import type { Context } from "../../context.ts";
import type { ProviderAccount } from "../../domain/model/payment-outcome.ts";
import { reportCard as decideReport, type CardReport } from "../../domain/card/report-card.ts";
import { methodOfRef } from "../../store/payment-methods.ts";
import { inBilling } from "../customer-billing.ts";

/** Books a fact about a card on file. `unmatched`: no Customer of the Organization has this card. */
export async function reportCard(
  ctx: Context,
  organizationId: string,
  account: ProviderAccount,
  { ref, ...report }: CardReport & { ref: string },
): Promise<"taken" | "unmatched"> {
  const found = await methodOfRef(ctx.db.read, organizationId, account, ref);
  if (!found) return "unmatched";
  const key = { organizationId, id: found.customerId };
  await ctx.db.tx((tx) => inBilling(ctx, tx, key, (each) => decideReport(each, found.id, report), { deleted: true }));
  return "taken";
}
