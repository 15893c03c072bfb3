import type { Context } from "../context.ts";
import { cardNeed, checkoutTax, dueToday, type Checkout } from "../domain/checkout.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import type { AcceptedCard } from "../payments/provider.ts";
import { checkouts } from "../store/checkouts.ts";
import type { Tx } from "../store/db.ts";
import { reserveDiscount } from "../store/discounts.ts";
import { readOrganization } from "../store/organizations.ts";
import { products } from "../store/products.ts";
import { trialUsed } from "../store/subscriptions.ts";
import { keepMethod, recordCheckoutAttempt, type GivenCard } from "./given-card.ts";
import { workOnResolved } from "./create-customer.ts";
import { groupHolder } from "./group.ts";
import { billingOf } from "./issue-invoice.ts";
import { recordCheckout, recordCustomer } from "./record.ts";
import { runDue } from "./run-due.ts";
import { completeCheckout } from "./settle-checkout.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { submitChange } from "./submit-change.ts";
import { MAX_FAILED_ATTEMPTS, Refused, type Submission, type SubmissionRefusal, type SubmissionResult } from "./submission.ts";
import { providerOf, workOn, type Work } from "./work.ts";

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
  // What a change comes to is reckoned anew below: by then it may need the card.
  const wanted = cardNeed(seen) === "none" && !seen.change ? null : submission.card;
  const accepted: AcceptedCard | null = wanted && provider && (await provider.acceptCard(organizationId, wanted));
  if (accepted && "fault" in accepted) return { refused: "card", fault: accepted.fault };
  const card = accepted && { ...accepted.card, provider: provider!.name };
  try {
    const submitted = await ctx.db.tx((tx) => (seen.change ? submitChange : submit)(ctx, tx, seen, submission, card));
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
    // Nothing that the resource shows: no new version, and no event.
    checkouts.update(tx, { ...checkout, failedAttempts: checkout.failedAttempts + 1 });
    return refusal;
  });
}

/** On the buyer's Customer: the one the Checkout names, else whoever the e-mail they typed stands for. */
async function workOnBuyer(ctx: Context, tx: Tx, checkout: Checkout, submission: Submission): Promise<Work> {
  // Of a buyer whose card was declined the Checkout knows the e-mail; they may have mistyped it, and say another one now.
  const retyped = !checkout.customerNamed && submission.email !== null;
  if (checkout.customerId !== null && !retyped) {
    const work = await workOn(ctx, tx, checkout.organizationId, checkout.customerId);
    // Their Checkouts expired when they were deleted (rule I5).
    if (!work) throw new Refused({ refused: "not_open" });
    return work;
  }
  if (submission.email === null) throw new Refused({ refused: "email_missing" });
  const { now } = await readOrganization(tx, checkout.organizationId);
  const billing = submission.billing ?? checkout.billing;
  const where = { billingAddress: billing?.address ?? null, taxId: billing?.taxId ?? null };
  const wanted = { email: submission.email, name: submission.name, externalId: null, ...where, metadata: {} };
  return workOnResolved(ctx, tx, checkout.organizationId, wanted, now);
}

async function submit(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  card: GivenCard | null,
): Promise<SubmissionResult & { payment: Payment | null }> {
  const work = await workOnBuyer(ctx, tx, seen, submission);
  await runDue(work);
  const open = await checkouts.lock(tx, seen.organizationId, seen.id);
  if (!open || open.status !== "open" || open.expiresAt <= work.now) throw new Refused({ refused: "not_open" });
  const placed = await located(work, open, submission);
  requireCard(placed, card);
  const checkout = await requirePayable(work, placed, submission);
  requireCard(checkout, card);
  const submitted = { customerId: work.customer.id, submittedAt: work.now, dueAt: null, lastPaymentError: null };
  const processing: Checkout = { ...checkout, ...submitted, status: "processing" };
  if (!card) return { checkout: await completeCheckout(work, processing, null), payment: null };
  const method = keepMethod(work, card);
  const next = await recordCheckout(work, { ...processing, version: processing.version + 1, updatedAt: work.now }, null, work.now);
  return { checkout: next, payment: await recordCheckoutAttempt(work, next, method, null) };
}

function requireCard(checkout: Checkout, card: GivenCard | null): void {
  const need = cardNeed(checkout);
  if (!card && (need === "charge" || need === "save")) throw new Refused({ refused: "card_missing" });
}

/** Whatever could refuse a payment does so before the provider is called: nothing may after (rule C1). */
async function requirePayable(work: Work, checkout: Checkout, { expectedAmount }: Submission): Promise<Checkout> {
  const { tx, organization, customer } = work;
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = await products.find(tx, organization.id, checkout.productId);
  if (!product || product.archived) throw new Refused({ refused: "product_archived" });
  const isAmount = (due: Checkout) => expectedAmount === null || expectedAmount === dueToday(due);
  const withoutTrial = { ...checkout, trialDays: null };
  // An amount that is nobody's is refused before anything is looked up of who may only have been guessed.
  if (!isAmount(checkout) && !isAmount(withoutTrial)) throw new Refused({ refused: "amount_changed" });
  const tells = !checkout.customerNamed;
  const holder = checkout.groupKey === null ? null : await groupHolder(work, checkout.groupKey);
  if (holder) throw new Refused({ refused: "already_subscribed", subscriptionId: holder.subscriptionId }, tells);
  const used =
    checkout.trialDays !== null && checkout.groupKey !== null && (await trialUsed(tx, organization.id, customer.id, checkout.groupKey));
  const payable = used ? withoutTrial : checkout;
  if (!isAmount(payable)) throw new Refused({ refused: "amount_changed" }, tells);
  // The last thing that could refuse: whoever else wants this discount waits until this is committed (rule X1).
  if (payable.discount && !(await reserveDiscount(tx, organization.id, payable.discount.id, payable.id)))
    throw new Refused({ refused: "discount_exhausted" });
  return payable;
}

/**
 * The Checkout with the place its buyer is at, and the tax of that (rules C3, X3). A named Customer whose place was not known is there
 * from now on; what a stranger typed counts for this purchase alone.
 */
async function located(work: Work, checkout: Checkout, submission: Submission): Promise<Checkout> {
  const { organization, customer } = work;
  const known = checkout.customerNamed && customer.billingAddress !== null;
  const billing = known ? null : (submission.billing ?? checkout.billing);
  const tax = checkoutTax(organization, checkout.customerNamed ? billingOf(customer, billing) : billing, checkout);
  if (!tax) throw new Refused({ refused: "billing_missing" });
  if (!checkout.customerNamed || !billing) return { ...checkout, billing, tax };
  const moved = { ...customer, billingAddress: billing.address, taxId: billing.taxId ?? customer.taxId };
  work.customer = await recordCustomer(work.tx, moved, "customer.updated", work.now);
  return { ...checkout, billing: null, tax };
}
