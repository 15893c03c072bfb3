import type { Organization } from "../model/organization.ts";
import type { FillObstacle } from "../refusal.ts";

/** The reason why a sandbox without a filling can't be filled; null: the sandbox can be filled. */
export function fillObstacle(organization: Organization, hasCustomers: boolean): FillObstacle | null {
  if (hasCustomers) return "customers";
  if (organization.provider !== null) return "provider";
  if (organization.sandboxEntry === "hosted") return "hosted_entry";
  return organization.clockTarget === null ? null : "clock_advancing";
}
