import type { CustomerBilling } from "../billing/customer-billing.ts";
import { stepOfCharge } from "../billing/limits.ts";
import { lotsOfCharge } from "../balance/move.ts";
import { freeIn } from "../balance/quote.ts";
import type { Back } from "../model/invoice-returns.ts";
import type { Bill } from "../invoice/bills.ts";
import { priceOf } from "../model/invoice-funds.ts";
import { sumOf, type Amount } from "../money.ts";
import { roundedDown } from "../model/charge-limits.ts";
import { isStanding } from "../model/refund.ts";
import { refundableOf } from "../model/refundable-amount.ts";
import { Refusal, type Money } from "../refusal.ts";

/** `amount`: minor units; null: the default amount. `fromBalance`: the part of it that is taken off the balance. */
type Asked = { amount: Amount | null };
type RefundAmount = { amount: Amount; fromBalance: Amount };

/**
 * The amount of a refund to the card. More than the money that is left is taken off the balance: credit from this very
 * charge (rule I3c). The amount is a multiple of the provider's step (rules I3f, M5g). @throws Refusal 409, 422
 */
export function toCard(
  billing: CustomerBilling,
  { invoice, lines }: Bill,
  back: Back,
  { amount: asked }: Asked,
): RefundAmount {
  requireCharge({ invoice, lines }, back);
  const { currency } = invoice;
  const { toCard: left } = refundableOf({ invoice, lines, back });
  const captured = capturedLeft(billing, invoice, back);
  if (captured === 0 && asked === null) throw new Refusal("nothing_to_refund");
  const step = back.paymentId === null ? 1 : stepOfCharge(billing, back.paymentId);
  const available = roundedDown(Math.min(left + creditOf(billing, invoice.currency, back), captured), step);
  if (asked === null && left === 0)
    throw new Refusal(available === 0 ? "credit_spent" : "credited", { available: { currency, amount: available } });
  const amount = asked ?? roundedDown(left, step);
  const asMoney = { currency, amount };
  if (amount > left) requireAvailable(asMoney, roundedDown(captured, step), available);
  requireStep(asMoney, step, available);
  return { amount, fromBalance: Math.max(amount - left, 0) };
}

/** @throws Refusal 409, 422 for more than the charge or its credit can give back (rule I3d) */
function requireAvailable({ currency, amount }: Money, captured: Amount, available: Amount): void {
  if (captured === 0) throw new Refusal("nothing_to_refund");
  if (amount > captured)
    throw new Refusal("refund_too_large", { field: "/amount", most: { currency, amount: captured }, to: "card" });
  if (amount > available) throw new Refusal("credit_spent", { available: { currency, amount: available } });
}

/** @throws Refusal 422 for an amount between two steps, with the nearest amounts up to `available` */
function requireStep({ currency, amount }: Money, step: Amount, available: Amount): void {
  const below = roundedDown(amount, step);
  if (amount > 0 && amount === below) return;
  const nearest = [below, below + step].filter((each) => each > 0 && each <= available);
  throw new Refusal("refund_between_steps", {
    field: "/amount",
    step: { currency, amount: step },
    nearest: nearest.map((each) => ({ currency, amount: each })),
  });
}

/** Credit from an invoice's charge that can be taken off the balance. */
function creditOf(billing: CustomerBilling, currency: string, { paymentId }: Back): Amount {
  if (paymentId === null) return 0;
  const lots = lotsOfCharge(billing, currency, paymentId);
  return Math.max(Math.min(sumOf(lots.map(({ remaining }) => remaining)), freeIn(billing, currency)), 0);
}

/**
 * The money of an invoice's charge that went neither back to the card nor to the buyer's bank. Money of a refund that
 * failed late can't go to this card any more, so it does not count either.
 */
function capturedLeft(
  billing: Pick<CustomerBilling, "need" | "refunds">,
  invoice: Bill["invoice"],
  back: Back,
): Amount {
  if (invoice.paidOutside || back.paymentId === null) return 0;
  billing.need({ part: "refunds_of", paymentId: back.paymentId });
  const ofCharge = billing.refunds.where((refund) => refund.paymentId === back.paymentId && isStanding(refund));
  const taken = Math.min(invoice.amountPaid, priceOf(invoice));
  return Math.max(taken - sumOf(ofCharge.map(({ amount }) => amount)) - back.disputed, 0);
}

/** The amount that could be refunded to the balance if changes had credited no line of the invoice. */
const withoutCredits = ({ invoice, lines }: Bill, back: Back): Amount =>
  refundableOf({ invoice, lines, back: { ...back, credits: [] } }).toBalance;

/** The amount of a refund to the balance (rule I3b). @throws Refusal 409, 422 */
export function toBalance({ invoice, lines }: Bill, back: Back, { amount: asked }: Asked): RefundAmount {
  const { toBalance: limit } = refundableOf({ invoice, lines, back });
  const most = withoutCredits({ invoice, lines }, back);
  if (most === 0) throw new Refusal("nothing_to_refund");
  const amount = asked ?? limit;
  const available = { currency: invoice.currency, amount: limit };
  if (amount > most) throw new Refusal("refund_too_large", { field: "/amount", most: available, to: "balance" });
  if (amount > limit || limit === 0) throw new Refusal("credited", { available });
  return { amount, fromBalance: 0 };
}

/** @throws Refusal 409, 422 if no card was charged */
function requireCharge({ invoice, lines }: Bill, back: Back): void {
  if (!invoice.paidOutside && back.paymentId !== null) return;
  if (withoutCredits({ invoice, lines }, back) === 0) throw new Refusal("nothing_to_refund");
  throw new Refusal("not_paid_by_card", { field: "/to" });
}
