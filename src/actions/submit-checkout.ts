import type { Context } from "../context.ts";
import { cardNeed, dueToday, type Checkout } from "../domain/checkout.ts";
import type { Payment, PaymentMethod } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { AcceptedCard, Card, CardDetails, CardFault } from "../payments/provider.ts";
import { checkouts } from "../store/checkouts.ts";
import type { Tx } from "../store/db.ts";
import { readOrganization } from "../store/organizations.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { products } from "../store/products.ts";
import { trialUsed } from "../store/subscriptions.ts";
import { recordAttempt } from "./collect-invoice.ts";
import { resolveCustomer } from "./create-customer.ts";
import { groupHolder } from "./group.ts";
import { recordCheckout } from "./record.ts";
import { runDue } from "./run-due.ts";
import { completeCheckout } from "./settle-checkout.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { providerOf, workOn, type Work } from "./work.ts";

/** After so many declined attempts a Checkout takes no more: it is how stolen cards are tried out. */
export const MAX_FAILED_ATTEMPTS = 10;

/** What the buyer sends. `expectedAmount`: what the page showed as due today; another amount has to be shown first (rule C3). */
export type Submission = { card: CardDetails | null; email: string | null; name: string | null; expectedAmount: number | null };

/** Why nothing was submitted; the Checkout is as it was, or as it has to be shown again. */
export type SubmissionRefusal =
  | { refused: "not_open" | "email_missing" | "card_missing" | "product_archived" | "too_many_attempts" | "amount_changed" }
  | { refused: "already_subscribed"; subscriptionId: string | null }
  | { refused: "card"; fault: CardFault };

export type SubmissionResult = { checkout: Checkout; payment: Payment | null } | SubmissionRefusal;

class Refused extends Error {
  readonly refusal: SubmissionRefusal;
  constructor(refusal: SubmissionRefusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

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
  if (seen.amount > 0 && !provider) throw new AppError("payment_provider_missing");
  const wanted = cardNeed(seen) === "none" ? null : submission.card;
  const accepted: AcceptedCard | null = wanted && provider && (await provider.acceptCard(organizationId, wanted));
  if (accepted && "fault" in accepted) return { refused: "card", fault: accepted.fault };
  try {
    const submitted = await ctx.db.tx((tx) => submit(ctx, tx, seen, submission, accepted?.card ?? null, provider?.name ?? ""));
    if (!submitted.payment) return submitted;
    const payment = await carryOutPayment(ctx, organizationId, submitted.payment.id);
    return { checkout: (await checkouts.find(ctx.db.read, organizationId, id))!, payment };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** The buyer's Customer: the one the Checkout names, else whoever the e-mail they typed stands for. */
async function buyerOf(tx: Tx, checkout: Checkout, submission: Submission): Promise<string> {
  // Of a buyer whose card was declined the Checkout knows the e-mail; they may have mistyped it, and say another one now.
  const retyped = !checkout.customerNamed && submission.email !== null;
  if (checkout.customerId !== null && !retyped) return checkout.customerId;
  if (submission.email === null) throw new Refused({ refused: "email_missing" });
  const { now } = await readOrganization(tx, checkout.organizationId);
  const wanted = { email: submission.email, name: submission.name, externalId: null, billingAddress: null, taxId: null, metadata: {} };
  return (await resolveCustomer(tx, checkout.organizationId, wanted, now)).id;
}

async function submit(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  card: Card | null,
  provider: string,
): Promise<SubmissionResult & { payment: Payment | null }> {
  const work = await workOn(ctx, tx, seen.organizationId, await buyerOf(tx, seen, submission));
  if (!work) throw new AppError("not_found");
  await runDue(work);
  const open = await checkouts.lock(tx, seen.organizationId, seen.id);
  if (!open || open.status !== "open" || open.expiresAt <= work.now) throw new Refused({ refused: "not_open" });
  const checkout = await requirePayable(work, open, submission);
  const submitted = { customerId: work.customer.id, submittedAt: work.now, dueAt: null, lastPaymentError: null };
  const processing: Checkout = { ...checkout, ...submitted, status: "processing" };
  const need = cardNeed(checkout);
  if (!card && (need === "charge" || need === "save")) throw new Refused({ refused: "card_missing" });
  if (!card) return { checkout: await completeCheckout(work, processing, null), payment: null };
  const method = await keepMethod(work, card, provider);
  const next = await recordCheckout(work, { ...processing, version: processing.version + 1, updatedAt: work.now }, null, work.now);
  return { checkout: next, payment: await recordCheckoutAttempt(work, next, method) };
}

/** Whatever could refuse a payment does so before the provider is called: nothing may after (rule C1). */
async function requirePayable(work: Work, checkout: Checkout, submission: Submission): Promise<Checkout> {
  const { tx, organization, customer } = work;
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = await products.find(tx, organization.id, checkout.productId);
  if (!product || product.archived) throw new Refused({ refused: "product_archived" });
  const holder = checkout.groupKey === null ? null : await groupHolder(work, checkout.groupKey);
  if (holder) throw new Refused({ refused: "already_subscribed", subscriptionId: holder.subscriptionId });
  const used =
    checkout.trialDays !== null && checkout.groupKey !== null && (await trialUsed(tx, organization.id, customer.id, checkout.groupKey));
  const payable = used ? { ...checkout, trialDays: null } : checkout;
  if (submission.expectedAmount !== null && submission.expectedAmount !== dueToday(payable))
    throw new Refused({ refused: "amount_changed" });
  return payable;
}

async function keepMethod(work: Work, card: Card, provider: string): Promise<PaymentMethod> {
  const { ref, ...shown } = card;
  const method: PaymentMethod = {
    ...shown,
    organizationId: work.organization.id,
    id: newId("pm"),
    customerId: work.customer.id,
    provider,
    providerRef: ref,
    dead: false,
    createdAt: work.now,
  };
  paymentMethods.insert(work.tx, method);
  return method;
}

function recordCheckoutAttempt(work: Work, checkout: Checkout, method: PaymentMethod): Promise<Payment> {
  const amount = dueToday(checkout);
  const attempt = {
    kind: amount > 0 ? "charge" : "setup",
    sourceId: checkout.id,
    checkoutId: checkout.id,
    changeId: null,
    invoiceId: null,
    subscriptionId: null,
    amount,
    currency: checkout.currency,
    trigger: "checkout",
  } as const;
  return recordAttempt(work, attempt, method, work.now, true);
}
