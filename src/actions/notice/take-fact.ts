import type { Context } from "../../context.ts";
import type { ConnectionKey } from "../../domain/model/provider-connection.ts";
import type { Fact, HistoryEntry } from "../../payments/provider.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { storeTransactions, planImport } from "../../store/provider-transactions.ts";
import type { LeasedNotice } from "../../store/provider-notices.ts";
import { reportDispute } from "../dispute/report.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { reportCard } from "../payment/report-card.ts";
import { isAt } from "../provider.ts";
import { reportRefund } from "../refund/report.ts";

/**
 * The money of a failed payment was taken all the same. The outcome is final, so an operator has to look: the charge is
 * kept as an entry of the provider's book, and the comparison of the books follows at once (rule I4a).
 */
async function reportPaid(ctx: Context, account: ConnectionKey, charge: HistoryEntry): Promise<void> {
  await ctx.db.tx(async (tx) => {
    storeTransactions(tx, account, [charge]);
    planImport(tx, account, true);
  });
}

/**
 * Books a fact that was read because of a notice. `stranger`: the fact belongs to no payment or card of this
 * installation. `later`: the fact can't be booked before another outcome is known.
 */
export async function takeReport(
  ctx: Context,
  notice: LeasedNotice,
  fact: Fact,
): Promise<"taken" | "stranger" | "later"> {
  const { organizationId, leasedAt: readAt } = notice;
  switch (fact.kind) {
    case "payment": {
      const payment = await findByProviderKey(ctx.db.read, organizationId, fact.key);
      if (!payment || !isAt(payment, notice)) return "stranger";
      const { status } = await carryOutPayment(ctx, organizationId, payment.id);
      if (status === "failed" && fact.charge) await reportPaid(ctx, notice, fact.charge);
      return "taken";
    }
    case "refund": {
      const reported = await reportRefund(ctx, organizationId, notice, fact.refund);
      return typeof reported === "string" ? reported : "taken";
    }
    case "dispute":
      return reportDispute(ctx, organizationId, notice, fact.dispute);
    case "card":
      return reportCard(ctx, organizationId, notice, { ...fact, readAt });
  }
}
