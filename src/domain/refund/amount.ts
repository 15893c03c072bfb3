import type { Account } from "../billing/customer-billing.ts";
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
import { AppError, invalid } from "../../errors.ts";

/** `amount`: minor units; null: the default amount. `fromBalance`: the part of it that is taken off the balance. */
type Asked = { amount: Amount | null };
type RefundAmount = { amount: Amount; fromBalance: Amount };

/**
 * The amount of a refund to the card. More than the money that is left is taken off the balance: credit from this very
 * charge (rule I3c). The amount is a multiple of the provider's step (rules I3f, M5g). @throws AppError 409, 422
 */
export function toCard(account: Account, { invoice, lines }: Bill, back: Back, { amount: asked }: Asked): RefundAmount {
  requireCharge({ invoice, lines }, back);
  const { toCard: left } = refundableOf({ invoice, lines, back });
  const captured = capturedLeft(account, invoice, back);
  if (captured === 0 && asked === null) throw new AppError("nothing_to_refund");
  const step = back.paymentId === null ? 1 : stepOfCharge(account, back.paymentId);
  const available = roundedDown(Math.min(left + creditOf(account, invoice.currency, back), captured), step);
  if (asked === null && left === 0)
    throw new AppError(available === 0 ? "credit_spent" : "credited", { extra: { available } });
  const amount = asked ?? roundedDown(left, step);
  if (amount > left) requireAvailable(amount, roundedDown(captured, step), available);
  requireStep(amount, step, available);
  return { amount, fromBalance: Math.max(amount - left, 0) };
}

/**
 * (rule I3d)
 * @throws AppError 409, 422 for more than the charge or its credit can give back
 */
function requireAvailable(amount: Amount, captured: Amount, available: Amount): void {
  if (captured === 0) throw new AppError("nothing_to_refund");
  if (amount > captured)
    throw invalid("/amount", "too_large", `Refund at most ${captured} of this Invoice to the card.`);
  if (amount > available) throw new AppError("credit_spent", { extra: { available } });
}

/** @throws AppError 422 for an amount between two steps, with the nearest amounts up to `available` */
function requireStep(amount: Amount, step: Amount, available: Amount): void {
  const below = roundedDown(amount, step);
  if (amount > 0 && amount === below) return;
  const nearest = [below, below + step].filter((each) => each > 0 && each <= available);
  const remedy = nearest.length > 0 ? `Refund ${nearest.join(" or ")}, and` : "Refund";
  const rest = nearest.length > 0 ? "the rest" : "this amount";
  throw invalid(
    "/amount",
    "between_steps",
    `The provider refunds multiples of ${step} to this card. ${remedy} ${rest} to the \`balance\`.`,
  );
}

/** Credit from an invoice's charge that can be taken off the balance. */
function creditOf(account: Account, currency: string, { paymentId }: Back): Amount {
  if (paymentId === null) return 0;
  const lots = lotsOfCharge(account, currency, paymentId);
  return Math.max(Math.min(sumOf(lots.map(({ remaining }) => remaining)), freeIn(account, currency)), 0);
}

/**
 * The money of an invoice's charge that went neither back to the card nor to the buyer's bank. Money of a refund that
 * failed late can't go to this card any more, so it does not count either.
 */
function capturedLeft(account: Account, invoice: Bill["invoice"], back: Back): Amount {
  if (invoice.paidOutside || back.paymentId === null) return 0;
  account.need({ part: "refunds_of", paymentId: back.paymentId });
  const ofCharge = account.refunds.where((refund) => refund.paymentId === back.paymentId && isStanding(refund));
  const taken = Math.min(invoice.amountPaid, priceOf(invoice));
  return Math.max(taken - sumOf(ofCharge.map(({ amount }) => amount)) - back.disputed, 0);
}

/** The amount that could be refunded to the balance if changes had credited no line of the invoice. */
const withoutCredits = ({ invoice, lines }: Bill, back: Back): Amount =>
  refundableOf({ invoice, lines, back: { ...back, credits: [] } }).toBalance;

/** The amount of a refund to the balance (rule I3b). @throws AppError 409, 422 */
export function toBalance({ invoice, lines }: Bill, back: Back, { amount: asked }: Asked): RefundAmount {
  const { toBalance: limit } = refundableOf({ invoice, lines, back });
  const most = withoutCredits({ invoice, lines }, back);
  if (most === 0) throw new AppError("nothing_to_refund");
  const amount = asked ?? limit;
  if (amount > most) throw invalid("/amount", "too_large", `Refund at most ${limit} of this Invoice.`);
  if (amount > limit || limit === 0) throw new AppError("credited", { extra: { available: limit } });
  return { amount, fromBalance: 0 };
}

/** @throws AppError 409, 422 if no card was charged */
function requireCharge({ invoice, lines }: Bill, back: Back): void {
  if (!invoice.paidOutside && back.paymentId !== null) return;
  if (withoutCredits({ invoice, lines }, back) === 0) throw new AppError("nothing_to_refund");
  throw invalid("/to", "not_paid_by_card", "No card was charged for this Invoice. Refund it to the `balance`.");
}
