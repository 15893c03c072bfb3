import type { Context } from "../../context.ts";
import { sumOf, type Amount } from "../../domain/money.ts";
import { isHeldForImport } from "../../domain/model/subscription.ts";
import { owedOf } from "../../domain/subscription/outlook.ts";
import type { Words } from "../../texts/words.ts";
import { listHoldings, type Account, type Holding, type Owner, type OverdueHolding } from "./account.ts";

/**
 * The charges to a card on file. `owed`: the overdue amounts, in minor units by currency, which a new card pays at once
 * (rule D3g). `isPlanned`: whether a later charge may follow. `plans`: the Subscriptions that may be charged.
 * `asking`: the overdue Subscriptions whose new period has a price that lacks a consent (rule N6).
 * `unclaimedIds`: all unclaimed Subscriptions (rule C12), also those that are not charged, such as free ones.
 */
export type CardUse = {
  owed: ReadonlyMap<string, Amount>;
  isPlanned: boolean;
  plans: readonly Holding[];
  asking: readonly OverdueHolding[];
  unclaimedIds: readonly string[];
};

/** The amounts that a new card pays for an overdue Subscription. A new period is paid as well (rule D8g). */
export function amountOf({ outlook }: Pick<OverdueHolding, "outlook">): Amount {
  const { restart } = outlook;
  const waiting = owedOf(outlook).owed.filter(({ attempt }) => attempt === null);
  return restart ? restart.owed + restart.amountDue : sumOf(waiting.map(({ invoice }) => invoice.amountDue));
}

/**
 * A Subscription that goes on may be charged, unless it is free, or another system bills it (rule V1). One that ends is
 * charged for open amounts alone.
 */
export function mayCharge({ subscription, outlook }: Holding): boolean {
  if (!outlook || isHeldForImport(subscription)) return false;
  const { cancelAtPeriodEnd, amount, pendingChange } = subscription;
  if (outlook.open.length > 0 || outlook.end?.paidBy === "charge") return true;
  return !cancelAtPeriodEnd && (amount > 0 || (pendingChange?.amount ?? 0) > 0);
}

/** `more`: whether there are further Subscriptions. */
export function cardUseOf({ holdings, overdue, more }: Pick<Account, "holdings" | "overdue" | "more">): CardUse {
  const byCurrency = Map.groupBy(overdue, ({ subscription }) => subscription.currency);
  const sums = [...byCurrency].map(([currency, each]) => [currency, sumOf(each.map(amountOf))] as const);
  const plans = holdings.filter(mayCharge);
  const unclaimed = holdings.filter(({ subscription: { claimed, status } }) => !claimed && status !== "canceled");
  return {
    owed: new Map(sums.filter(([, sum]) => sum > 0)),
    isPlanned: more !== null || plans.length > 0,
    plans,
    asking: overdue.filter(({ outlook }) => outlook.restart?.asksFor),
    unclaimedIds: unclaimed.map(({ subscription }) => subscription.id),
  };
}

/** The charges to a card of the Customer. All Subscriptions are read, because the card may pay for all of them. */
export async function readCardUse(ctx: Context, owner: Owner): Promise<CardUse> {
  const first = await listHoldings(ctx, owner, undefined);
  const holdings = [...first.holdings];
  for (let cursor = first.more; cursor !== null;) {
    const page = await listHoldings(ctx, owner, cursor);
    holdings.push(...page.holdings);
    cursor = page.more;
  }
  return cardUseOf({ holdings, overdue: first.overdue, more: null });
}

/** The Subscriptions of other buyers that the Customer has not claimed (rule C12). */
export const unclaimedOf = ({ plans }: CardUse): Holding[] => plans.filter(({ subscription }) => !subscription.claimed);

/** The price changes, by Subscription, to which the click that gives a card agrees (rule N6). */
export const pricesOf = ({ asking }: CardUse): Map<string, string> =>
  new Map(asking.map(({ subscription: { id }, outlook }) => [id, outlook.restart!.asksFor!]));

/** The unclaimed Subscriptions that an edit of the details claims: the buyer's card goes on paying (rule C12d). */
export const claimedByDetails = (use: CardUse): Holding[] => unclaimedOf(use).filter(({ outlook }) => outlook?.card);

/** The owed amounts, each currency by itself; null: no amount is owed. */
export function owedInWords({ money, list }: Words, { owed }: CardUse): string | null {
  return owed.size === 0 ? null : list([...owed].map(([currency, sum]) => money(sum, currency)));
}
