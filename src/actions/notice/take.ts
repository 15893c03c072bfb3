import type { Context } from "../../context.ts";
import type { ConnectionKey } from "../../domain/model/provider-connection.ts";
import type { ProviderNotice } from "../../domain/model/provider-notice.ts";
import type { EventRef, ProviderReport, HistoryEntry } from "../../payments/provider.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { findConnection } from "../../store/provider-connections.ts";
import { endNotice, leaseNotice, type LeasedNotice } from "../../store/provider-notices.ts";
import { storeTransactions, planImport } from "../../store/provider-transactions.ts";
import { reportDispute } from "../dispute/report.ts";
import { reportEarlier } from "../import/report-earlier.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { reportCard } from "../payment/report-card.ts";
import { providerAt, isAt } from "../provider.ts";
import { reportRefund } from "../refund/report.ts";

/**
 * In milliseconds. A provider answers within 40 s. If the process dies or the provider does not answer, the next look
 * follows after a minute, then after two minutes, four minutes, and so on up to an hour.
 */
const LEASES = { least: 60_000, most: 60 * 60_000 };

const eventRefOf = ({ ref: id, type, object }: ProviderNotice): EventRef => ({ id, type, object });

/** Whether the account has a key, though this process may be unable to read the key just now. */
async function isConnected(ctx: Context, { organizationId, provider, providerAccount }: ProviderNotice) {
  const connection = await findConnection(ctx.db.read, { organizationId, provider, providerAccount });
  return connection !== null && connection.disconnectedAt === null;
}

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
 * Books a fact that was read because of a notice. `unmatched`: the fact belongs to no payment or card of this
 * installation. `later`: the fact can't be booked before another outcome is known.
 */
async function takeReport(
  ctx: Context,
  notice: LeasedNotice,
  report: ProviderReport,
): Promise<"taken" | "unmatched" | "later"> {
  const { organizationId, leasedAt: readAt } = notice;
  switch (report.kind) {
    case "payment": {
      const payment = await findByProviderKey(ctx.db.read, organizationId, report.key);
      if (!payment || !isAt(payment, notice)) return "unmatched";
      const { status } = await carryOutPayment(ctx, organizationId, payment.id);
      if (status === "failed" && report.charge) await reportPaid(ctx, notice, report.charge);
      return "taken";
    }
    case "refund": {
      const reported = await reportRefund(ctx, organizationId, notice, report.refund);
      return typeof reported === "string" ? reported : "taken";
    }
    case "dispute":
      return reportDispute(ctx, organizationId, notice, report.dispute);
    case "earlier":
      return reportEarlier(ctx, notice, report.earlier);
    case "card":
      return reportCard(ctx, organizationId, notice, { ...report, readAt });
  }
}

/**
 * Reads the object behind a notice at its provider and books the facts. The notice stays due if the provider does not
 * answer, if a fact must wait, if the key of a connected account can't be read, or if this database is a copy
 * (rule D1c). Returns whether this process booked the notice.
 */
export async function takeNotice(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const notice = await ctx.db.tx((tx) => leaseNotice(tx, organizationId, id, LEASES));
  if (!notice) return false;
  const provider = await providerAt(ctx, organizationId, notice);
  if (!provider?.notices && (await isConnected(ctx, notice))) return false;
  const found = (await provider?.notices?.look(organizationId, eventRefOf(notice))) ?? "unmatched";
  const facts = found === "unmatched" ? [] : found;
  const taken = [];
  for (const fact of facts) taken.push(await takeReport(ctx, notice, fact));
  if (taken.includes("later")) return false;
  const status = found === "unmatched" || taken.includes("unmatched") ? "unmatched" : "taken";
  await ctx.db.tx(async (tx) => endNotice(tx, notice, status));
  return true;
}
