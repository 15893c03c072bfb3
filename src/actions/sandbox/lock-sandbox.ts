import type { Organization } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Tx } from "../../store/driver/db.ts";
import { organizations } from "../../store/organizations.ts";

/** Locks a sandbox for a change of its clock. @throws Refusal 404, also for a live Organization */
export async function lockSandbox(tx: Tx, organizationId: string): Promise<Organization> {
  const organization = await organizations.lock(tx, organizationId);
  if (!organization || organization.mode !== "sandbox") throw new Refusal("not_found");
  return organization;
}
