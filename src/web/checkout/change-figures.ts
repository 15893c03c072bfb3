import { lineDescription } from "../../documents/billing-document.ts";
import type { CheckoutQuote } from "../../domain/change/quote.ts";
import { titleOf } from "../../domain/model/line-title.ts";
import { taxesOf, type Totals } from "../../domain/model/invoice.ts";
import { discountLabel, taxLabel, taxNote } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import type { Terms } from "./terms.ts";

type Figures = Terms["figures"];

/**
 * The effect of the balance on a total, in words (rules M4, M5). Credit that can't be spent is added to the balance
 * (rule D7).
 */
function balanceFigure({ terms, money }: Words, { checkout: { change, currency } }: CheckoutQuote): Figures {
  const { balanceApplied, balanceBasis, totalAmount } = change!.totals;
  const added = totalAmount <= 0 && !isHeld(change!.totals) ? -balanceApplied : (balanceBasis?.held ?? 0);
  const toSettle = totalAmount + (balanceBasis?.held ?? 0);
  const used = toSettle <= 0 ? 0 : Math.min(balanceBasis?.balance ?? 0, toSettle);
  const left = balanceApplied + added - used;
  const figure = (label: string, amount: number) => (amount === 0 ? [] : [{ label, amount: money(amount, currency) }]);
  return [
    ...figure(terms.toBalance, added),
    ...figure(used > 0 ? terms.fromBalance : terms.owed, -used),
    ...figure(terms.left, -left),
  ];
}

/** Whether an amount would be due without the credit that can't be spent. */
const isHeld = ({ balanceBasis, totalAmount }: Totals) => totalAmount + (balanceBasis?.held ?? 0) > 0;

/** The figures that lead to the amount due for a change: its lines, their discount and tax, and the balance. */
export function changeFigures(words: Words, quote: CheckoutQuote, zone: string): Figures {
  const { money } = words;
  const { lines, bill, checkout } = quote;
  const { currency, discount } = checkout;
  const off = lines.reduce((sum, { discountAmount }) => sum + discountAmount, 0);
  // Only the line of a whole period has a discount of its own, and a change has at most one such line.
  const period = lines.map(({ basis }) => basis).find((basis) => basis?.kind === "period");
  const part = period?.discount?.part ?? null;
  const taxes = taxesOf(lines).filter(({ taxAmount }) => taxAmount !== 0);
  return [
    ...lines.map((line) => ({
      label: lineDescription(words, titleOf(line), line.description, checkout.currency),
      amount: money(line.amount, currency),
    })),
    ...(off === 0
      ? []
      : [{ label: discountLabel(words, discount?.code ?? "", part, zone), amount: money(-off, currency) }]),
    ...taxes.map((rate) => ({ label: taxLabel(words, rate), amount: money(rate.taxAmount, currency) })),
    ...(bill === "now" ? balanceFigure(words, quote) : []),
  ];
}

/** The notes on a change beside its amounts. */
export function changeNotes(words: Words, quote: CheckoutQuote, zone: string): string[] {
  const { lines, bill, checkout, scheduledFor, undoes, nextChargeAt } = quote;
  const { terms, day } = words;
  const note = taxNote(
    words,
    lines.map(({ tax }) => tax),
  );
  return [
    ...(scheduledFor === null ? [] : [terms.planChanges({ day: day(scheduledFor, zone) })]),
    ...(bill === "wait" && lines.length > 0 ? [terms.onNextInvoice({ day: day(nextChargeAt, zone) })] : []),
    ...(note === null ? [] : [note]),
    ...(undoes ? [terms.goesOn] : []),
    ...(bill === "now" &&
    checkout.amount > 0 &&
    checkout.change!.totals.totalAmount < 0 &&
    !checkout.change!.totals.balanceBasis?.held
      ? [terms.balanceFirst]
      : []),
  ];
}
