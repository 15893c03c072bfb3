import type { Instant } from "../calendar.ts";
import { takeFront } from "./credit-source.ts";
import { lineTotal, type InvoiceLine } from "./invoice.ts";
import { passedOf } from "./proration.ts";
import { taxOf } from "../tax/tax.ts";

/** `billed`: the lines of the last invoice. `dropped`: the lines that are given up because they come to 0. */
export type LastLines = { billed: InvoiceLine[]; dropped: InvoiceLine[] };

/**
 * The waiting lines when `cancel-now` ends their Subscription at `at` (rule S4). Each credit or debit counts for the
 * part of its own span that has passed. Each line is rounded by itself (rule M2), and keeps its tax rate (rule X3). A
 * line counts in full once its span is over. A line that comes to 0 is dropped, as a change makes no line of 0
 * either.
 */
export function linesAtCancellation(waiting: readonly InvoiceLine[], at: Instant): LastLines {
  const lines = waiting.map((line) => passedLine(line, at));
  return { billed: lines.filter(({ amount }) => amount !== 0), dropped: lines.filter(({ amount }) => amount === 0) };
}

/** The line for the part of its span that has passed; `basis` keeps the amount for the whole span. */
function passedLine(line: InvoiceLine, until: Instant): InvoiceLine {
  const { periodStart: from, periodEnd, amount: whole, tax } = line;
  if (from === null || periodEnd === null || until >= periodEnd) return line;
  const share = (amount: number) => passedOf(amount, { start: from, end: periodEnd }, until);
  const [amount, discountAmount] = [share(whole), share(line.discountAmount)];
  const taxAmount = taxOf(amount - discountAmount, tax);
  return {
    ...line,
    sources: line.sources && takeFront(line.sources, 0 - lineTotal({ amount, discountAmount, taxAmount, tax })).taken,
    description: `${line.description} up to the cancellation`,
    amount,
    discountAmount,
    taxAmount,
    periodEnd: until,
    basis: { kind: "passed", amount: whole, from, until, periodEnd, of: line.basis },
  };
}
