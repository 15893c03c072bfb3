import type { Account } from "../billing/customer-billing.ts";
import { recordDispute } from "../billing/record.ts";
import { settleWithLots } from "../balance/move.ts";
import { writeOffLots } from "../balance/write-off.ts";
import { runDue } from "../collection/due.ts";
import { decided } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { AppError } from "../../errors.ts";
import { isOver, type Decision, type Dispute, type DisputeOutcome } from "../model/dispute.ts";
import { lowerPaidRates } from "./lose.ts";

/**
 * Closes a dispute with the bank's decision (rules D5a, D7c). An open dispute is won or lost. An inquiry is closed
 * without a decision, because the bank has taken no money.
 * @throws AppError 404, 409 `dispute_closed`, `dispute_outcome_mismatch`
 */
export function closeDispute(account: Account, id: string, { outcome }: { outcome: DisputeOutcome }): Dispute {
  account.need({ part: "dispute", id });
  if (!account.disputes.get(id)) throw new AppError("not_found");
  runDue(account);
  const dispute = account.disputes.get(id)!;
  if (isOver(dispute)) throw new AppError("dispute_closed");
  if ((dispute.status === "inquiry") !== (outcome === "closed")) throw new AppError("dispute_outcome_mismatch");
  if (outcome === "closed") return end(account, dispute, outcome);
  return decide(account, dispute, outcome);
}

function decide(account: Account, dispute: Dispute, outcome: Decision): Dispute {
  const { id, currency, amount, paymentId } = dispute;
  post(account, `dispute_${outcome}`, id, currency, decided(outcome, amount), account.now);
  if (outcome === "lost") {
    writeOffLots(account, paymentId, { currency, invoiceId: null });
    lowerPaidRates(account, paymentId);
  }
  const closed = end(account, dispute, outcome);
  if (outcome === "won") settleWithLots(account, currency);
  return closed;
}

function end(account: Account, dispute: Dispute, status: DisputeOutcome): Dispute {
  return recordDispute(account, { ...dispute, status, closedAt: account.now }, "dispute.closed", account.now);
}
