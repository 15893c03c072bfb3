import type { Account } from "../billing/customer-billing.ts";
import type { Checkout } from "../model/checkout.ts";
import { openFinishingPage } from "./change-page.ts";
import { cardOf } from "../payment/card.ts";
import type { Payment } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { AppError } from "../../errors.ts";
import { applyChange } from "./apply-change.ts";
import type { AskedProduct } from "./change-target.ts";
import { decideAgreed, type AgreedChange } from "./agreed-change.ts";
import { newIntent, recordChangeAttempt, recordIntent, type AskedBy } from "./intent.ts";

/**
 * The outcome of a request to change the Product: done, to be charged first, or left to the buyer on a page (402).
 */
export type ChangeOutcome = { changed: Subscription } | { pending: Payment; productId: string } | { page: Checkout };

/**
 * Changes the Product of a Subscription (rules P), or records the intent and the attempt that pays for the change
 * (rule P1). `agreed`: a person agreed to the figures on a page.
 * @throws AppError
 */
export function changeProduct(
  account: Account,
  subscription: Subscription,
  params: AskedProduct,
  from: AskedBy,
  agreed: AgreedChange | null = null,
): ChangeOutcome {
  const { at, decided, plan } = decideAgreed(account, subscription, params, agreed);
  if (!plan) return { changed: subscription };
  const isCovered = plan.totals.amountDue === 0;
  if (!decided.cardMissing && isCovered)
    return { changed: applyChange(account, subscription, plan, null, at).subscription };
  const method = decided.cardMissing ? null : cardOf(account, subscription);
  if (!method) {
    if (!account.loaded.hasProvider) throw new AppError("payment_provider_missing");
    return { page: openFinishingPage(account, subscription, plan, null) };
  }
  const intent = newIntent(account, subscription, plan, at, { checkoutId: null, ...from });
  recordIntent(account, subscription, intent);
  return { pending: recordChangeAttempt(account, intent, method), productId: plan.target.productId };
}
