import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { runDueAtRest } from "../collection/due.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { adjustBalance } from "../customer/adjust-balance.ts";
import { monthlyAmount } from "../metrics/mrr.ts";
import { firstCardRequest } from "../model/card-request.ts";
import type { Product } from "../model/product.ts";
import type { Subscription } from "../model/subscription.ts";
import type { Amount } from "../money.ts";
import { importSubscription, type ImportedTerms } from "./imported-subscription.ts";
import { ownNextInvoice } from "./own-invoice.ts";

/** Money of a row in minor units. `monthly`: rule R2, before discounts and taxes. `next`: the total of the next invoice. */
export type RowMoney = { currency: string; monthly: Amount; next: Amount };

/**
 * The money of an imported Subscription as it is now. An ended one has 0. Without another period the next total is
 * 0. A trial counts as if its Customer gives a card.
 */
export function moneyOf(billing: CustomerBilling, subscription: Subscription): RowMoney {
  const { status, currency, amount } = subscription;
  if (status === "canceled") return { currency, monthly: 0, next: 0 };
  const next = ownNextInvoice(billing, subscription)?.total ?? 0;
  return { currency, monthly: monthlyAmount(amount, subscription), next };
}

/**
 * A row with the Product and the Discount that it names. `subscription` null: the row has a Customer alone. `reason`:
 * that of the entry in the balance, for operators.
 */
export type ResolvedRow = {
  subscription: { product: Product; currency: string; terms: Omit<ImportedTerms, "source" | "ref"> } | null;
  balance: { currency: string; amount: Amount; reason: string } | null;
};

/** The name of the other system, and the days before the first charge at which a card is asked for; null: at once. */
export type CsvChoices = { system: string; requestDays: number | null };

export type ImportedRow = { subscription: Subscription | null; money: RowMoney | null };

function planRequest(billing: CustomerBilling, subscription: Subscription, at: Instant | null): Subscription {
  recordSubscription(billing, { ...subscription, cardRequestAt: at }, null, billing.now);
  runDueAtRest(billing);
  return billing.subscriptions.get(subscription.id)!;
}

/**
 * Imports one row: the balance, and the Subscription, which runs here from now on. Its Customer is asked for a card
 * (rules V20, V21).
 * @throws Refusal as `importSubscription` and `adjustBalance`
 */
export function importRow(
  billing: CustomerBilling,
  row: ResolvedRow,
  { requestDays, ref }: Pick<CsvChoices, "requestDays"> & { ref: string },
): ImportedRow {
  const { balance, subscription: given } = row;
  if (balance !== null) adjustBalance(billing, balance);
  if (given === null) return { subscription: null, money: null };
  const sale = { product: given.product, price: { currency: given.currency } };
  const made = importSubscription(billing, sale, { ...given.terms, source: "csv", ref }, { isHeld: false });
  const requestAt = firstCardRequest(made, requestDays, billing.now);
  const subscription = planRequest(billing, made, requestAt);
  return { subscription, money: moneyOf(billing, subscription) };
}
