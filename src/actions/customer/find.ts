import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { NewCustomer } from "../../domain/customer/customer.ts";
import { invalid, type AppError } from "../../errors.ts";
import { findByExternalId } from "../../store/customers.ts";
import type { Tx } from "../../store/db.ts";
import { inAccountIfThere, type Decide } from "../account.ts";
import { resolveCustomer } from "./create-customer.ts";

/** The Customer that a body names by id or `externalId`, or describes. */
export type NamedCustomer = { customerId: string | null; externalCustomerId: string | null; customer: NewCustomer | null };

/** Decides on the Customer who is meant by an e-mail and maybe an `externalId`; a Customer who is deleted in between is not (rule I5). */
export async function inResolved<T>(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  wanted: NewCustomer,
  now: Instant,
  decide: Decide<T>,
): Promise<T> {
  for (;;) {
    const { id } = await resolveCustomer(tx, organizationId, wanted, now);
    const decided = await inAccountIfThere(ctx, tx, { organizationId, id }, (account) => ({ value: decide(account) }));
    if (decided) return decided.value;
  }
}

/** Decides on the Customer that the body names or describes; `null` when the buyer is to say who they are. @throws AppError 422 */
export async function inNamed<T>(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  { customerId, externalCustomerId, customer }: NamedCustomer,
  now: Instant,
  decide: Decide<T>,
): Promise<T | null> {
  if (customer !== null) return inResolved(ctx, tx, organizationId, customer, now, decide);
  if (customerId !== null) {
    return inKnown(ctx, tx, organizationId, customerId, decide, invalid("/customerId", "unknown_customer", "No such Customer exists."));
  }
  if (externalCustomerId === null) return null;
  const message = "No Customer has this externalId; send `customer` to create one.";
  const unknown = invalid("/externalCustomerId", "unknown_customer", message);
  const found = await findByExternalId(tx, organizationId, externalCustomerId);
  if (!found) throw unknown;
  return inKnown(ctx, tx, organizationId, found.id, decide, unknown);
}

async function inKnown<T>(ctx: Context, tx: Tx, organizationId: string, id: string, decide: Decide<T>, unknown: AppError): Promise<T> {
  const decided = await inAccountIfThere(ctx, tx, { organizationId, id }, (account) => ({ value: decide(account) }));
  if (!decided) throw unknown;
  return decided.value;
}
