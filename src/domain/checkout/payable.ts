import type { Account } from "../billing/customer-billing.ts";
import { findProduct } from "../catalogue/find-product.ts";
import { isAgreed } from "../model/agreement.ts";
import { type Checkout, dueToday, MAX_FAILED_ATTEMPTS } from "../model/checkout.ts";
import { reserveDiscount } from "../discount/reserve.ts";
import { groupHolder } from "../collection/group.ts";
import { isTrialUsed } from "../subscription/used-trial.ts";
import type { BuyerSaid } from "./buyer.ts";
import { Refused } from "./refusal.ts";
import { settledNow } from "./settlement.ts";
import { yieldsToCustomer } from "./precedence.ts";

/**
 * Checks every rule that could refuse the payment, before the provider is called. After this check no rule may refuse
 * the purchase (rules C1, C3i, C3j, C3k). `checkout`: with the part that the balance settles now.
 */
export function requirePayable(account: Account, checkout: Checkout, { agreed }: BuyerSaid): Checkout {
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = findProduct(account, checkout.productId);
  if (!product || product.archived) throw new Refused({ refused: "product_archived" });
  const isAmount = (due: Checkout) => isAgreed({ amountDue: dueToday(due) }, agreed);
  const withoutTrial = checkout.trialDays === null ? checkout : settledNow(account, { ...checkout, trialDays: null });
  // An impossible amount is refused before any check of the Customer: the buyer may only have guessed the e-mail.
  if (!isAmount(checkout) && !isAmount(withoutTrial)) throw new Refused({ refused: "amount_changed" });
  const tells = !checkout.customerNamed;
  const holder = checkout.groupKey === null ? null : groupHolder(account, checkout.groupKey);
  if (holder) {
    const yields = checkout.customerNamed && yieldsToCustomer(account, holder);
    throw new Refused({ refused: "already_subscribed", holder, yields }, tells);
  }
  const payable = checkout.trialDays !== null && isTrialUsed(account, checkout.groupKey) ? withoutTrial : checkout;
  if (!isAmount(payable)) throw new Refused({ refused: "amount_changed" }, tells);
  // The discount is reserved last, because all other buyers with this discount wait until this commit (rule X1).
  if (payable.discount && !reserveDiscount(account, payable.discount.id, payable.id))
    throw new Refused({ refused: "discount_exhausted" });
  return payable;
}
