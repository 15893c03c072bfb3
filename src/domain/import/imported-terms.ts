import { holdDiscount, type Discount, type DiscountTerms, type HeldDiscount } from "../model/discount.ts";
import type { Metadata } from "../model/product.ts";
import type { ForeignDiscount, ForeignSubscription, UpcomingInvoice } from "./foreign.ts";
import type { ImportedTerms } from "./imported-subscription.ts";

/** The discount that takes its amount off the next invoice, or off the period in progress; null: there is none. */
export function runningDiscount(
  { discounts, periodStart }: ForeignSubscription,
  upcoming: UpcomingInvoice | null,
): ForeignDiscount | null {
  const found = discounts.find(({ endsAt }) => endsAt === null || endsAt > periodStart) ?? null;
  // A discount of one invoice that is used stays for a moment. The preview of the next invoice tells.
  return found?.duration === "once" && !upcoming?.discount ? null : found;
}

/** The terms of a Discount here. @throws TypeError for terms that are not known: such a subscription stays */
export function discountTerms({ terms, duration, months }: ForeignDiscount): DiscountTerms {
  if (terms === null) throw new TypeError("the terms of a discount are not known");
  const isPercentage = "basisPoints" in terms;
  return {
    type: isPercentage ? "percentage" : "fixed",
    basisPoints: isPercentage ? terms.basisPoints : null,
    amount: isPercentage ? null : terms.amount,
    currency: isPercentage ? null : terms.currency,
    duration,
    months: duration === "repeating" ? months : null,
    productIds: null,
  };
}

/** The discount as a Subscription holds it, with begin and end of there. A discount of one invoice begins here. */
export function heldDiscount(discount: Discount, { duration, startedAt, endsAt }: ForeignDiscount): HeldDiscount {
  const held = holdDiscount(discount);
  return duration === "once" ? held : { ...held, startedAt, endsAt };
}

/** The fields of an import that are no facts of the other system. */
export type TermsHere = { discount: HeldDiscount | null; paymentMethodId: string | null; metadata: Metadata };

/** A subscription with one item, as it is imported (rule V3). */
export function importedTerms(
  source: ImportedTerms["source"],
  found: ForeignSubscription,
  here: TermsHere,
): ImportedTerms {
  const { ref, items, startedAt, periodStart, periodEnd, anchorAt, trialEndsAt: trialEnd, endsAt: cancelAt } = found;
  const [{ price, quantity }] = items as [ForeignSubscription["items"][number]];
  const unitAmount = price.amount!;
  const periods = { startedAt, periodStart, periodEnd, anchorAt, trialEnd, cancelAt };
  return { source, ref, quantity, unitAmount, ...periods, ...here };
}
