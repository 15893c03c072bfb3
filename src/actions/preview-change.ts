import type { Context } from "../context.ts";
import { formatInstant } from "../domain/calendar.ts";
import { lineTotal, type LineDraft } from "../domain/invoice.ts";
import { planRenewal } from "../domain/renewal.ts";
import { planCancellation, withDerived, type Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import type { ChangePreviewResource } from "../resources/change-preview.ts";
import { presentLineDraft } from "../resources/invoice.ts";
import type { UpdateSubscriptionParams } from "../resources/subscription.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { products } from "../store/products.ts";
import { answer, type Answer, type Call } from "./answer.ts";
import { decideChange } from "./decide-change.ts";
import { quote, taxOn } from "./issue-invoice.ts";
import { paymentRequired, requireNoChange, workOnSubscription, type SubscriptionWork } from "./subscription-work.ts";
import { providerOf } from "./work.ts";

/** What a PATCH with this body would do, by the very code that would do it, up to the point of writing (rule P8). */
export async function previewChange(ctx: Context, call: Call, id: string, params: UpdateSubscriptionParams): Promise<Answer> {
  const changes = params.productId !== undefined || params.productKey !== undefined;
  return previewOnSubscription(ctx, call, id, (work) => (changes ? previewProduct(work, params) : previewCancellation(work, params)));
}

/** Answers what `tell` finds in a transaction on the Subscription that is always undone. @throws AppError 404, 409 `catch_up_pending` */
export async function previewOnSubscription(
  ctx: Context,
  call: Call,
  id: string,
  tell: (work: SubscriptionWork) => Promise<ChangePreviewResource>,
): Promise<Answer> {
  const preview = await ctx.db.dryRun(async (tx) => tell(await workOnSubscription(ctx, tx, call.organizationId, id, () => undefined)));
  return answer(200, preview);
}

async function previewCancellation(work: SubscriptionWork, params: UpdateSubscriptionParams): Promise<ChangePreviewResource> {
  const { subscription, now } = work;
  if (subscription.status === "canceled") throw new AppError("subscription_canceled");
  requireNoChange(subscription);
  const plan = params.cancelAtPeriodEnd ? planCancellation(subscription, {}, now) : { change: { cancelAtPeriodEnd: false } };
  const after = "change" in plan ? { ...subscription, ...plan.change } : subscription;
  const effectiveAt = params.cancelAtPeriodEnd ? subscription.currentPeriodEnd : now;
  const waiting = await waitingLines(work.tx, work.organization.id, subscription.id);
  const next = await nextInvoice(work, after, waiting);
  return { lines: [], chargeAmount: 0, balanceChange: 0, effectiveAt: formatInstant(effectiveAt), nextInvoice: next };
}

async function previewProduct(work: SubscriptionWork, params: UpdateSubscriptionParams): Promise<ChangePreviewResource> {
  const { tx, organization, subscription, now } = work;
  const { plan, cardMissing } = await decideChange(work, params);
  if (cardMissing) {
    throw providerOf(work.ctx, organization)
      ? paymentRequired(work.ctx, "payment_method_required", null, null)
      : new AppError("payment_provider_missing");
  }
  const set = "unchanged" in plan ? {} : plan.set;
  const bill = "unchanged" in plan ? "none" : plan.bill;
  const drafts = "unchanged" in plan ? [] : plan.lines;
  const waiting = await waitingLines(tx, organization.id, subscription.id);
  const after = withDerived({ ...subscription, ...set });
  const lines = bill === "now" ? [...waiting, ...drafts] : drafts;
  const totals = await quote(work, subscription.currency, lines);
  const scheduled = "pendingChange" in set && set.pendingChange ? set.pendingChange.effectiveAt : now;
  return {
    lines: lines.map(presentLineDraft),
    chargeAmount: bill === "now" ? totals.amountDue : 0,
    balanceChange: bill === "now" ? 0 - totals.balanceApplied : 0,
    effectiveAt: formatInstant(scheduled),
    nextInvoice: await nextInvoice(work, after, bill === "now" ? [] : [...waiting, ...drafts]),
  };
}

/** The renewal's invoice as it would be now; null when the Subscription ends and nothing waits. */
async function nextInvoice(
  work: SubscriptionWork,
  after: Subscription,
  waiting: LineDraft[],
): Promise<ChangePreviewResource["nextInvoice"]> {
  const date = formatInstant(after.currentPeriodEnd);
  const invoice = (lines: LineDraft[]) => ({
    date,
    lines: lines.map(presentLineDraft),
    totalAmount: lines.reduce((sum, line) => sum + lineTotal(line), 0),
  });
  if (after.cancelAtPeriodEnd) return waiting.length > 0 ? invoice(waiting) : null;
  const product = await products.find(work.tx, work.organization.id, after.productId);
  const facts = { productName: product?.name ?? "", timeZone: work.organization.timeZone, tax: taxOn(work, after.billing) };
  return invoice([...waiting, planRenewal(after, facts).line]);
}
