import { evaluate } from "../support/arithmetic.ts";
import type { Json } from "../support/app.ts";
import { list, Mismatch, ok } from "./look.ts";
import type { World } from "./world.ts";

/** Compares an invoice's explanation with the invoice, amount by amount and line by line. */
function compare(invoice: Json, { lines, total, balance, due }: Json): void {
  const amounts: [what: string, stated: Json | null, expected: number][] = [
    ["the total", total, invoice.totalAmount],
    ["the balance", balance, invoice.balanceApplied],
    ["what is due", due, invoice.amountDue],
  ];
  for (const [n, line] of invoice.lines.entries()) {
    const stated = lines[n];
    amounts.push(
      [`line ${n + 1}`, stated.amount, line.amount],
      [`discount ${n + 1}`, stated.discount, line.discountAmount],
    );
    amounts.push([`tax ${n + 1}`, stated.tax, line.taxAmount]);
  }
  for (const [what, stated, expected] of amounts) {
    const amount = stated === null ? 0 : evaluate(stated.expression);
    if (amount !== expected || (stated && stated.amount !== expected))
      throw new Mismatch(
        `${invoice.number}, ${what} is ${expected}, but explained as ${stated?.expression ?? "nothing"}: ` +
          `${stated?.text}`,
      );
  }
}

/** Checks that every amount of every invoice is explained and that the stated arithmetic gives it. */
export async function compareExplanations(world: World): Promise<void> {
  for (const invoice of await list(world, "/manage/v1/invoices?")) {
    compare(invoice, await ok(world.call({ method: "GET", path: `/manage/v1/invoices/${invoice.id}/explanation` })));
  }
}
