import type { Context } from "../../context.ts";
import type { Submitted } from "../../domain/checkout/attempt.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import type { ChangeCard } from "../../domain/change/change-card.ts";
import { submitChange } from "../../domain/change/submit-change.ts";
import { submitCheckout } from "../../domain/checkout/submit.ts";
import { runDue } from "../../domain/collection/due.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import type { Tx } from "../../store/driver/db.ts";
import { inBilling } from "../customer-billing.ts";
import { inBuyer } from "./buyer.ts";
import type { Submission } from "./submission.ts";

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
  return inBuyer(ctx, tx, seen, submission, (account) => {
    runDue(account);
    return submitCheckout(account, seen.id, submission, card && "challenged" in card ? null : card);
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
    (account) => submitChange(account, subscriptionAtHand(account, key.id), seen.id, submission, card),
    { deleted: true },
  );
}
