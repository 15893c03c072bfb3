import type { Context } from "../../context.ts";
import type { NewCustomer } from "../../domain/model/customer.ts";
import { invalid, type AppError } from "../../errors.ts";
import { findByExternalId } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import type { OrganizationInTime } from "../../store/organizations.ts";
import { inBillingIfThere, inNewBilling, type BillingOptions, type Decide } from "../customer-billing.ts";
import { findDescribed, resolveCustomer, type Described } from "./create-customer.ts";

/** The Customer that a body names, by id or `externalId`. */
export type NamedCustomer = { customerId: string | null; externalCustomerId: string | null };

/**
 * Runs a decision on the Customer for an e-mail and an optional `externalId`. If that Customer is deleted meanwhile,
 * the search begins again (rule I5l). `described`: the answer of `findDescribed`, if the caller has read it already.
 */
export async function inResolved<T>(
  ctx: Context,
  tx: Tx,
  inTime: OrganizationInTime,
  wanted: NewCustomer,
  decide: Decide<T>,
  described: Described | null = null,
): Promise<T> {
  const organizationId = inTime.organization.id;
  for (let seen = described; ; seen = null) {
    seen ??= await findDescribed(tx, organizationId, wanted);
    const resolved = await resolveCustomer(tx, organizationId, wanted, seen, inTime.now);
    if ("made" in resolved) return inNewBilling(ctx, tx, { customer: resolved.made, inTime }, decide);
    const key = { organizationId, id: resolved.found.id };
    const decided = await inBillingIfThere(ctx, tx, key, (account) => ({ value: decide(account) }));
    if (decided) return decided.value;
  }
}

/**
 * Runs a decision on the Customer that the body names; answers null if the body names no Customer. `unknown` runs
 * before an unknown Customer is refused, and may throw another refusal instead.
 * @throws AppError 422
 */
export async function inNamed<T>(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  { customerId, externalCustomerId }: NamedCustomer,
  decide: Decide<T>,
  options: BillingOptions & { unknown?: () => Promise<void> } = {},
): Promise<T | null> {
  const { unknown = async () => undefined, ...parts } = options;
  const inKnown = async (id: string, refuse: () => AppError): Promise<T> => {
    const decided = await inBillingIfThere(
      ctx,
      tx,
      { organizationId, id },
      (account) => ({ value: decide(account) }),
      parts,
    );
    if (decided) return decided.value;
    await unknown();
    throw refuse();
  };
  if (customerId !== null)
    return inKnown(customerId, () => invalid("/customerId", "unknown_customer", "No such Customer exists."));
  if (externalCustomerId === null) return null;
  const message = "No Customer has this externalId. Send `customer` to create one.";
  const refuse = () => invalid("/externalCustomerId", "unknown_customer", message);
  const found = await findByExternalId(tx, organizationId, externalCustomerId);
  if (found) return inKnown(found.id, refuse);
  await unknown();
  throw refuse();
}
