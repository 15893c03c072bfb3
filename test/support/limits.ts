import type { CustomerBilling } from "../../src/domain/billing/customer-billing.ts";
import { isLot } from "../../src/domain/model/balance.ts";
import { isHeld } from "../../src/domain/balance/move.ts";
import { totalOfParts, type SourcePart } from "../../src/domain/model/credit-source.ts";
import { standingCredit } from "../../src/domain/model/line-credit.ts";
import { fundsLeftOf } from "../../src/domain/invoice/returns.ts";
import { lineTotal, type InvoiceLine } from "../../src/domain/model/invoice.ts";
import { sumOf } from "../../src/domain/money.ts";
import { isCharge, type Payment } from "../../src/domain/model/payment.ts";
import { refundedLines, type Refund } from "../../src/domain/model/refund.ts";
import type { Books } from "./books.ts";

const totalOf = <Row>(rows: readonly Row[], of: (row: Row) => number) => sumOf(rows.map(of));

/** Credits and refunds of each billed line against the line's total. */
function breachesOfLines({ rows }: Books): string[] {
  const voided = new Set(rows.invoices.filter(({ status }) => status === "void").map(({ id }) => id));
  const stands = ({ invoiceId }: InvoiceLine) => invoiceId === null || !voided.has(invoiceId);
  const refunded = refundedLines(rows.refunds);
  return rows.lines.flatMap((line) => {
    const credits = rows.lines.filter((credit) => credit.creditedLineId === line.id && stands(credit));
    const parts = refunded.filter(({ invoiceLineId }) => invoiceLineId === line.id);
    const back = totalOf(credits, standingCredit) + totalOf(parts, ({ amount, freed = 0 }) => amount + freed);
    return back > Math.max(lineTotal(line), 0) ? [`line ${line.id}: ${back} of ${lineTotal(line)}`] : [];
  });
}

/** A refund without the part that used other credit than that of its charge, or left a debt (rule I9c). */
const countedOf = ({ amount, fromBalance, paymentId, taken }: Refund): number =>
  amount - fromBalance + totalOfParts(taken.filter((part) => part.paymentId === paymentId));

/** Refunds to the card, disputes and live lots of each charge against the captured amount. */
function breachesOfCharges({ rows }: Books, billing: CustomerBilling): string[] {
  return charges(rows.payments).flatMap(({ id, amount: captured }) => {
    const refunds = rows.refunds.filter(({ paymentId, status }) => paymentId === id && status !== "failed");
    const disputes = rows.disputes.filter(({ paymentId, status }) => paymentId === id && status !== "won");
    const lots = rows.balanceEntries.filter((each) => isLot(each) && each.paymentId === id && !isHeld(billing, each));
    const back =
      totalOf(refunds, countedOf) +
      totalOf(disputes, ({ amount }) => amount) +
      totalOf(lots, ({ remaining }) => remaining);
    return back > captured ? [`charge ${id}: ${back} of ${captured}`] : [];
  });
}

/** All holdings of a charge's money. No money is in two holdings. */
function breachesOfHoldings({ rows }: Books, billing: CustomerBilling): string[] {
  const open = rows.invoices.filter(({ status }) => status === "open");
  const isUnbilled = ({ invoiceId }: InvoiceLine) => invoiceId === null || open.some(({ id }) => id === invoiceId);
  const holdings: SourcePart[] = [
    ...rows.balanceEntries.filter(isLot).map((lot) => ({ ...lot, amount: lot.remaining })),
    ...rows.invoices.filter(({ status }) => status === "paid").flatMap((invoice) => fundsLeftOf(billing, invoice)),
    ...rows.lines.filter(isUnbilled).flatMap(({ sources }) => sources ?? []),
    ...open.flatMap(({ balanceSources }) => balanceSources ?? []),
  ];
  return charges(rows.payments).flatMap(({ id, amount: captured }) => {
    const refunds = rows.refunds.filter(({ paymentId, status }) => paymentId === id && status !== "failed");
    const own = holdings.filter(({ paymentId }) => paymentId === id);
    const found = totalOf(refunds, countedOf) + totalOf(own, ({ amount }) => amount);
    return found > captured ? [`money of ${id}: ${found} of ${captured}`] : [];
  });
}

const charges = (payments: readonly Payment[]) =>
  payments.filter((payment) => isCharge(payment) && payment.status === "succeeded");

/** The entries of the balance: their remaining parts come to the balance, and to the transfers of the ledger. */
function breachesOfEntries({ rows }: Books): string[] {
  const balance = totalOf(rows.balanceEntries, ({ amount }) => amount);
  const remaining = totalOf(rows.balanceEntries, (entry) => entry.remaining);
  const posted = totalOf(rows.transfers, ({ debitAccount, creditAccount, amount }) =>
    creditAccount === "balance" ? amount : debitAccount === "balance" ? -amount : 0,
  );
  const wrong = rows.balanceEntries.filter(
    ({ amount, remaining: left }) => Math.abs(left) > Math.abs(amount) || left * amount < 0,
  );
  return [
    ...(remaining === balance ? [] : [`balance ${balance}, remaining ${remaining}`]),
    ...(posted === balance ? [] : [`balance ${balance}, posted ${posted}`]),
    ...wrong.map(({ id, amount, remaining: left }) => `entry ${id}: ${left} of ${amount}`),
  ];
}

/** Breaches of the two limits of rule I6h, and of rules I4 and I6b. */
export function breachesOf(books: Books): string[] {
  const billing = books.billing();
  return [
    ...breachesOfLines(books),
    ...breachesOfCharges(books, billing),
    ...breachesOfHoldings(books, billing),
    ...breachesOfEntries(books),
  ];
}
