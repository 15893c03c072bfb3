import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordDispute } from "../billing/record.ts";
import { closeDispute } from "./close.ts";
import { isOver, type Dispute } from "../model/dispute.ts";
import type { DisputeReport } from "../model/dispute-report.ts";
import { escalateDispute, openDispute, type DisputeTerms } from "./open.ts";
import { isRefusal } from "../refusal.ts";

/**
 * Records the state of a dispute as the provider reports it. Reports may come late, twice and in any order: a state
 * that is older than the stored one changes no row. `unmatched`: the report fits no row, because no money of the charge
 * is left to dispute, or because the provider takes a decision back. An operator looks at such a report (rule D5d).
 */
export function reportDispute(
  billing: CustomerBilling,
  paymentId: string,
  report: DisputeReport,
): "taken" | "unmatched" {
  billing.need({ part: "payment", id: paymentId }, { part: "disputes_of", paymentId });
  const [known] = billing.disputes.where(({ providerRef }) => providerRef === report.ref);
  try {
    if (known) return follow(billing, known, report);
    // An inquiry that ended before Billow heard of it has moved no money.
    if (report.status !== "closed") begin(billing, paymentId, report);
    return "taken";
  } catch (error) {
    const isMisfit = isRefusal(error, "already_disputed", "payment_not_disputable", "not_found");
    if (isMisfit) return "unmatched";
    throw error;
  }
}

function begin(billing: CustomerBilling, paymentId: string, report: DisputeReport): void {
  const opened = openDispute(billing, paymentId, { ...report, isInquiry: report.status === "inquiry" });
  if (report.status === "won" || report.status === "lost") closeDispute(billing, opened.id, { outcome: report.status });
}

function follow(billing: CustomerBilling, known: Dispute, report: DisputeReport): "taken" | "unmatched" {
  const { id, status } = known;
  if (isOver(known)) {
    if (isReversal(known, report)) return "unmatched";
    if (report.status === status) updateFee(billing, known, report);
    return "taken";
  }
  if (status === "inquiry" && report.status === "closed") closeDispute(billing, id, { outcome: "closed" });
  else if (status === "inquiry" && report.status !== "inquiry") escalateDispute(billing, id, termsOf(report));
  else if (report.status === status) update(billing, known, report);
  const { status: now } = billing.disputes.get(id)!;
  if (now !== "open") return "taken";
  if (report.status === "won" || report.status === "lost") closeDispute(billing, id, { outcome: report.status });
  // The provider gave an open dispute up, and the money came back.
  if (report.status === "closed") closeDispute(billing, id, { outcome: "won" });
  return "taken";
}

/** Whether the provider takes a decision back. A closed inquiry that becomes a dispute is a new dispute. */
const isReversal = ({ status }: Dispute, report: DisputeReport) =>
  (report.status === "won" || report.status === "lost") && report.status !== status;

const termsOf = ({ amount, reason, evidenceDueAt, fee, feeCurrency }: DisputeReport): DisputeTerms => {
  return { amount, reason, evidenceDueAt, fee, feeCurrency };
};

/** The provider may give a part of the fee back after the end of a dispute (rule D5c). */
function updateFee(
  billing: Pick<CustomerBilling, "disputes" | "events" | "now">,
  known: Dispute,
  { fee, feeCurrency }: DisputeReport,
): void {
  if (fee === null || (fee === known.fee && feeCurrency === known.feeCurrency)) return;
  recordDispute(billing, { ...known, fee, feeCurrency }, "dispute.updated", billing.now);
}

/** The amount of an open dispute stays: the bank has taken that amount. */
function update(
  billing: Pick<CustomerBilling, "disputes" | "events" | "now">,
  known: Dispute,
  report: DisputeReport,
): void {
  const { amount, ...others } = termsOf(report);
  const terms = known.status === "inquiry" ? { amount, ...others } : others;
  const isSame = Object.entries(terms).every(([name, value]) => known[name as keyof DisputeTerms] === value);
  if (!isSame) recordDispute(billing, { ...known, ...terms }, "dispute.updated", billing.now);
}
