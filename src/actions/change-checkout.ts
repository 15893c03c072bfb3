import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import { cardNeed, type Checkout } from "../domain/checkout.ts";
import type { InvoiceLine, LineDraft } from "../domain/invoice.ts";
import type { Anchor } from "../domain/period.ts";
import { nextAnchor } from "../domain/renewal.ts";
import type { Subscription } from "../domain/subscription.ts";
import { AppError, invalid } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import { checkoutETag, presentCheckout, type CreateCheckoutParams } from "../resources/checkout.ts";
import type { FrozenPlan } from "../domain/frozen-plan.ts";
import type { Tx } from "../store/db.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { products } from "../store/products.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { decideChange, freezePlan, type DecidedChange } from "./decide-change.ts";
import { taxOn } from "./issue-invoice.ts";
import { checkoutUrl } from "./links.ts";
import { recordCheckout } from "./record.ts";
import { workOnSubscription, type SubscriptionWork } from "./subscription-work.ts";
import { providerOf, type Work } from "./work.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;
/** An hour less than a day, so that whoever reads of it in a day-old message finds it closed rather than closing. */
const FINISHING_MINUTES = 23 * 60;

type Wishes = Pick<CreateCheckoutParams, "successUrl" | "cancelUrl" | "expiresInMinutes" | "metadata">;

/** A Checkout that is not written yet, for the change that `plan` froze; its amounts are what it came to just now. */
function newChangeCheckout(work: Work, subscription: Subscription, plan: FrozenPlan, wishes: Wishes): Checkout {
  const { organization, now } = work;
  const { target, asked, totals } = plan;
  const expiresAt = instant(now + (wishes.expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open",
    productId: target.productId,
    customerId: subscription.customerId,
    customerNamed: subscription.customerNamed,
    subscriptionId: subscription.id,
    invoiceId: null,
    productName: target.productName,
    // The change itself reserves its group (rule C4), not the Checkout.
    groupKey: null,
    currency: subscription.currency,
    amount: target.amount,
    interval: target.interval,
    intervalCount: target.intervalCount,
    trialDays: null,
    trialCard: "required",
    discount: subscription.discount,
    billing: null,
    tax: { rate: taxOn(work, subscription.billing) },
    change: { ...asked, totals },
    successUrl: wishes.successUrl,
    cancelUrl: wishes.cancelUrl,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata: wishes.metadata,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: organization.clockAt !== null,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The page for a change that could not be paid (rule P1): the buyer authenticates there or gives another card. It is told of in the 402
 * alone: a change that failed makes no event but that of its payment.
 */
export async function openFinishingPage(work: Work, subscription: Subscription, plan: FrozenPlan): Promise<Checkout> {
  const wishes = { successUrl: null, cancelUrl: null, expiresInMinutes: FINISHING_MINUTES, metadata: {} };
  return recordCheckout(work, newChangeCheckout(work, subscription, plan, wishes), null, work.now);
}

/** `POST /checkouts` with a `subscriptionId` (rule C6): once paid, it changes that Subscription as `invoice_now` does. */
export async function createChangeCheckout(ctx: Context, call: Call, params: CreateCheckoutParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const work = await findSubscription(ctx, tx, call.organizationId, params.subscriptionId!);
    const { subscription, customer } = work;
    if (params.currency !== null && params.currency !== subscription.currency)
      throw invalid("/currency", "other_currency", `The Subscription is in ${subscription.currency}, for good.`);
    const plan = await freezePlan(work, await decideChange(work, { ...productOf(params), prorationBehavior: "invoice_now" }));
    if (!plan) throw new AppError("already_subscribed", { extra: { subscriptionId: subscription.id } });
    const draft = newChangeCheckout(work, subscription, plan, params);
    if (cardNeed(draft) !== "none" && !providerOf(ctx, work.organization)) throw new AppError("payment_provider_missing");
    const checkout = await recordCheckout(work, draft, "checkout.created", work.now);
    const surroundings = { externalCustomerId: customer.externalId, now: work.now };
    const body = presentCheckout(checkout, { ...surroundings, url: checkoutUrl(ctx, checkout) });
    return answer(201, body, { ETag: checkoutETag(checkout, surroundings) });
  });
}

function productOf({ productId, productKey }: CreateCheckoutParams): { productId: string } | { productKey: string } {
  return productId === null ? { productKey: productKey! } : { productId };
}

async function findSubscription(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<SubscriptionWork> {
  const unknown = invalid("/subscriptionId", "unknown_subscription", "No such Subscription exists.");
  if (!isId("sub", id)) throw unknown;
  return workOnSubscription(ctx, tx, organizationId, id, () => undefined).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? unknown : error;
  });
}

/** For so long a page may show amounts before they are reckoned anew: they change with every moment of a period. */
const QUOTE_MILLISECONDS = 30 * MINUTE_MILLISECONDS;

/**
 * The change of a Checkout, decided as of the instant at which its page showed it, if that is not long ago and nothing has happened to
 * the Subscription since; else as of now. @throws AppError 409 when the Subscription can't be changed this way, 422 for its Product
 */
export async function decideCheckout(
  work: SubscriptionWork,
  checkout: Checkout,
  shownAt: Instant | null,
): Promise<{ work: SubscriptionWork; decided: DecidedChange; plan: FrozenPlan | null }> {
  const { now, subscription } = work;
  const fresh = shownAt !== null && shownAt <= now && now - shownAt <= QUOTE_MILLISECONDS && shownAt >= subscription.updatedAt;
  const then = fresh ? { ...work, now: shownAt } : work;
  const { behavior: prorationBehavior, undo } = checkout.change!;
  const asked = { productId: checkout.productId, prorationBehavior, ...(undo ? { cancelAtPeriodEnd: false } : {}) };
  const { amount, interval, intervalCount } = checkout;
  const decided = await decideChange(then, asked, { amount, interval: interval!, intervalCount: intervalCount! });
  return { work: then, decided, plan: await freezePlan(then, decided) };
}

/** The Checkout with what its change came to when it was decided, and with what is charged from then on. */
export function reckoned({ subscription, ...work }: SubscriptionWork, checkout: Checkout, { set, totals }: FrozenPlan): Checkout {
  const { discount, ...price } = { ...subscription, ...set };
  const { amount, interval, intervalCount } = set.pendingChange ?? price;
  const tax = { rate: taxOn(work, subscription.billing) };
  return { ...checkout, amount, interval, intervalCount, discount, tax, change: { ...checkout.change!, totals } };
}

/** What a change comes to at this moment, for its page; `refusal`: why it can't be made any more. */
export type ChangeQuote =
  | {
      checkout: Checkout;
      presentName: string;
      lines: readonly (LineDraft | InvoiceLine)[];
      /** Whether the lines are billed now, or wait for the next invoice. */
      bill: FrozenPlan["bill"];
      /** When it was reckoned. */
      at: Instant;
      /** When the Product changes; null: at once. */
      scheduledFor: Instant | null;
      /** When the Subscription is charged next after the change. */
      nextChargeAt: Instant;
      /** The anchor of the periods from then on. */
      anchor: Anchor;
    }
  | { refusal: AppError };

/** Reckons the change of an open Checkout anew, and writes nothing. */
export async function quoteChange(ctx: Context, checkout: Checkout): Promise<ChangeQuote> {
  const { organizationId, subscriptionId } = checkout;
  try {
    return await ctx.db.dryRun(async (tx) => {
      const work = await workOnSubscription(ctx, tx, organizationId, subscriptionId!, () => undefined);
      const { plan } = await decideCheckout(work, checkout, null);
      if (!plan) throw new AppError("already_subscribed");
      const waiting = plan.bill === "now" ? await waitingLines(tx, organizationId, work.subscription.id) : [];
      const lines = [...waiting, ...plan.lines];
      const present = await products.find(tx, organizationId, work.subscription.productId);
      const after = { ...work.subscription, ...plan.set };
      return {
        checkout: reckoned(work, checkout, plan),
        presentName: present?.name ?? "",
        lines,
        bill: plan.bill,
        at: work.now,
        scheduledFor: plan.set.pendingChange?.effectiveAt ?? null,
        nextChargeAt: after.currentPeriodEnd,
        anchor: nextAnchor(after, work.organization.timeZone),
      };
    });
  } catch (error) {
    if (error instanceof AppError && (error.status === 409 || error.status === 422)) return { refusal: error };
    throw error;
  }
}
