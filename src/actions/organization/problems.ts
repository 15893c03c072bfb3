import type { OrganizationProblems } from "../../resources/organization.ts";
import type { Queryable } from "../../store/db.ts";
import { lateRefunds } from "../../store/refunds.ts";
import { endpointsGivenUp } from "../../store/webhooks.ts";

/** The problems that the notices of an Organization are about. */
export async function readProblems(db: Queryable, organizationId: string): Promise<OrganizationProblems> {
  const [givenUp, failed] = await Promise.all([endpointsGivenUp(db, organizationId), lateRefunds(db, organizationId)]);
  return { givenUp, lateRefunds: failed };
}
