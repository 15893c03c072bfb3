import { isLostSource } from "./credit-source.ts";
import { leftOf } from "./line-credit.ts";
import { fundsLeft, leftIn, type Fund, type Funded } from "./invoice-funds.ts";
import type { Back } from "./invoice-returns.ts";
import { lineTotal } from "./invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import { refundedLines } from "./refund.ts";

/** A paid invoice with its lines and all that was given back of it. */
export type RefundedBill = Pick<Funded, "invoice" | "lines"> & { back: Back };

/** The amounts of a paid invoice that can still be given back, in minor units (rules I3a, I3b). */
export type Refundable = {
  /** The money of the charge that is left: refunds, disputes and credits have not used this money. */
  toCard: Amount;
  /**
   * The money and the credit of the balance that are left. If there are none, the credit among the lines that is left:
   * no refund of the price can free this credit.
   */
  toBalance: Amount;
  /** Whether `toBalance` is credit among the lines. */
  isNetted: boolean;
};

/** See `Refundable`. Credit from a lost charge is worth 0 (rules D7d, I3a, I3b). */
export function refundableOf({ invoice, lines, back }: RefundedBill): Refundable {
  const funds = fundsLeft({ invoice, lines, ...back });
  const left = leftOfLines({ lines, back });
  const own = Math.max(leftIn(funds, "own") - back.disputed, 0);
  const worth = worthOf(funds, back);
  const price = own + leftIn(worth, "lots");
  const isNetted = price === 0;
  return {
    toCard: invoice.paidOutside ? 0 : Math.min(own, left),
    toBalance: Math.min(isNetted ? leftIn(worth, "netted") : price, left),
    isNetted,
  };
}

/** The funds without credit from lost charges. */
export const worthOf = (funds: readonly Fund[], { lost }: Pick<Back, "lost">): Fund[] =>
  funds.filter(({ kind, paymentId }) => kind === "own" || !isLostSource({ paymentId }, lost));

/** The part of the billed lines that no refund and no credit has given back. */
export function leftOfLines({ lines, back }: Pick<RefundedBill, "lines" | "back">): Amount {
  const given = refundedLines(back.refunds);
  const billed = lines.filter((line) => lineTotal(line) > 0);
  return sumOf(billed.map((line) => Math.max(leftOf(line, given, back.credits), 0)));
}
