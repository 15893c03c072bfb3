import { amountFrom, isSameSource, lotPartOf, takeFront, totalOfParts, type SourcePart } from "./credit-source.ts";
import { creditsAmong, freedLater, freedOf, fundsLeft, fundsOf, leftIn, ownSource } from "./invoice-funds.ts";
import { multiplyDivide, sumOf, type Amount } from "../money.ts";
import { leftOfLines, refundableOf, worthOf, type RefundedBill } from "./refundable-amount.ts";
import { isStanding, pricePart, type FreedPart, type Refund, type RefundTarget } from "./refund.ts";

/**
 * Shares a refund out over the funds of its invoice (rules I3e, I3g). Credit is given back in proportion to the
 * refunded part of the invoice, rounded for all refunds so far, so that the order of refunds makes no difference.
 * `amount`: the part that gives back the invoice (minor units).
 */
export function shareOf(bill: RefundedBill, amount: Amount, to: RefundTarget): Pick<Refund, "freed" | "sources"> {
  if (to === "balance" && refundableOf(bill).isNetted) return { freed: [], sources: nettedSources(bill, amount) };
  const refunded = pricePart(bill.back.refunds) + amount;
  const freed = freedBy(bill, refunded, amount);
  return { freed, sources: to === "balance" ? sourcesOf(bill, amount, refunded) : [] };
}

/**
 * Credit that the refunds of an invoice still have to free. While another invoice used this credit, it could not be
 * freed (rule I3g).
 */
export function freedLateBy(bill: RefundedBill): FreedPart[] {
  const refunded = pricePart(bill.back.refunds);
  return refunded === 0 ? [] : freedBy(bill, refunded, 0);
}

/** The part of an amount that goes with `refunded` of the invoice's price. */
function inProportion(amount: Amount, refunded: Amount, bill: RefundedBill): Amount {
  const price = totalOfParts(fundsOf({ ...bill, ...bill.back })) - nettedOf(bill);
  return price === 0 ? 0 : multiplyDivide(amount, refunded, price);
}

/** Credit among the invoice's lines that pays for its other lines. */
const nettedOf = (bill: RefundedBill): Amount => leftIn(fundsOf({ ...bill, ...bill.back }), "netted");

/** The credit among the invoice's lines that a refund frees: the lines that this credit came from get it back. */
function freedBy(bill: RefundedBill, refunded: Amount, amount: Amount): FreedPart[] {
  const before = freedOf(bill.lines);
  const later = totalOfParts(freedLater(bill.back.refunds));
  const left = fundsLeft({ ...bill, ...bill.back }).filter(({ kind }) => kind === "netted");
  const wanted = inProportion(nettedOf(bill) + before, refunded, bill) - before - later;
  // The lines give back the amount and the freed credit together.
  const most = Math.min(totalOfParts(left), leftOfLines(bill) - amount);
  const { taken } = takeFront(left, Math.max(Math.min(wanted, most), 0));
  return taken.flatMap((part) => fromLines(bill, part));
}

/** Finds the lines of the invoice with credit from a source, in the order of their ids. */
function fromLines({ lines, back }: RefundedBill, part: SourcePart): FreedPart[] {
  const credits = creditsAmong(lines)
    .filter((credit) => isSameSource(credit, part))
    .map((credit) => ({ ...credit, amount: credit.amount - freedFrom(credit, back.refunds) }))
    .toSorted((one, other) => (one.lineId < other.lineId ? -1 : 1));
  return takeFront(credits, part.amount).taken.map(({ lineId, source, paymentId, amount }): FreedPart => ({
    lineId,
    source,
    paymentId,
    amount,
  }));
}

/** The part of a line's credit that refunds free once they have succeeded. */
const freedFrom = (credit: FreedPart, refunds: readonly Refund[]): Amount =>
  amountFrom(
    freedLater(refunds).filter(({ lineId }) => lineId === credit.lineId),
    credit,
  );

/** The sources of a refund to the balance of credit among the lines. */
function nettedSources(bill: RefundedBill, amount: Amount): Refund["sources"] {
  const left = worthOf(fundsLeft({ ...bill, ...bill.back }), bill.back).filter(({ kind }) => kind === "netted");
  return takeFront(left, amount).taken.map((part) => ({ ...lotPartOf(part), own: false, netted: true }));
}

/** The sources of a refund to the balance: credit that the balance had paid, then the money that was taken. */
function sourcesOf(bill: RefundedBill, amount: Amount, refunded: Amount): Refund["sources"] {
  const funds = fundsLeft({ ...bill, ...bill.back });
  const own = Math.max(leftIn(funds, "own") - bill.back.disputed, 0);
  const credit = worthOf(funds, bill.back).filter(({ kind }) => kind === "lots");
  const all = leftIn(fundsOf({ ...bill, ...bill.back }), "lots");
  const before = sumOf(
    bill.back.refunds
      .filter(isStanding)
      .flatMap(({ sources }) => sources.filter((part) => !part.own && !part.netted).map((part) => part.amount)),
  );
  const wanted = inProportion(all, refunded, bill) - before;
  const fromCredit = Math.min(Math.max(wanted, amount - own), amount, totalOfParts(credit));
  const { taken } = takeFront(credit, Math.max(fromCredit, 0));
  const rest = amount - totalOfParts(taken);
  const returned = taken.map((part) => ({ ...lotPartOf(part), own: false }));
  if (rest === 0) return returned;
  const source = ownSource({ invoice: bill.invoice, paymentId: bill.back.paymentId });
  return [...returned, { ...source, creditedLineId: null, amount: rest, own: true }];
}
