import { planRenewal } from "../domain/renewal.ts";
import type { PaymentMethod } from "../domain/payment.ts";
import type { Subscription } from "../domain/subscription.ts";
import type { Queryable } from "../store/db.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { products } from "../store/products.ts";
import { cardOf, isCardDisputed } from "./collect-invoice.ts";
import { fundsOf, quoteFrom, taxOn, type Funds } from "./issue-invoice.ts";
import type { Work } from "./work.ts";

export type RenewalPreview = {
  /** The Subscription in its next period. */
  next: Subscription;
  productName: string;
  totalAmount: number;
  amountDue: number;
  /** What is due is charged to it; null: there is none that may be charged. */
  card: PaymentMethod | null;
  /** Whether a dispute holds that card back: the buyer has to pay with it themselves (rule D6). */
  isCardDisputed: boolean;
};

/** What the next period would be and come to if nothing happens before it begins (rule S); `known`: their funds, if read before. */
export async function previewRenewal(
  place: Pick<Work, "organization" | "customer"> & { tx: Queryable },
  subscription: Subscription,
  known: Funds | null = null,
): Promise<RenewalPreview> {
  const { tx, organization } = place;
  const { pendingChange } = subscription;
  const target = pendingChange && (await products.find(tx, organization.id, pendingChange.productId));
  // A change to what is archived is dropped by then (rule P6).
  const current = target?.archived ? { ...subscription, pendingChange: null } : subscription;
  const [product, waiting, card] = await Promise.all([
    products.find(tx, organization.id, subscription.productId),
    waitingLines(tx, organization.id, subscription.id),
    cardOf(place, subscription),
  ]);
  const productName = product?.name ?? "";
  const tax = taxOn(place, subscription.billing);
  const { subscription: next, line } = planRenewal(current, { productName, timeZone: organization.timeZone, tax });
  const { totalAmount, amountDue } = quoteFrom(known ?? (await fundsOf(place)), subscription.currency, [...waiting, line]);
  const isHeldBack = card !== null && (await isCardDisputed(place, card));
  return { next, productName: line.description, totalAmount, amountDue, card, isCardDisputed: isHeldBack };
}
