import type { Problems } from "../../resources/organization.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { openPauses } from "../../store/payment-pauses.ts";
import { findComparison } from "../../store/provider-transactions.ts";
import { lateRefunds } from "../../store/refunds.ts";
import { findTaxRegionReview } from "../../store/tax-region-review.ts";
import { endpointsGivenUp } from "../../store/webhooks.ts";

/** The Organization's problems that need an operator (rule I8g). */
export async function readProblems(db: Queryable, organizationId: string): Promise<Problems> {
  const [givenUp, pauses, failed, comparison, taxRegions] = await Promise.all([
    endpointsGivenUp(db, organizationId),
    openPauses(db, organizationId),
    lateRefunds(db, organizationId),
    findComparison(db, organizationId),
    findTaxRegionReview(db, organizationId),
  ]);
  return { givenUp, pauses, lateRefunds: failed, comparison, taxRegions };
}
