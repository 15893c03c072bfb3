import type { Account } from "../account/account.ts";
import { recordCheckout, recordCustomer } from "../account/record.ts";
import type { Instant } from "../calendar.ts";
import { cardNeed, checkoutTax, dueToday, type Checkout } from "../checkout.ts";
import { reserveDiscount } from "../discount/reserve.ts";
import { billingOf } from "../invoice/issue.ts";
import { keepMethod } from "../payment/new-card.ts";
import type { GivenCard } from "../payment/outcome.ts";
import type { Payment } from "../payment.ts";
import { groupHolder } from "../subscription/group.ts";
import type { Billing } from "../tax.ts";
import { completeCheckout } from "./complete.ts";
import { recordCheckoutAttempt } from "./attempt.ts";
import { MAX_FAILED_ATTEMPTS, Refused } from "./refused.ts";
import { findProduct } from "../catalogue/product.ts";

/**
 * What a buyer sends with the payment. `billing`: where they are, where they were asked. `expectedAmount`: the amount that the page showed
 * as due today; another amount has to be shown first (rule C3). `shownAt`: when the page reckoned it; null: just now.
 */
export type BuyerSaid = { billing: Billing | null; expectedAmount: number | null; shownAt: Instant | null };

/** A submitted Checkout, and the attempt that pays for it; null: it needs none, and is complete. */
export type Submitted = { checkout: Checkout; payment: Payment | null };

/** Submits the payment of a Checkout that sells something new (rule C1). @throws Refused */
export function submitCheckout(account: Account, id: string, said: BuyerSaid, card: GivenCard | null): Submitted {
  const { now } = account;
  account.need({ part: "checkout", id });
  const open = account.checkouts.get(id);
  if (!open || open.status !== "open" || open.expiresAt <= now) throw new Refused({ refused: "not_open" });
  const placed = located(account, open, said);
  requireCard(placed, card);
  const checkout = requirePayable(account, placed, said);
  requireCard(checkout, card);
  const submitted = { customerId: account.customer.id, submittedAt: now, dueAt: null, lastPaymentError: null };
  const processing: Checkout = { ...checkout, ...submitted, status: "processing" };
  if (!card) return { checkout: completeCheckout(account, processing, null), payment: null };
  const method = keepMethod(account, card);
  const next = recordCheckout(account, { ...processing, version: processing.version + 1, updatedAt: now }, null, now);
  return { checkout: next, payment: recordCheckoutAttempt(account, next, method, null) };
}

function requireCard(checkout: Checkout, card: GivenCard | null): void {
  const need = cardNeed(checkout);
  if (!card && (need === "charge" || need === "save")) throw new Refused({ refused: "card_missing" });
}

/** Every rule that could refuse a payment does so before the provider is called: none may after (rule C1). */
function requirePayable(account: Account, checkout: Checkout, { expectedAmount }: BuyerSaid): Checkout {
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = findProduct(account, checkout.productId);
  if (!product || product.archived) throw new Refused({ refused: "product_archived" });
  const isAmount = (due: Checkout) => expectedAmount === null || expectedAmount === dueToday(due);
  const withoutTrial = { ...checkout, trialDays: null };
  // An amount that can't be right is refused before the Customer, who may only have been guessed, is looked at.
  if (!isAmount(checkout) && !isAmount(withoutTrial)) throw new Refused({ refused: "amount_changed" });
  const tells = !checkout.customerNamed;
  const holder = checkout.groupKey === null ? null : groupHolder(account, checkout.groupKey);
  if (holder) throw new Refused({ refused: "already_subscribed", subscriptionId: holder.subscriptionId }, tells);
  const payable = checkout.trialDays !== null && isTrialUsed(account, checkout.groupKey) ? withoutTrial : checkout;
  if (!isAmount(payable)) throw new Refused({ refused: "amount_changed" }, tells);
  // The last rule that could refuse: all others who want this discount wait until this is committed (rule X1).
  if (payable.discount && !reserveDiscount(account, payable.discount.id, payable.id))
    throw new Refused({ refused: "discount_exhausted" });
  return payable;
}

/** Whether the Customer has used the trial of a group (rule C2). */
export function isTrialUsed(account: Account, groupKey: string | null): boolean {
  if (groupKey === null) return false;
  account.need({ part: "trials" });
  return account.trials.get(groupKey) !== null;
}

/**
 * The Checkout with the place its buyer is at, and the tax of that (rules C3, X3). A named Customer whose place was not known is there
 * from now on; the place that a stranger typed counts for this purchase alone.
 */
function located(account: Account, checkout: Checkout, said: BuyerSaid): Checkout {
  const { organization, customer } = account;
  const known = checkout.customerNamed && customer.billingAddress !== null;
  const billing = known ? null : (said.billing ?? checkout.billing);
  const tax = checkoutTax(organization, checkout.customerNamed ? billingOf(customer, billing) : billing, checkout);
  if (!tax) throw new Refused({ refused: "billing_missing" });
  if (!checkout.customerNamed || !billing) return { ...checkout, billing, tax };
  const moved = { ...customer, billingAddress: billing.address, taxId: billing.taxId ?? customer.taxId };
  recordCustomer(account, moved, "customer.updated", account.now);
  return { ...checkout, billing: null, tax };
}
