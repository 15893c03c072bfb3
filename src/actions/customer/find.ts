import type { Context } from "../../context.ts";
import type { NewCustomer } from "../../domain/model/customer.ts";
import { isRefusal, Refusal } from "../../domain/refusal.ts";
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
    const decided = await inBillingIfThere(ctx, tx, key, (billing) => ({ value: decide(billing) }));
    if (decided) return decided.value;
  }
}

/**
 * Runs a decision on the Customer that the body names; answers null if the body names no Customer. `unknown` runs
 * before an unknown Customer is refused, and may throw another refusal instead.
 * @throws Refusal 422
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
  const inKnown = async (id: string, refuse: () => Refusal): Promise<T> => {
    const decided = await inBillingIfThere(
      ctx,
      tx,
      { organizationId, id },
      (billing) => ({ value: decide(billing) }),
      parts,
    );
    if (decided) return decided.value;
    await unknown();
    throw refuse();
  };
  const refusal = (field: "/customerId" | "/externalCustomerId") =>
    new Refusal("unknown_customer", { field, canCreate: true });
  if (customerId !== null) return inKnown(customerId, () => refusal("/customerId"));
  if (externalCustomerId === null) return null;
  const refuse = () => refusal("/externalCustomerId");
  const found = await findByExternalId(tx, organizationId, externalCustomerId);
  if (found) return inKnown(found.id, refuse);
  await unknown();
  throw refuse();
}

/**
 * A refusal `already_subscribed` also says that the e-mail address has led to the Customer. Other errors stay as they
 * are.
 */
export function withFoundByEmail(error: unknown, { known, unnamed, anyone }: Described): unknown {
  const byEmail = known === null ? (unnamed ?? anyone) : null;
  if (!byEmail || !isRefusal(error, "already_subscribed")) return error;
  return new Refusal("already_subscribed", { ...error.values, foundByEmail: byEmail.id });
}
