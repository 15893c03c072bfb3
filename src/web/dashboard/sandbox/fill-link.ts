import type { Context } from "../../../context.ts";
import { allows } from "../../../domain/team/role.ts";
import { hasCustomers } from "../../../store/customers.ts";
import type { DashboardRequest } from "../request.ts";

/** The next step of an empty list, for a person who may fill this sandbox; null: there are Customers, or no sandbox. */
export async function fillLink(
  { db }: Context,
  { organization, role, self }: DashboardRequest,
): Promise<{ href: string; label: string } | null> {
  const mayFill = organization.mode === "sandbox" && allows(role, "sandbox");
  if (!mayFill || (await hasCustomers(db.read, organization.id))) return null;
  return { href: `${self}/sandbox`, label: "Fill this sandbox" };
}
