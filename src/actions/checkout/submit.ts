import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import { cardNeed, type Checkout } from "../../domain/checkout/checkout.ts";
import type { Submitted } from "../../domain/checkout/attempt.ts";
import { MAX_FAILED_ATTEMPTS, Refused, type CheckoutRefusal } from "../../domain/checkout/refused.ts";
import { submitChange } from "../../domain/checkout/submit-change.ts";
import { submitCheckout as decideSubmission } from "../../domain/checkout/submit.ts";
import { runDue } from "../../domain/due.ts";
import type { GivenCard } from "../../domain/payment/outcome.ts";
import { subscriptionAtHand } from "../../domain/subscription/at-hand.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import { AppError } from "../../errors.ts";
import type { AcceptedCard, CardDetails, CardFault } from "../../payments/provider.ts";
import { checkouts } from "../../store/checkouts.ts";
import type { Tx } from "../../store/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { inAccount } from "../account.ts";
import { inResolved } from "../customer/find.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { providerOf } from "../work.ts";

/** What the buyer sends. `billing`: where they are, where they were asked; for the others see `BuyerSaid`. */
export type Submission = {
  card: CardDetails | null;
  email: string | null;
  name: string | null;
  billing: Billing | null;
  expectedAmount: number | null;
  shownAt: Instant | null;
};

/** Why a Checkout was not submitted; the Checkout is as it was, or as it has to be shown again. */
export type SubmissionRefusal = CheckoutRefusal | { refused: "card"; fault: CardFault };
export type SubmissionResult = Submitted | SubmissionRefusal;

/**
 * Submits the payment of a Checkout (rule C1): one transaction commits the intent, then the provider is called, then another completes
 * it or opens it again. Two tabs or a double click: one of them finds it not open.
 * @throws AppError 404 `not_found`, 409 `payment_provider_missing`
 */
export async function submitCheckout(ctx: Context, organizationId: string, id: string, submission: Submission): Promise<SubmissionResult> {
  const seen = await checkouts.find(ctx.db.read, organizationId, id);
  if (!seen) throw new AppError("not_found");
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  const provider = providerOf(ctx, organization);
  if (cardNeed(seen) !== "none" && !provider) throw new AppError("payment_provider_missing");
  // The amount of a change is reckoned anew below: by then it may need the card.
  const wanted = cardNeed(seen) === "none" && !seen.change ? null : submission.card;
  const accepted: AcceptedCard | null = wanted && provider && (await provider.acceptCard(organizationId, wanted));
  if (accepted && "fault" in accepted) return { refused: "card", fault: accepted.fault };
  const card = accepted && { ...accepted.card, provider: provider!.name };
  try {
    const submitted = await ctx.db.tx((tx) => (seen.change ? change : buy)(ctx, tx, seen, submission, card));
    if (!submitted.payment) return submitted;
    const payment = await carryOutPayment(ctx, organizationId, submitted.payment.id);
    return { checkout: (await checkouts.find(ctx.db.read, organizationId, id))!, payment };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.tells ? tell(ctx, seen, error.refusal) : error.refusal;
  }
}

/** A refusal that tells of a Customer counts as a declined card does, and is told once it is counted: not to many who ask at once. */
function tell(ctx: Context, { organizationId, id }: Checkout, refusal: SubmissionRefusal): Promise<SubmissionRefusal> {
  return ctx.db.tx(async (tx) => {
    const checkout = await checkouts.lock(tx, organizationId, id);
    if (checkout?.status !== "open") return { refused: "not_open" };
    if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) return { refused: "too_many_attempts" };
    // The resource does not show this: no new version, and no event.
    checkouts.update(tx, { ...checkout, failedAttempts: checkout.failedAttempts + 1 });
    return refusal;
  });
}

/** Deleted Customers' Checkouts expired when they were deleted (rule I5). */
function refuseDeleted(error: unknown): never {
  throw error instanceof AppError && error.code === "not_found" ? new Refused({ refused: "not_open" }) : error;
}

/** On the buyer's Customer: the one the Checkout names, else the one that the typed e-mail stands for. */
async function buy(ctx: Context, tx: Tx, seen: Checkout, submission: Submission, card: GivenCard | null): Promise<Submitted> {
  const { organizationId, customerId } = seen;
  const decide = (account: Account) => {
    runDue(account);
    return decideSubmission(account, seen.id, submission, card);
  };
  // Of a buyer whose card was declined the Checkout knows the e-mail; they may have mistyped it, and say another one now.
  const retyped = !seen.customerNamed && submission.email !== null;
  if (customerId !== null && !retyped) return inAccount(ctx, tx, { organizationId, id: customerId }, decide).catch(refuseDeleted);
  if (submission.email === null) throw new Refused({ refused: "email_missing" });
  const place = await readOrganization(tx, organizationId);
  const billing = submission.billing ?? seen.billing;
  const where = { billingAddress: billing?.address ?? null, taxId: billing?.taxId ?? null };
  const wanted = { email: submission.email, name: submission.name, externalId: null, ...where, metadata: {} };
  return inResolved(ctx, tx, place, wanted, decide);
}

async function change(ctx: Context, tx: Tx, seen: Checkout, submission: Submission, card: GivenCard | null): Promise<Submitted> {
  const id = seen.subscriptionId!;
  const decide = (account: Account) => submitChange(account, subscriptionAtHand(account, id), seen.id, submission, card);
  return inAccount(ctx, tx, { by: "subscription", organizationId: seen.organizationId, id }, decide, { deleted: true });
}
