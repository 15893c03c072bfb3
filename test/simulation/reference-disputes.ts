import type { ActionOf } from "./history.ts";
import { chargeOf, lotsOf, settleDebts, spendableLots, standingDispute, take, worthOf } from "./reference-balance.ts";
import { fundsOf } from "./reference-funds.ts";
import { invoiceOf } from "./reference-lines.ts";
import { live, type Card, type Customer, type Dispute, type Payment, type Sub } from "./reference-model.ts";
import { partOfRate, partsOf, rateLowered } from "./reference-refunds.ts";

// Charges that banks take back, and cards that disputes hold back (docs/rules.md: D5, D6).

const isStanding = ({ status }: Dispute) => status !== "won";

/**
 * True if a dispute holds the card back while the buyer is away (rule D6). A card stays the same card however often
 * it is given.
 */
export function isHeldBack({ disputes }: Customer, { does }: Card): boolean {
  return disputes.some((each) => isStanding(each) && !each.cleared && each.payment.card.does === does);
}

/** The buyer was present and paid with the card: its disputes no longer hold it back. */
export function clearCard({ disputes }: Customer, { does }: Card): void {
  for (const each of disputes.filter(isStanding)) if (each.payment.card.does === does) each.cleared = true;
}

/** True while an open dispute concerns funds of the period in progress. No change credits that period meanwhile. */
export function isAtStake(customer: Customer, { rateLine }: Sub): boolean {
  const invoice = rateLine && invoiceOf(customer, rateLine);
  const funds = invoice ? fundsOf(customer, invoice) : [];
  return funds.some(({ left, origin }) => left > 0 && standingDispute(customer, origin)?.status === "open");
}

/** A buyer disputes the payment of an invoice, which may be paid or void by now. */
export function dispute(customer: Customer, { invoice: number }: ActionOf<"dispute">): string {
  const payments = customer.invoices.flatMap(({ payment }) => payment ?? []);
  const payment = payments.at(number % payments.length);
  if (!payment) return "nobody";
  if (standingDispute(customer, payment)) return "409 already_disputed";
  const amount = payment.amount - payment.toCard;
  if (amount === 0) return "409 payment_not_disputable";
  customer.disputes.push({ payment, amount, status: "open", cleared: false });
  return `201 ${amount}`;
}

/** The bank decides the open dispute of this number. */
export function decide(customer: Customer, { do: name, dispute: number }: ActionOf<"win" | "lose">): string {
  const open = customer.disputes.filter(({ status }) => status === "open");
  const decided = open[number % open.length];
  if (!decided) return "nobody";
  decided.status = name === "win" ? "won" : "lost";
  if (name === "lose") lose(customer, decided.payment);
  // Lots that the dispute no longer holds settle open debts.
  else for (const lot of spendableLots(customer, decided.payment.invoice!.currency)) settleDebts(customer, lot);
  return "200";
}

/** The live lots of a lost payment are written off. Each rate that it funds falls as a refund would lower it. */
function lose(customer: Customer, payment: Payment): void {
  const { currency } = payment.invoice!;
  const lots = lotsOf(customer, payment);
  take(customer, { currency, reason: "dispute_lost", amount: worthOf(lots) }, lots);
  for (const sub of live(customer)) {
    const invoice = sub.rateLine && invoiceOf(customer, sub.rateLine);
    if (!invoice) continue;
    const funds = fundsOf(customer, invoice).filter(({ origin }) => chargeOf(origin) === payment);
    const left = funds.reduce((total, fund) => total + fund.left, 0);
    const part = partOfRate(sub, invoice, partsOf(customer, invoice, { sale: left, freed: 0 }));
    if (part) sub.rate -= rateLowered(sub, part);
  }
}
