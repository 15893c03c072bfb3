import type { Account } from "../billing/customer-billing.ts";
import { recordDispute } from "../billing/record.ts";
import { AppError } from "../../errors.ts";
import { closeDispute } from "./close.ts";
import { isOver, type Dispute } from "../model/dispute.ts";
import type { DisputeReport } from "../model/dispute-report.ts";
import { escalateDispute, openDispute, type DisputeTerms } from "./open.ts";

/**
 * Books the state of a dispute as the provider has it. Facts may come late, twice and in any order: a state that is
 * older than the stored one changes nothing. `stranger`: the books have no place for the fact, because nothing of the
 * charge is left to dispute, or because the provider takes a decision back. An operator looks at such a fact (rule
 * D5d).
 */
export function reportDispute(account: Account, paymentId: string, fact: DisputeReport): "taken" | "stranger" {
  account.need({ part: "payment", id: paymentId }, { part: "disputes_of", paymentId });
  const [known] = account.disputes.where(({ providerRef }) => providerRef === fact.ref);
  try {
    if (known) return follow(account, known, fact);
    // An inquiry that ended before Billow heard of it has moved no money.
    if (fact.status !== "closed") begin(account, paymentId, fact);
    return "taken";
  } catch (error) {
    const isMisfit = error instanceof AppError && MISFITS.has(error.code);
    if (isMisfit) return "stranger";
    throw error;
  }
}

const MISFITS: ReadonlySet<string> = new Set(["already_disputed", "payment_not_disputable", "not_found"]);

function begin(account: Account, paymentId: string, fact: DisputeReport): void {
  const opened = openDispute(account, paymentId, { ...fact, isInquiry: fact.status === "inquiry" });
  if (fact.status === "won" || fact.status === "lost") closeDispute(account, opened.id, { outcome: fact.status });
}

function follow(account: Account, known: Dispute, fact: DisputeReport): "taken" | "stranger" {
  const { id, status } = known;
  if (isOver(known)) {
    if (isReversal(known, fact)) return "stranger";
    if (fact.status === status) updateFee(account, known, fact);
    return "taken";
  }
  if (status === "inquiry" && fact.status === "closed") closeDispute(account, id, { outcome: "closed" });
  else if (status === "inquiry" && fact.status !== "inquiry") escalateDispute(account, id, termsOf(fact));
  else if (fact.status === status) update(account, known, fact);
  const { status: now } = account.disputes.get(id)!;
  if (now !== "open") return "taken";
  if (fact.status === "won" || fact.status === "lost") closeDispute(account, id, { outcome: fact.status });
  // The provider gave an open dispute up, and the money came back.
  if (fact.status === "closed") closeDispute(account, id, { outcome: "won" });
  return "taken";
}

/** Whether the provider takes a decision back. A closed inquiry that becomes a dispute is a new dispute. */
const isReversal = ({ status }: Dispute, fact: DisputeReport) =>
  (fact.status === "won" || fact.status === "lost") && fact.status !== status;

const termsOf = ({ amount, reason, evidenceDueAt, fee, feeCurrency }: DisputeReport): DisputeTerms => {
  return { amount, reason, evidenceDueAt, fee, feeCurrency };
};

/** The provider may give a part of the fee back after the end of a dispute (rule D5c). */
function updateFee(account: Account, known: Dispute, { fee, feeCurrency }: DisputeReport): void {
  if (fee === null || (fee === known.fee && feeCurrency === known.feeCurrency)) return;
  recordDispute(account, { ...known, fee, feeCurrency }, "dispute.updated", account.now);
}

/** The amount of an open dispute stays: the bank has taken that amount. */
function update(account: Account, known: Dispute, fact: DisputeReport): void {
  const { amount, ...others } = termsOf(fact);
  const terms = known.status === "inquiry" ? { amount, ...others } : others;
  const isSame = Object.entries(terms).every(([name, value]) => known[name as keyof DisputeTerms] === value);
  if (!isSame) recordDispute(account, { ...known, ...terms }, "dispute.updated", account.now);
}
