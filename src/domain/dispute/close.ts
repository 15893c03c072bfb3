import type { Account } from "../account/account.ts";
import { recordDispute } from "../account/record.ts";
import { settleWithLots } from "../balance/move.ts";
import { writeOffLots } from "../balance/write-off.ts";
import { runDue } from "../due.ts";
import { decided } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import { AppError } from "../../errors.ts";
import type { Dispute, DisputeOutcome } from "./dispute.ts";
import { lowerPaidRates } from "./lose.ts";

/** Closes a dispute with the bank's decision (rule D5). @throws AppError 404, 409 `dispute_closed` */
export function closeDispute(account: Account, id: string, { outcome }: { outcome: DisputeOutcome }): Dispute {
  account.need({ part: "dispute", id });
  if (!account.disputes.get(id)) throw new AppError("not_found");
  runDue(account);
  const dispute = account.disputes.get(id)!;
  if (dispute.status !== "open") throw new AppError("dispute_closed");
  const at = account.now;
  post(account, `dispute_${outcome}`, id, dispute.currency, decided(outcome, dispute.amount), at);
  if (outcome === "lost") {
    writeOffLots(account, dispute.paymentId, { currency: dispute.currency, invoiceId: null });
    lowerPaidRates(account, dispute.paymentId);
  }
  const closed = recordDispute(account, { ...dispute, status: outcome, closedAt: at }, "dispute.closed", at);
  if (outcome === "won") settleWithLots(account, dispute.currency);
  return closed;
}
