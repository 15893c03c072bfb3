import type { Account } from "../account/account.ts";
import { recordDispute, recordSubscription } from "../account/record.ts";
import type { Dispute, DisputeOutcome } from "./dispute.ts";
import { runDue } from "../due.ts";
import { findRateLine } from "../invoice/given-back.ts";
import { decided } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import { findSubscription } from "../subscription/find.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { AppError } from "../../errors.ts";

/** Closes a dispute with the bank's decision (rule D5). @throws AppError 404, 409 `dispute_closed` */
export function closeDispute(account: Account, id: string, { outcome }: { outcome: DisputeOutcome }): Dispute {
  account.need({ part: "dispute", id });
  if (!account.disputes.get(id)) throw new AppError("not_found");
  runDue(account);
  const dispute = account.disputes.get(id)!;
  if (dispute.status !== "open") throw new AppError("dispute_closed");
  const at = account.now;
  post(account, `dispute_${outcome}`, id, dispute.currency, decided(outcome, dispute.amount), at);
  if (outcome === "lost") lowerPaidRate(account, dispute);
  return recordDispute(account, { ...dispute, status: outcome, closedAt: at }, "dispute.closed", at);
}

/**
 * Lowers the paid rate, so that leaving the period early gives no credit for a lost charge (rule P). If a change was
 * being paid when the dispute began, that change has credited the line already. The paid rate then stays as it is, and
 * the credit is held (rule D7).
 */
function lowerPaidRate(
  account: Account,
  { subscriptionId, invoiceId, rateAtStake: stake, periodNumber }: Dispute,
): void {
  if (subscriptionId === null || stake === 0) return;
  const subscription = findSubscription(account, subscriptionId);
  if (!subscription || !isInProgress(subscription, periodNumber)) return;
  if (findRateLine(account, subscription)?.invoiceId !== invoiceId) return;
  recordSubscription(account, { ...subscription, paidRate: subscription.paidRate - stake }, null, account.now);
}

const isInProgress = ({ status, periodNumber }: Subscription, number: number | null) =>
  status !== "canceled" && periodNumber === number;
