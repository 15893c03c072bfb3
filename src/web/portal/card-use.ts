import type { Context } from "../../context.ts";
import { sumOf, type Amount } from "../../domain/money.ts";
import { owedOf } from "../../domain/subscription/outlook.ts";
import type { Words } from "../../texts/words.ts";
import { listHoldings, type Account, type Holding, type Owner, type OverdueHolding } from "./account.ts";

/**
 * The charges to a card on file. `owed`: the overdue amounts, in minor units by currency, which a new card pays at once
 * (rule D3g). `isPlanned`: whether a later charge may follow.
 */
export type CardUse = { owed: ReadonlyMap<string, Amount>; isPlanned: boolean };

/** The amounts that a new card pays for an overdue Subscription. A new period is paid as well (rule D8g). */
function amountOf({ outlook }: OverdueHolding): Amount {
  const { restart } = outlook;
  const waiting = owedOf(outlook).owed.filter(({ attempt }) => attempt === null);
  return restart ? restart.owed + restart.amountDue : sumOf(waiting.map(({ invoice }) => invoice.amountDue));
}

/** A Subscription that goes on may be charged, unless it is free. One that ends is charged for open amounts alone. */
function mayCharge({ subscription, outlook }: Holding): boolean {
  if (!outlook) return false;
  const { cancelAtPeriodEnd, amount, pendingChange } = subscription;
  if (outlook.open.length > 0 || outlook.end?.paidBy === "charge") return true;
  return !cancelAtPeriodEnd && (amount > 0 || (pendingChange?.amount ?? 0) > 0);
}

/** `more`: whether there are further Subscriptions. */
export function cardUseOf({ holdings, overdue, more }: Pick<Account, "holdings" | "overdue" | "more">): CardUse {
  const byCurrency = Map.groupBy(overdue, ({ subscription }) => subscription.currency);
  const sums = [...byCurrency].map(([currency, each]) => [currency, sumOf(each.map(amountOf))] as const);
  return { owed: new Map(sums.filter(([, sum]) => sum > 0)), isPlanned: more !== null || holdings.some(mayCharge) };
}

/** The charges to the Customer's card, as the home page shows them. */
export async function readCardUse(ctx: Context, owner: Owner): Promise<CardUse> {
  return cardUseOf(await listHoldings(ctx, owner, undefined));
}

/** The owed amounts, each currency by itself; null: no amount is owed. */
export function owedInWords({ money, list }: Words, { owed }: CardUse): string | null {
  return owed.size === 0 ? null : list([...owed].map(([currency, sum]) => money(sum, currency)));
}
