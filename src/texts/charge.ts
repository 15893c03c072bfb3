import { unbrokenCardName } from "../domain/payment/card-name.ts";
import type { PeriodEnd } from "../domain/subscription/period-end.ts";
import type { Words } from "./words.ts";

/** The charge at the end of a Subscription's period, and its means of payment: `US$30.00, to Visa •••• 4242`. */
export function chargeAtEnd({ portal, money }: Words, end: PeriodEnd, currency: string): string {
  const { totalAmount, amountDue, fromBalance, paidBy, isCardDisputed, endsInstead } = end;
  if (paidBy === "nothing") return portal.noCharge;
  if (paidBy === "credit") return portal.toBalance({ amount: money(-totalAmount, currency) });
  if (paidBy === "balance") return portal.fromBalance({ amount: money(totalAmount, currency) });
  const amount = money(amountDue, currency);
  if (!end.card) return (endsInstead ? portal.noCardEnds : portal.noCardThen)({ amount });
  const card = unbrokenCardName(end.card);
  if (isCardDisputed) return portal.heldBackThen({ amount, card });
  return fromBalance > 0
    ? portal.toCardAndBalance({ amount, card, credit: money(fromBalance, currency) })
    : portal.toCard({ amount, card });
}
