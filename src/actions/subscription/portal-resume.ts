import type { Context } from "../../context.ts";
import { openInvoicesOf } from "../../domain/invoice/bills.ts";
import type { Agreed } from "../../domain/model/agreement.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import { quoteResume, resumeInPresence, type ResumeFigures } from "../../domain/subscription/portal-resume.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { inBilling, readCustomerBilling } from "../customer-billing.ts";
import { invoiceUrl } from "../links.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { invoices } from "../../store/invoices.ts";

/**
 * The outcome of a resume in the portal. `invoice`: the URL of the page on which the buyer goes on: to the bank, with
 * another card, or to wait. `figures_changed`: the page has to show the present figures first.
 */
export type ResumedInPortal = { done: true } | { invoice: string } | { refused: "figures_changed" };

/** The resume as of now; null: the Subscription is not paused. */
export const readResumeQuote = (
  ctx: Context,
  { organizationId, id, customerId }: Subscription,
): Promise<RenewalPreview | null> =>
  readCustomerBilling(ctx, { organizationId, id: customerId }, (billing) => quoteResume(billing, id));

/**
 * Resumes a paused Subscription for its Customer, and charges the card on file (rule S8k). A second click finds the
 * resume of the first one: the page of its invoice, if this invoice is not paid yet.
 * @throws Refusal 409 `catch_up_pending`
 */
export async function resumeInPortal(
  ctx: Context,
  { organizationId, id }: Subscription,
  agreed: Agreed<ResumeFigures>,
): Promise<ResumedInPortal> {
  const decided = await ctx.db.tx((tx) =>
    inBilling(ctx, tx, { by: "subscription", organizationId, id }, (billing) => {
      const subscription = subscriptionAtHand(billing, id);
      if (subscription.status === "paused") return resumeInPresence(billing, subscription, agreed);
      const unpaid = openInvoicesOf(billing, id).at(-1);
      return unpaid ? { unpaid } : { attempt: null };
    }),
  );
  if ("refused" in decided) return decided;
  if ("unpaid" in decided) return { invoice: invoiceUrl(ctx, decided.unpaid) };
  if (decided.attempt === null) return { done: true };
  const payment = await sendPayment(ctx, organizationId, decided.attempt.id);
  if (payment.status === "succeeded") return { done: true };
  const invoice = await invoices.find(ctx.db.read, organizationId, payment.sourceId);
  return { invoice: invoiceUrl(ctx, invoice!) };
}
