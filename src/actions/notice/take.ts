import type { Context } from "../../context.ts";
import type { ProviderNotice } from "../../domain/payment/notice.ts";
import type { ProviderAccount } from "../../domain/payment/outcome.ts";
import type { Fact, Hint } from "../../payments/provider.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { findConnection } from "../../store/provider-connections.ts";
import { endNotice, leaseNotice } from "../../store/provider-notices.ts";
import { reportDispute } from "../dispute/report.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { reportCard } from "../payment/report-card.ts";
import { isAt, providerAt } from "../provider.ts";
import { reportRefund } from "../refund/report.ts";

/**
 * In milliseconds. A provider answers within 40 s. If the process dies or the provider does not answer, the next look
 * follows after a minute, then after two minutes, four minutes, and so on up to an hour.
 */
const LEASES = { least: 60_000, most: 60 * 60_000 };

/**
 * Books a fact of a provider. `stranger`: the fact belongs to no payment of this installation. `later`: the fact can't
 * be booked before another outcome is known.
 */
async function takeFact(
  ctx: Context,
  organizationId: string,
  account: ProviderAccount,
  fact: Fact,
): Promise<"taken" | "stranger" | "later"> {
  switch (fact.kind) {
    case "payment": {
      const payment = await findByProviderKey(ctx.db.read, organizationId, fact.key);
      if (!payment || !isAt(payment, account)) return "stranger";
      await carryOutPayment(ctx, organizationId, payment.id);
      return "taken";
    }
    case "refund": {
      const reported = await reportRefund(ctx, organizationId, account, fact.refund);
      return typeof reported === "string" ? reported : "taken";
    }
    case "dispute":
      return reportDispute(ctx, organizationId, account, fact.dispute);
    case "card":
      return reportCard(ctx, organizationId, account, fact);
  }
}

const hintOf = ({ ref: id, type, object }: ProviderNotice): Hint => ({ id, type, object });

/** Whether the account has a key, though this process may be unable to read the key just now. */
async function isConnected(ctx: Context, { organizationId, provider, providerAccount }: ProviderNotice) {
  const connection = await findConnection(ctx.db.read, { organizationId, provider, providerAccount });
  return connection !== null && connection.disconnectedAt === null;
}

/**
 * Reads the object behind a notice at its provider and books the facts. The notice stays due if the provider does not
 * answer, if a fact must wait, if the key of a connected account can't be read, or if this database is a copy (rule
 * D1c). Answers whether this process booked the notice.
 */
export async function takeNotice(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const notice = await ctx.db.tx((tx) => leaseNotice(tx, organizationId, id, LEASES));
  if (!notice) return false;
  const provider = await providerAt(ctx, organizationId, notice);
  if (!provider?.notices && (await isConnected(ctx, notice))) return false;
  const found = (await provider?.notices?.look(organizationId, hintOf(notice))) ?? "stranger";
  const facts = found === "stranger" ? [] : found;
  const taken = [];
  for (const fact of facts) taken.push(await takeFact(ctx, organizationId, notice, fact));
  if (taken.includes("later")) return false;
  const status = found === "stranger" || taken.includes("stranger") ? "unmatched" : "taken";
  await ctx.db.tx(async (tx) => endNotice(tx, notice, status));
  return true;
}
