import type { Context } from "../../context.ts";
import type { Submitted } from "../../domain/checkout/attempt.ts";
import { Refused } from "../../domain/checkout/refusal.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import type { ChangeCard } from "../../domain/change/change-card.ts";
import { submitChange } from "../../domain/change/submit-change.ts";
import { submitCheckout } from "../../domain/checkout/submit.ts";
import { runDue } from "../../domain/collection/due.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { inBilling, type Decide } from "../customer-billing.ts";
import { inResolved } from "../customer/find.ts";
import type { Submission } from "./submission.ts";

/** The Checkouts of a deleted Customer expired with the deletion (rule I5i). */
function refuseDeleted(error: unknown): never {
  throw isRefusal(error, "not_found") ? new Refused({ refused: "not_open" }) : error;
}

/**
 * Runs a decision on the buyer's billing. The buyer is the Customer that the Checkout names, or else the Customer with
 * the typed e-mail.
 * @throws Refused if the Checkout names no Customer and no e-mail was typed
 */
async function inBuyer<T>(ctx: Context, tx: Tx, seen: Checkout, submission: Submission, decide: Decide<T>): Promise<T> {
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

/**
 * Decides on a submission, and stores the Checkout together with the payment attempt, before the provider is called.
 * @throws Refused
 */
export function recordSubmission(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  card: ChangeCard | null,
): Promise<Submitted> {
  return (seen.change ? change : buy)(ctx, tx, seen, submission, card);
}

async function buy(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  card: ChangeCard | null,
): Promise<Submitted> {
  return inBuyer(ctx, tx, seen, submission, (billing) => {
    runDue(billing);
    return submitCheckout(billing, seen.id, submission, card && "challenged" in card ? null : card);
  });
}

async function change(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  card: ChangeCard | null,
): Promise<Submitted> {
  const key = { by: "subscription", organizationId: seen.organizationId, id: seen.subscriptionId! } as const;
  return inBilling(
    ctx,
    tx,
    key,
    (billing) => submitChange(billing, subscriptionAtHand(billing, key.id), seen.id, submission, card),
    { deleted: true },
  );
}
