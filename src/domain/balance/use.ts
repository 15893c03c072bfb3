import type { Account } from "../billing/customer-billing.ts";
import { creditsAmong } from "../model/invoice-funds.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import { sumOf } from "../money.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { addCredit } from "./add.ts";
import { isHeld, lotsLike, spendableLots, takeCredit } from "./move.ts";
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
  account: Account,
  invoice: Settled,
  lines: readonly InvoiceLine[],
  movement: Movement,
): LotPart[] | null {
  const given = givenToBalance(invoice);
  const parts = given > 0 ? surplusOf(account, lines, given) : [];
  addCredit(account, movement, parts);
  const used = invoice.balanceApplied + given;
  // A debt is collected: the amount due contains it, so the balance is credited now.
  if (used < 0) addCredit(account, movement, [{ ...GRANTED, creditedLineId: null, amount: 0 - used }]);
  const taken = used > 0 ? takeCredit(account, movement, used, spendableLots(account, movement.currency)).used : [];
  const sources = [...taken, ...parts.map((part) => ({ ...part, amount: 0 - part.amount }))];
  return sources.length === 0 ? null : sources;
}

/**
 * The credit of an invoice's lines that its other lines do not use. The lines use credit in the order of spending, and
 * held credit last.
 */
function surplusOf(account: Account, lines: readonly InvoiceLine[], amount: number): LotPart[] {
  const credits = creditsAmong(lines).map((part) => ({ ...part, isHeld: isHeld(account, part) }));
  const ordered = credits.toSorted(
    (one, other) => Number(one.isHeld) - Number(other.isHeld) || compareSources(one, other),
  );
  const used = sumOf(ordered.map((part) => part.amount)) - amount;
  const { left } = takeFront(ordered, Math.max(used, 0));
  const parts = left.map(lotPartOf);
  const missing = amount - totalOfParts(parts);
  return missing > 0 ? [...parts, { ...GRANTED, creditedLineId: null, amount: missing }] : parts;
}

/** Gives back the balance's part of an invoice that becomes void (rule S5). */
export function returnBalance(account: Account, invoice: Invoice, movement: Movement): void {
  const sources = invoice.balanceSources ?? [];
  const given = sources.filter(({ amount }) => amount < 0);
  const taken = sources.filter(({ amount }) => amount > 0);
  const givenAmount = 0 - totalOfParts(given);
  takeCredit(account, movement, givenAmount, lotsLike(account, movement.currency, given));
  const used = invoice.balanceApplied + givenAmount;
  if (used < 0) takeCredit(account, movement, 0 - used, spendableLots(account, movement.currency));
  const rest = Math.max(used, 0) - totalOfParts(taken);
  addCredit(account, movement, [...taken, { ...GRANTED, creditedLineId: null, amount: rest }]);
}
