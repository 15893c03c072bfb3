import { emit, find, STATEMENT_PREFIX, type Book } from "./book.ts";
import type { Decline } from "./cards.ts";
import { isWithin } from "./form.ts";
import type { BalanceTransaction, Charge, PaymentIntent } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

const REPORTED_AS: Record<BalanceTransaction["type"], string> = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_failure",
  adjustment: "dispute",
  stripe_fee: "fee",
};

type Movement = {
  type: BalanceTransaction["type"];
  amount: number;
  fee?: number;
  currency: string;
  source: string | null;
};

/** A movement of the account's balance. `amount`: negative for money that leaves the account. */
export function move(book: Book, of: Movement, description: string | null = null): BalanceTransaction {
  bookCharges(book);
  return record(book, of, description);
}

/**
 * Stripe books a charge shortly after the charge: the answer to the confirmation has no `balance_transaction` yet. Here
 * the next request finds the charge booked.
 */
export function bookCharges(book: Book): void {
  for (const id of book.hidden.unbooked) {
    const charge = book.charges.get(id)!;
    const { amount, currency } = charge;
    // Stripe's price for a European card; the figure is of no consequence.
    const fee = Math.round(amount * 0.015) + 25;
    charge.balance_transaction = record(book, { type: "charge", amount, fee, currency, source: id }, null).id;
    emit(book, "charge.updated", charge, { balance_transaction: null });
  }
  book.hidden.unbooked.clear();
}

function record(book: Book, of: Movement, description: string | null): BalanceTransaction {
  const { type, amount, fee = 0, currency, source } = of;
  const made: BalanceTransaction = {
    id: book.newId("txn"),
    object: "balance_transaction",
    amount,
    available_on: book.now() + 2 * 86_400,
    balance_type: "payments",
    created: book.now(),
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: "Stripe processing fees", type: "stripe_fee" }],
    net: amount - fee,
    reporting_category: REPORTED_AS[type],
    source,
    status: "pending",
    type,
  };
  book.balance.set(made.id, made);
  return made;
}

/** Charges the intent's card, or records the bank's refusal as a failed charge. */
export function makeCharge(book: Book, intent: PaymentIntent, paymentMethod: string, refusal?: Decline): Charge {
  const id = book.newId("ch");
  const paid = refusal === undefined;
  const { amount, currency } = intent;
  const suffix = intent.statement_descriptor_suffix;
  const made: Charge = {
    id,
    object: "charge",
    amount,
    amount_captured: paid ? amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: book.paymentMethods.get(paymentMethod)!["billing_details"],
    calculated_statement_descriptor: suffix === null ? STATEMENT_PREFIX : `${STATEMENT_PREFIX}* ${suffix}`,
    captured: paid,
    created: book.now(),
    currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    livemode: book.livemode,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcomeOf(refusal),
    paid,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: { type: "card", card: cardDetails(book, paymentMethod, amount) },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: suffix,
    status: paid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  };
  book.charges.set(id, made);
  if (paid) book.hidden.unbooked.add(id);
  emit(book, paid ? "charge.succeeded" : "charge.failed", made);
  return made;
}

function cardDetails(book: Book, paymentMethod: string, amount: number) {
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } =
    book.paymentMethods.get(paymentMethod)!.card;
  const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" };
  const shown = { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4, network: brand };
  const unknown = { authorization_code: null, network_transaction_id: null, transaction_link_id: null };
  const plain = { installments: null, mandate: null, three_d_secure: null, wallet: null };
  return { ...shown, ...unknown, ...plain, amount_authorized: amount, regulated_status: "unregulated" };
}

function outcomeOf(refusal: Decline | undefined) {
  const risk = { advice_code: null, network_advice_code: null, network_decline_code: null, risk_level: "normal" };
  if (refusal === undefined) {
    const message = "Payment complete.";
    return {
      ...risk,
      network_status: "approved_by_network",
      reason: null,
      seller_message: message,
      type: "authorized",
    };
  }
  const message = "The bank did not return any further details with this decline.";
  const reason = refusal.decline_code;
  return { ...risk, network_status: "declined_by_network", reason, seller_message: message, type: "issuer_declined" };
}

export const chargeRoutes: readonly Route[] = [
  route("GET /v1/charges/:id", "charge_read", {}, ({ book, id }) => find(book, book.charges, "charge", id)),
  listRoute(
    "/v1/charges",
    "charge_read",
    { created: "range", customer: "string", payment_intent: "string" },
    ({ book, params }) =>
      [...book.charges.values()].filter(
        (charge) =>
          isWithin(params.created, charge.created) &&
          (params.customer === undefined || charge.customer === params.customer) &&
          (params.payment_intent === undefined || charge.payment_intent === params.payment_intent),
      ),
  ),
  route("GET /v1/balance_transactions/:id", "balance_transaction_source_read", {}, ({ book, id }) =>
    find(book, book.balance, "balance transaction", id),
  ),
  listRoute(
    "/v1/balance_transactions",
    "balance_transaction_source_read",
    { created: "range", currency: "string", source: "string", type: "string" },
    ({ book, params }) =>
      [...book.balance.values()].filter(
        (each) =>
          isWithin(params.created, each.created) &&
          (params.currency === undefined || each.currency === params.currency) &&
          (params.source === undefined || each.source === params.source) &&
          (params.type === undefined || each.type === params.type),
      ),
  ),
];
