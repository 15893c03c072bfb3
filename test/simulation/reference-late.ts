import type { ActionOf } from "./history.ts";
import { chargeOf, deposit, lotsForExcess, standingDispute, sum, take } from "./reference-balance.ts";
import { refundable } from "./reference-funds.ts";
import { LATE_ALONE, type Customer, type Payment, type Shop } from "./reference-model.ts";
import { bookParts, free, freedBy, lowerRate, partsOf } from "./reference-refunds.ts";

// Refunds that fail late, and refunds that are made at the provider (docs/rules.md: I8, I9).

/** A refund to a card fails after its success: the money goes to the balance, and the invoice stays refunded. */
export function failRefund(customer: Customer, { refund: number }: ActionOf<"failRefund">): string {
  const made = customer.refunds.filter(({ failed }) => !failed);
  const refund = made[number % made.length];
  if (!refund) return "nobody";
  const { payment, amount, fromBalance, taken, excess } = refund;
  refund.failed = true;
  payment.toCard -= amount;
  payment.failed += amount;
  payment.excess -= excess;
  const own = standingDispute(customer, payment) ? LATE_ALONE : payment.late;
  const pieces = taken.map(({ origin, line, amount: part }) => {
    return { origin: chargeOf(origin) === payment ? own : LATE_ALONE, line, amount: part };
  });
  deposit(customer, payment.invoice!.currency, "refund_failed", [
    ...pieces,
    { origin: own, line: null, amount: amount - fromBalance },
    { origin: LATE_ALONE, line: null, amount: fromBalance - sum(taken) },
  ]);
  return "200";
}

/**
 * A refund at the provider. The part that can be refunded reverses the sale. The rest is taken off the balance. While a
 * Checkout waits for the bank, the operator waits, too: a change there has fixed its credit.
 */
export function refundOutside(
  { provider }: Shop,
  customer: Customer,
  { invoice: number, part: share }: ActionOf<"refundOutside">,
): string {
  if (customer.challenges.some(({ page }) => page)) return "waits";
  const payments = customer.invoices.flatMap(({ payment }) => payment ?? []);
  const payment = payments.at(number % payments.length);
  if (!payment) return "nobody";
  const disputed = standingDispute(customer, payment)?.amount ?? 0;
  if (disputed > 0 && !provider.refundsDisputed) return "waits";
  const available = Math.max(payment.amount - payment.toCard - disputed, 0);
  if (available === 0) return "409 payment_not_refundable 0";
  const amount = share === null ? available : Math.max(Math.floor(available * share), 1);
  if (amount > available) return `409 payment_not_refundable ${available}`;
  const { sale, tax } = reverse(customer, payment, amount);
  const { currency } = payment.invoice!;
  const lots = lotsForExcess(customer, currency, payment);
  const taken = take(customer, { currency, reason: "paid_out", amount: amount - sale }, lots);
  const excess = amount - sale - sum(taken.filter(({ origin }) => chargeOf(origin) === payment));
  payment.toCard += amount;
  payment.excess += excess;
  customer.refunds.push({ payment, amount, fromBalance: amount - sale, taken, excess, failed: false });
  return `201 ${amount} with tax of ${tax}, ${amount - sale} off the balance`;
}

/** The part of the amount that reverses the sale of the charge, and the tax in it. */
function reverse(customer: Customer, payment: Payment, amount: number): { sale: number; tax: number } {
  const invoice = payment.invoice!;
  if (invoice.status !== "paid" || invoice.outside) return { sale: 0, tax: 0 };
  const sale = Math.min(amount, refundable(customer, invoice).toCard);
  if (sale === 0) return { sale: 0, tax: 0 };
  const freed = freedBy(customer, invoice, sale);
  const parts = partsOf(customer, invoice, { sale, freed });
  lowerRate(invoice, parts);
  free(customer, invoice, freed);
  invoice.own.toCard += sale;
  bookParts(invoice, parts);
  return { sale, tax: parts.reduce((total, part) => total + part.tax, 0) };
}
