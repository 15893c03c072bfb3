import { emit, find, type Book } from "./book.ts";
import type { TestCard } from "./cards.ts";
import { move } from "./charges.ts";
import { isWithin } from "./form.ts";
import type { Charge, Dispute, DisputeStatus } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

const DAY = 86_400;

const EVIDENCE =
  "access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal " +
  "customer_communication customer_email_address customer_name customer_purchase_ip customer_signature " +
  "duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt " +
  "refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation " +
  "shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number " +
  "uncategorized_file uncategorized_text";

/** Stripe's fee for a dispute, in the currency's minor unit. The fee depends on the account's country. */
export const DISPUTE_FEE = 2_000;

/**
 * `dueBy`: the deadline of the evidence in seconds; 0: the bank allows no answer. `refunds`: a prevention gives the
 * money back to the buyer.
 */
export type NewDispute = {
  amount: number;
  reason: string;
  status: DisputeStatus;
  dueBy?: number;
  fee?: number;
  refunds?: boolean;
};

/**
 * A bank's dispute of a charge. `inquiry`: the bank only asks, and no money moves. `prevented`: the dispute was
 * resolved before it began. Otherwise the amount and a fee leave the balance at once.
 */
export function openDispute(
  book: Book,
  charge: Charge,
  { amount, reason, status, dueBy, fee, refunds = false }: NewDispute,
): Dispute {
  const isInquiry = status.startsWith("warning_");
  const made: Dispute = {
    id: book.newId("dp"),
    object: "dispute",
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: book.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...Object.fromEntries(EVIDENCE.split(" ").map((name) => [name, null])), enhanced_evidence: {} },
    evidence_details: {
      due_by: status === "prevented" ? null : (dueBy ?? book.now() + 9 * DAY),
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      enhanced_eligibility: {},
    },
    is_charge_refundable: isInquiry,
    livemode: book.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: "card",
      card: {
        brand: "visa",
        case_type: isInquiry ? "inquiry" : "chargeback",
        network: "visa",
        network_reason_code: "10.4",
      },
    },
    reason,
    status,
  };
  book.disputes.set(made.id, made);
  if (status !== "prevented") charge.disputed = true;
  if (refunds || (!isInquiry && status !== "prevented")) withdraw(book, made, fee);
  emit(book, "charge.dispute.created", made);
  if (made.balance_transactions.length > 0) emit(book, "charge.dispute.funds_withdrawn", made);
  return made;
}

/** The dispute that a test card brings on with each of its charges. */
export function openDisputeOf(book: Book, charge: Charge, { disputed }: TestCard): void {
  if (disputed === undefined) return;
  const isInquiry = disputed === "inquiry";
  const status = isInquiry ? "warning_needs_response" : "needs_response";
  openDispute(book, charge, { amount: charge.amount, reason: isInquiry ? "general" : disputed, status });
}

function withdraw(book: Book, dispute: Dispute, fee = DISPUTE_FEE): void {
  const { currency, id: source } = dispute;
  const of = { type: "adjustment", amount: -dispute.amount, fee, currency, source } as const;
  dispute.balance_transactions.push(move(book, of, `Chargeback withdrawal for ${dispute.charge}`));
}

/** An inquiry becomes a dispute, and the money is withdrawn. */
export function escalate(book: Book, dispute: Dispute, fee?: number): void {
  const previous = { status: dispute.status };
  dispute.status = "needs_response";
  dispute.is_charge_refundable = false;
  withdraw(book, dispute, fee);
  emit(book, "charge.dispute.updated", dispute, previous);
  emit(book, "charge.dispute.funds_withdrawn", dispute);
}

/** Ends a dispute. A dispute that is won gives the amount back, and keeps the fee. */
export function closeDispute(
  book: Book,
  dispute: Dispute,
  status: "won" | "lost" | "warning_closed" | "prevented",
): void {
  const previous = { status: dispute.status };
  dispute.status = status;
  const { amount, currency, id: source } = dispute;
  const gaveBack = status === "won" && dispute.balance_transactions.length > 0;
  if (gaveBack) {
    const of = { type: "adjustment", amount, currency, source } as const;
    dispute.balance_transactions.push(move(book, of, `Chargeback reversal for ${dispute.charge}`));
  }
  emit(book, "charge.dispute.closed", dispute, previous);
  if (gaveBack) emit(book, "charge.dispute.funds_reinstated", dispute);
}

/** Some time after a won dispute Stripe gives a part of the fee back. */
export function reinstateFee(book: Book, dispute: Dispute, fee: number): void {
  const of = { type: "adjustment", amount: 0, fee: -fee, currency: dispute.currency, source: dispute.id } as const;
  dispute.balance_transactions.push(move(book, of, `Chargeback fee reversal for ${dispute.charge}`));
  emit(book, "charge.dispute.funds_reinstated", dispute);
}

export const disputeRoutes: readonly Route[] = [
  route("GET /v1/disputes/:id", "dispute_read", {}, ({ book, id }) => find(book, book.disputes, "dispute", id)),
  listRoute(
    "/v1/disputes",
    "dispute_read",
    { charge: "string", created: "range", payment_intent: "string" },
    ({ book, params }) =>
      [...book.disputes.values()].filter(
        (each) =>
          isWithin(params.created, each.created) &&
          (params.charge === undefined || each.charge === params.charge) &&
          (params.payment_intent === undefined || each.payment_intent === params.payment_intent),
      ),
  ),
];
