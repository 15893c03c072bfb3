import type { Problems } from "../../resources/organization.ts";
import type { Queryable } from "../../store/db.ts";
import { openPauses } from "../../store/payment-pauses.ts";
import { findComparison } from "../../store/provider-book.ts";
import { lateRefunds } from "../../store/refunds.ts";
import { endpointsGivenUp } from "../../store/webhooks.ts";

/** The Organization's problems that need an operator. */
export async function readProblems(db: Queryable, organizationId: string): Promise<Problems> {
  const [givenUp, pauses, failed, comparison] = await Promise.all([
    endpointsGivenUp(db, organizationId),
    openPauses(db, organizationId),
    lateRefunds(db, organizationId),
    findComparison(db, organizationId),
  ]);
  return { givenUp, pauses, lateRefunds: failed, comparison };
}
