import { formatDate } from "../../domain/calendar.ts";
import { taxesOf, type Totals } from "../../domain/invoice/invoice.ts";
import { taxNoteOf } from "../../domain/tax/tax.ts";
import { money } from "../money.ts";
import { discountLabel, LEFT, taxLabel, type Terms } from "./terms.ts";
import type { Quote } from "./view.ts";

type Figures = Terms["figures"];

/**
 * The effect of the balance on a total, in words (rules M4, M5). Credit that can't be spent is added to the balance
 * (rule D7).
 */
function balanceFigure({ checkout: { change, currency } }: Quote): Figures {
  const { balanceApplied, balanceBasis, totalAmount } = change!.totals;
  const added = totalAmount <= 0 && !isHeld(change!.totals) ? -balanceApplied : (balanceBasis?.held ?? 0);
  const toSettle = totalAmount + (balanceBasis?.held ?? 0);
  const used = toSettle <= 0 ? 0 : Math.min(balanceBasis?.balance ?? 0, toSettle);
  const left = balanceApplied + added - used;
  const figure = (label: string, amount: number) => (amount === 0 ? [] : [{ label, amount: money(amount, currency) }]);
  return [
    ...figure("Added to your balance", added),
    ...figure(used > 0 ? "Settled by your balance" : "Owed from before", -used),
    ...figure(LEFT, -left),
  ];
}

/** Whether an amount would be due without the credit that can't be spent. */
const isHeld = ({ balanceBasis, totalAmount }: Totals) => totalAmount + (balanceBasis?.held ?? 0) > 0;

/** The figures that lead to the amount due for a change: its lines, their discount and tax, and the balance. */
export function changeFigures(quote: Quote, zone: string): Figures {
  const { lines, bill, checkout } = quote;
  const { currency, discount } = checkout;
  const off = lines.reduce((sum, { discountAmount }) => sum + discountAmount, 0);
  // Only the line of a whole period has a discount of its own, and a change has at most one such line.
  const period = lines.map(({ basis }) => basis).find((basis) => basis?.kind === "period");
  const part = period?.discount?.part ?? null;
  const taxes = taxesOf(lines).filter(({ taxAmount }) => taxAmount !== 0);
  return [
    ...lines.map(({ description, amount }) => ({ label: description, amount: money(amount, currency) })),
    ...(off === 0 ? [] : [{ label: discountLabel(discount?.code ?? "", part, zone), amount: money(-off, currency) }]),
    ...taxes.map((rate) => ({ label: taxLabel(rate), amount: money(rate.taxAmount, currency) })),
    ...(bill === "now" ? balanceFigure(quote) : []),
  ];
}

/** The notes on a change beside its amounts. */
export function changeNotes({ lines, bill, checkout, scheduledFor, nextChargeAt }: Quote, zone: string): string[] {
  const next = formatDate(nextChargeAt, zone);
  const taxNote = taxNoteOf(lines.map(({ tax }) => tax));
  return [
    ...(scheduledFor === null ? [] : [`Your plan changes on ${formatDate(scheduledFor, zone)}.`]),
    ...(bill === "wait" && lines.length > 0 ? [`These amounts are part of your next invoice, on ${next}.`] : []),
    ...(taxNote === null ? [] : [taxNote]),
    ...(checkout.change?.undo ? ["Your subscription goes on: its cancellation is taken back."] : []),
    ...(bill === "now" &&
    checkout.amount > 0 &&
    checkout.change!.totals.totalAmount < 0 &&
    !checkout.change!.totals.balanceBasis?.held
      ? ["Your balance pays your next charges, before your card is charged."]
      : []),
  ];
}
