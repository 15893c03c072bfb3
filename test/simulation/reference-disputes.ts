import type { ActionOf } from "./history.ts";
import type { Card, Customer, Dispute, Invoice, Sub } from "./reference-model.ts";
import { creditedElsewhere, leftOf, partOfRate, partsOf, rateLowered } from "./reference-refunds.ts";

// Charges that banks take back, and cards that disputes hold back (docs/rules.md: D5, D6).

const isStanding = ({ status }: Dispute) => status !== "won";

/**
 * True if a dispute holds the card back while the buyer is away (rule D6). A card stays the same card however often
 * it is given.
 */
export function isHeldBack({ disputes }: Customer, { does }: Card): boolean {
  return disputes.some((each) => isStanding(each) && !each.cleared && each.invoice.paidWith!.does === does);
}

/** The buyer was present and paid with the card: its disputes no longer hold it back. */
export function clearCard({ disputes }: Customer, { does }: Card): void {
  for (const each of disputes.filter(isStanding)) if (each.invoice.paidWith!.does === does) each.cleared = true;
}

/** The part of an invoice's charge that its bank has taken back and not returned. */
export function disputedOf({ disputes }: Customer, invoice: Invoice): number {
  const standing = disputes.filter((each) => each.invoice === invoice && isStanding(each));
  return standing.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * True while an open dispute may lower the rate of the period in progress. No change credits that period meanwhile.
 */
export function isAtStake({ disputes }: Customer, sub: Sub): boolean {
  const open = disputes.filter(({ status }) => status === "open");
  return open.some(({ invoice, stake, period }) => invoice.sub === sub && stake > 0 && period === sub.count);
}

/** A buyer disputes the payment of an invoice, which may be paid or void by now. */
export function dispute(customer: Customer, { invoice: number }: ActionOf<"dispute">, at: number): string {
  const paid = customer.invoices.filter(({ paidWith }) => paidWith !== null);
  const invoice = paid[number % paid.length];
  if (!invoice) return "nobody";
  if (disputedOf(customer, invoice) > 0) return "409 already_disputed";
  const amount = invoice.due - invoice.toCard;
  if (amount === 0) return "409 payment_not_disputable";
  const { sub } = invoice;
  const counts = invoice.status === "paid" && sub !== null && sub.status !== "canceled";
  const left = Math.max(leftOf(invoice) - creditedElsewhere(customer, invoice), 0);
  const ofRate = counts && left > 0 ? partOfRate(sub, invoice, partsOf(customer, invoice, left)) : null;
  const stake = ofRate ? rateLowered(sub!, ofRate) : 0;
  customer.disputes.push({ invoice, at, amount, status: "open", cleared: false, stake, period: sub && sub.count });
  return `201 ${amount}`;
}

/** The bank decides the open dispute of this number. */
export function decide({ disputes }: Customer, { do: name, dispute: number }: ActionOf<"win" | "lose">): string {
  const open = disputes.filter(({ status }) => status === "open");
  const decided = open[number % open.length];
  if (!decided) return "nobody";
  decided.status = name === "win" ? "won" : "lost";
  const { sub } = decided.invoice;
  const isInProgress = sub && sub.status !== "canceled" && decided.period === sub.count;
  // A change that was being paid meanwhile may have credited that line already.
  if (name === "lose" && isInProgress && sub.rateLine && decided.invoice.lines.includes(sub.rateLine))
    sub.rate -= decided.stake;
  return "200";
}
