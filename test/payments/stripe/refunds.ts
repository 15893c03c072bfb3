import { checkStep } from "./amounts.ts";
import { emit, find, type Book } from "./book.ts";
import { move } from "./charges.ts";
import { cardOf } from "./customers.ts";
import { invalid, malformed } from "./errors.ts";
import { isWithin } from "./form.ts";
import type { Charge, Refund } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

type NewRefund = {
  id?: string | undefined;
  amount?: number | undefined;
  reason?: string | undefined;
  metadata?: Record<string, string> | undefined;
};

/** Refunds a part or the rest of a charge. Throws 400 for more than the rest. */
export function makeRefund(book: Book, charge: Charge, { id, amount, reason, metadata }: NewRefund): Refund {
  const rest = charge.amount - charge.amount_refunded;
  if (charge.status !== "succeeded") throw invalid(`Charge ${charge.id} has not succeeded and can't be refunded.`);
  if (rest === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (charge.disputed && !isRefundableInDispute(book, charge.id)) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalid(message, { code: "charge_disputed" });
  }
  const given = amount ?? rest;
  if (given < 1) {
    throw invalid("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  }
  if (given > rest) {
    const message = `Refund amount (${given}) is greater than unrefunded amount on charge (${rest})`;
    throw invalid(message, { param: "amount" });
  }
  checkStep(given, charge.currency);
  const pending = cardOf(book, book.paymentMethods.get(charge.payment_method)!).refunds === "pending";
  const made: Refund = {
    id: id ?? book.newId("re"),
    object: "refund",
    amount: given,
    balance_transaction: null,
    charge: charge.id,
    created: book.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { card: { type: "refund" }, type: "card" },
    metadata: metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pending ? "pending" : "succeeded",
    transfer_reversal: null,
  };
  book.refunds.set(made.id, made);
  if (!pending) pay(book, made);
  change(charge, given);
  emit(book, "charge.refunded", charge);
  emit(book, "refund.created", made);
  return made;
}

const isRefundableInDispute = (book: Book, charge: string) =>
  [...book.disputes.values()].every(
    (each) => each.charge !== charge || each.is_charge_refundable || each.status === "won",
  );

function pay(book: Book, refund: Refund): void {
  const { amount, currency, id: source } = refund;
  refund.balance_transaction = move(book, { type: "refund", amount: -amount, currency, source }).id;
}

function change(charge: Charge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}

/** A pending refund arrives. */
export function settleRefund(book: Book, refund: Refund): void {
  if (refund.status !== "pending") throw new Error(`${refund.id} is ${refund.status}`);
  refund.status = "succeeded";
  pay(book, refund);
  emit(book, "refund.updated", refund, { status: "pending" });
  emit(book, "charge.refund.updated", refund, { status: "pending" });
}

/** The bank sends a refund back, maybe weeks later: the money returns to the balance, and the charge is refundable. */
export function failRefund(book: Book, refund: Refund, reason: string): void {
  if (refund.status === "failed" || refund.status === "canceled") throw new Error(`${refund.id} is ${refund.status}`);
  const previous = { status: refund.status };
  const { amount, currency, id: source } = refund;
  if (refund.status === "succeeded") {
    refund.failure_balance_transaction = move(book, { type: "refund_failure", amount, currency, source }).id;
  }
  refund.status = "failed";
  refund.failure_reason = reason;
  change(book.charges.get(refund.charge)!, -amount);
  emit(book, "refund.failed", refund, previous);
  emit(book, "refund.updated", refund, previous);
  emit(book, "charge.refund.updated", refund, previous);
}

/** The charge that a refund names, by itself or by its intent. */
function chargeOf(book: Book, charge: string | undefined, intent: string | undefined): Charge {
  if (charge !== undefined) return find(book, book.charges, "charge", charge, "charge");
  if (intent === undefined) {
    const message = "One of the following params should be provided for this request: payment_intent or charge.";
    throw malformed(message, { code: "parameter_missing", param: "payment_intent" });
  }
  const { latest_charge: latest, status } = find(book, book.paymentIntents, "payment_intent", intent, "payment_intent");
  if (status === "succeeded") return book.charges.get(latest!)!;
  throw invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`, {
    code: "payment_intent_unexpected_state",
  });
}

const REASONS = ["duplicate", "fraudulent", "requested_by_customer"];

export const refundRoutes: readonly Route[] = [
  route(
    "POST /v1/refunds",
    "charge_write",
    { amount: "integer", charge: "string", metadata: "metadata", payment_intent: "string", reason: "string" },
    ({ book, params: { charge, payment_intent: intent, ...of } }) => {
      if (of.reason !== undefined && !REASONS.includes(of.reason)) {
        throw malformed(`Invalid reason: must be one of ${REASONS.join(", ")}`, { param: "reason" });
      }
      return makeRefund(book, chargeOf(book, charge, intent), of);
    },
  ),
  route("GET /v1/refunds/:id", "charge_read", {}, ({ book, id }) => find(book, book.refunds, "refund", id)),
  route("POST /v1/refunds/:id", "charge_write", { metadata: "metadata" }, ({ book, id, params: { metadata } }) => {
    const refund = find(book, book.refunds, "refund", id);
    Object.assign(refund.metadata, metadata);
    return refund;
  }),
  listRoute(
    "/v1/refunds",
    "charge_read",
    { charge: "string", created: "range", payment_intent: "string" },
    ({ book, params }) =>
      [...book.refunds.values()].filter(
        (each) =>
          isWithin(params.created, each.created) &&
          (params.charge === undefined || each.charge === params.charge) &&
          (params.payment_intent === undefined || each.payment_intent === params.payment_intent),
      ),
  ),
];
