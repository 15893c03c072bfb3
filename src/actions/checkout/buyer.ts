import type { Context } from "../../context.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { Refused } from "../../domain/checkout/refusal.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { inBilling, type Decide } from "../customer-billing.ts";
import { inResolved } from "../customer/find.ts";
import type { Submission } from "./submission.ts";

/** The Checkouts of a deleted Customer expired with the deletion (rule I5i). */
function refuseDeleted(error: unknown): never {
  throw error instanceof AppError && error.code === "not_found" ? new Refused({ refused: "not_open" }) : error;
}

/**
 * Runs a decision on the buyer's Account. The buyer is the Customer that the Checkout names, or else the Customer with
 * the typed e-mail.
 * @throws Refused if the Checkout names no Customer and no e-mail was typed
 */
export async function inBuyer<T>(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  decide: Decide<T>,
): Promise<T> {
  const { organizationId, customerId } = seen;
  // After a declined card the Checkout has a Customer, found by the typed e-mail. The buyer may correct a mistyped
  // e-mail now, which leads to another Customer.
  const retyped = !seen.customerNamed && submission.email !== null;
  if (customerId !== null && !retyped)
    return inBilling(ctx, tx, { organizationId, id: customerId }, decide).catch(refuseDeleted);
  if (submission.email === null) throw new Refused({ refused: "email_missing" });
  const inTime = await readOrganization(tx, organizationId);
  const billing = submission.billing ?? seen.billing;
  const where = { billingAddress: billing?.address ?? null, taxId: billing?.taxId ?? null };
  const person = { email: submission.email, name: submission.name, companyName: billing?.companyName ?? null };
  const described = { ...person, locale: submission.locale };
  const wanted = { ...described, externalId: null, ...where, metadata: {} };
  return inResolved(ctx, tx, inTime, wanted, decide);
}
