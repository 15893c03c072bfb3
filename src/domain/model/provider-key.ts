import type { Invoice } from "./invoice.ts";

/**
 * The provider's key of an attempt that Billow begins by itself: the Subscription, its period and the number of the
 * attempt (rule D1a). The key has no random part and no id of an invoice or a payment: copies of one database make such
 * ids anew, but derive the same key for the same charge. Null as period: the last invoice of the Subscription, of which
 * at most one is charged (rule S4).
 * @throws Error for an invoice without a Subscription, which is never open
 */
export function keyOfCollection({
  id,
  subscriptionId,
  periodNumber,
  collections,
}: Pick<Invoice, "id" | "subscriptionId" | "periodNumber" | "collections">): string {
  if (subscriptionId === null) throw new Error(`the invoice ${id} is of no subscription`);
  return `${subscriptionId}_${periodNumber ?? "last"}_${collections}`;
}
