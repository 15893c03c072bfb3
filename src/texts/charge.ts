import { cardName } from "../domain/model/card-name.ts";
import type { Outlook } from "../domain/subscription/outlook.ts";
import type { PeriodEnd } from "../domain/subscription/period-end.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import type { Words } from "./words.ts";

/** The charge at the end of a Subscription's period, and its means of payment: `US$30.00 to Visa •••• 4242`. */
function chargeAtEnd({ portal, money }: Words, end: PeriodEnd, currency: string): string {
  const { totalAmount, amountDue, fromBalance, paidBy, isCardDisputed, endsInstead } = end;
  if (paidBy === "nothing") return portal.noCharge;
  if (paidBy === "credit") return portal.toBalance({ amount: money(-totalAmount, currency) });
  if (paidBy === "balance") return portal.fromBalance({ amount: money(totalAmount, currency) });
  const amount = money(amountDue, currency);
  if (!end.card) return (endsInstead ? portal.noCardEnds : portal.noCardThen)({ amount });
  const card = cardName(end.card);
  if (isCardDisputed) return portal.heldBackThen({ amount, card });
  return fromBalance > 0
    ? portal.toCardAndBalance({ amount, card, credit: money(fromBalance, currency) })
    : portal.toCard({ amount, card });
}

/**
 * The charge at the end of a Subscription's period under its name, for the portal and e-mails: `Next charge`, `1 April
 * 2026: US$30.00 to Visa •••• 4242`. Null: the end of the period makes no invoice.
 */
export function chargeOfPeriodEnd(
  words: Words,
  zone: string,
  { status, currency }: Subscription,
  { end, now }: Outlook,
): { name: string; value: string } | null {
  if (!end) return null;
  const { portal, day } = words;
  const on = { charge: chargeAtEnd(words, end, currency), day: day(end.at, zone) };
  const last = end.paidBy === "charge" ? portal.lastCharge : portal.atTheEnd;
  const next = status === "past_due" ? portal.afterThat : portal.nextCharge;
  return {
    name: end.kind === "last" ? last : next,
    value: end.at <= now ? portal.chargeLate(on) : portal.chargeOn(on),
  };
}
