import { share, shareOut } from "./reference-math.ts";
import { lineTotal, type Invoice } from "./reference-model.ts";

/** What of a line is given back, and the tax in it. */
export type Part = { refunded: number; tax: number };

/** What was taken for an invoice, at most its total, less all that was given back of it. */
export function leftOf({ due, total, refunds }: Invoice): number {
  return Math.max(Math.min(due, total) - refunds.reduce((sum, { amount }) => sum + amount, 0), 0);
}

/** Shared out over what is left of the lines that were billed, with their tax in proportion to all that was given back (rule I3). */
export function partsOf({ lines, refunds }: Invoice, amount: number): Part[] {
  const left = lines.map((line, n) => Math.max(lineTotal(line), 0) - refunds[n]!.amount);
  return shareOut(amount, left).map((refunded, n) => {
    const line = lines[n]!;
    if (refunded === 0) return { refunded, tax: 0 };
    const due = share(line.tax, refunds[n]!.amount + refunded, lineTotal(line)) - refunds[n]!.tax;
    return { refunded, tax: Math.min(Math.max(due, 0), refunded) };
  });
}

/** By how much what the period in progress was billed at is less: a line for its rest counts as one for all of it (rule P). */
export function rateLowered({ lines, sub }: Invoice, parts: readonly Part[]): number {
  const { from, to } = sub!;
  const lowered = lines.map((line, n) => {
    if (line.from === null || line.from < from || line.to !== to) return 0;
    const net = parts[n]!.refunded - (line.rate?.inclusive ? 0 : parts[n]!.tax);
    return share(net, to - from, to - line.from);
  });
  return lowered.reduce((sum, each) => sum + each, 0);
}
