import type { CustomerBilling } from "../billing/customer-billing.ts";
import { creditsAmong } from "../model/invoice-funds.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import { sumOf } from "../money.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { addCredit, isHeld, spendableLots, takeBack, takeCredit } from "./move.ts";
import { compareSources, GRANTED, lotPartOf, takeFront, totalOfParts, type LotPart } from "../model/credit-source.ts";

type Movement = Pick<BalanceEntry, "currency" | "reason" | "invoiceId" | "createdAt">;
type Settled = Pick<Invoice, "totalAmount" | "balanceApplied" | "balanceBasis">;

/** The amount that an invoice gives to the balance: a total below zero, or held credit among its lines. */
function givenToBalance({ totalAmount, balanceBasis }: Settled): number {
  const held = balanceBasis?.held ?? 0;
  return totalAmount + held <= 0 ? 0 - totalAmount : held;
}

/**
 * Moves the balance for a new invoice. Returns the lots that the invoice used; parts below zero went to the balance.
 * Null: the invoice used no credit. The entries of parts that go to the balance come before the entry of the use.
 */
export function useBalance(
  billing: CustomerBilling,
  invoice: Settled,
  lines: readonly InvoiceLine[],
  movement: Movement,
): LotPart[] | null {
  const given = givenToBalance(invoice);
  const parts = given > 0 ? surplusOf(billing, lines, given) : [];
  addCredit(billing, movement, parts);
  const used = invoice.balanceApplied + given;
  // A debt is collected: the amount due contains it, so the balance is credited now.
  if (used < 0) addCredit(billing, movement, [{ ...GRANTED, creditedLineId: null, amount: 0 - used }]);
  const taken = used > 0 ? takeCredit(billing, movement, used, spendableLots(billing, movement.currency)).used : [];
  const sources = [...taken, ...parts.map((part) => ({ ...part, amount: 0 - part.amount }))];
  return sources.length === 0 ? null : sources;
}

/**
 * The credit of an invoice's lines that its other lines do not use. The lines use credit in the order of spending, and
 * held credit last.
 */
function surplusOf(
  billing: Pick<CustomerBilling, "disputes">,
  lines: readonly InvoiceLine[],
  amount: number,
): LotPart[] {
  const credits = creditsAmong(lines).map((part) => ({ ...part, isHeld: isHeld(billing, part) }));
  const ordered = credits.toSorted(
    (one, other) => Number(one.isHeld) - Number(other.isHeld) || compareSources(one, other),
  );
  const used = sumOf(ordered.map((part) => part.amount)) - amount;
  const { left } = takeFront(ordered, Math.max(used, 0));
  const parts = left.map(lotPartOf);
  const missing = amount - totalOfParts(parts);
  return missing > 0 ? [...parts, { ...GRANTED, creditedLineId: null, amount: missing }] : parts;
}

/**
 * Gives back the balance's part of an invoice that becomes void (rule S5). A debt that the invoice collected was given
 * to the balance as granted credit.
 */
export function returnBalance(billing: CustomerBilling, invoice: Invoice, movement: Movement): void {
  const sources = invoice.balanceSources ?? [];
  const taken = sources.filter(({ amount }) => amount > 0);
  const given = sources.filter(({ amount }) => amount < 0).map((part) => ({ ...part, amount: 0 - part.amount }));
  const used = invoice.balanceApplied + totalOfParts(given);
  const granted = (amount: number) => ({ ...GRANTED, creditedLineId: null, amount });
  takeBack(billing, movement, used < 0 ? [...given, granted(0 - used)] : given);
  addCredit(billing, movement, [...taken, granted(Math.max(used, 0) - totalOfParts(taken))]);
}
