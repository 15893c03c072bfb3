import type { CustomerBilling } from "../billing/customer-billing.ts";
import { cardNeed, type Checkout, dueToday, MAX_FAILED_ATTEMPTS } from "../model/checkout.ts";
import { recordEntered } from "../collection/new-card.ts";
import type { EnteredCard } from "../model/payment-outcome.ts";
import { recordCheckoutAttempt, type Submitted } from "./attempt.ts";
import { recordLocale, located, type BuyerSaid, type PurchaseSaid } from "./buyer.ts";
import { completeCheckout } from "./complete.ts";
import { Refused } from "./refusal.ts";
import { settledNow } from "./settlement.ts";
import { recordCheckout } from "./record.ts";
import { findProduct } from "../catalogue/find-product.ts";
import { answersTo, type FieldAnswer } from "../model/checkout-field.ts";
import { isAgreed } from "../model/agreement.ts";
import { reserveDiscount } from "../discount/reserve.ts";
import { groupHolder } from "../collection/group.ts";
import { isTrialUsed } from "../subscription/used-trial.ts";
import { yieldsToCustomer } from "./precedence.ts";

/**
 * Checks every rule that could refuse the payment, before the provider is called. After this check no rule may refuse
 * the purchase (rules C1, C3i, C3j, C3k). `checkout`: with the part that the balance settles now.
 */
function requirePayable(billing: CustomerBilling, checkout: Checkout, { agreed }: BuyerSaid): Checkout {
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = findProduct(billing, checkout.productId);
  if (!product || product.archived) throw new Refused({ refused: "product_archived" });
  const isAmount = (due: Checkout) => isAgreed({ amountDue: dueToday(due), quantity: due.quantity }, agreed);
  const withoutTrial = checkout.trialDays === null ? checkout : settledNow(billing, { ...checkout, trialDays: null });
  // An impossible amount is refused before any check of the Customer: the buyer may only have guessed the e-mail.
  if (!isAmount(checkout) && !isAmount(withoutTrial)) throw new Refused({ refused: "amount_changed" });
  const revealsCustomer = !checkout.customerNamed;
  const holder = checkout.groupKey === null ? null : groupHolder(billing, checkout.groupKey);
  if (holder) {
    const yields = checkout.customerNamed && yieldsToCustomer(billing, holder);
    throw new Refused({ refused: "already_subscribed", holder, yields }, revealsCustomer);
  }
  const payable = checkout.trialDays !== null && isTrialUsed(billing, checkout.groupKey) ? withoutTrial : checkout;
  if (!isAmount(payable)) throw new Refused({ refused: "amount_changed" }, revealsCustomer);
  // The discount is reserved last, because all other buyers with this discount wait until this commit (rule X1).
  if (payable.discount && !reserveDiscount(billing, payable.discount.id, payable.id))
    throw new Refused({ refused: "discount_exhausted" });
  return payable;
}

/**
 * Submits the payment of a Checkout that sells something new (rule C1). From now on, the Checkout reserves its part of
 * the balance (rule C7).
 * @throws Refused
 */
export function submitCheckout(
  billing: CustomerBilling,
  id: string,
  said: PurchaseSaid,
  card: EnteredCard | null,
): Submitted {
  const { now } = billing;
  billing.need({ part: "checkout", id });
  const open = billing.checkouts.get(id);
  if (!open || open.status !== "open" || open.expiresAt <= now) throw new Refused({ refused: "not_open" });
  const fieldAnswers = requireAnswers(open, said);
  recordLocale(billing, open, said);
  const placed = settledNow(billing, located(billing, open, said));
  requireCard(placed, card);
  const checkout = requirePayable(billing, placed, said);
  requireCard(checkout, card);
  const submitted = { customerId: billing.customer.id, submittedAt: now, dueAt: null, lastPaymentError: null };
  const processing: Checkout = { ...checkout, ...submitted, fieldAnswers, status: "processing" };
  // The balance or a discount may settle a one-time purchase in full. Then a card that was given is not kept.
  if (!card || cardNeed(checkout) === "none")
    return { checkout: completeCheckout(billing, processing, null), payment: null };
  const payWith = recordEntered(billing, card);
  const next = recordCheckout(billing, { ...processing, version: processing.version + 1, updatedAt: now }, null, now);
  return { checkout: next, payment: recordCheckoutAttempt(billing, next, payWith, null) };
}

/** The values of own fields, which are fixed with the submission (rule C14c). */
function requireAnswers({ fields }: Checkout, { fieldValues }: PurchaseSaid): FieldAnswer[] | null {
  const read = answersTo(fields, fieldValues);
  if ("faults" in read) throw new Refused({ refused: "fields_faulty", faults: read.faults });
  return read.answers;
}

function requireCard(checkout: Checkout, card: EnteredCard | null): void {
  const need = cardNeed(checkout);
  if (!card && (need === "charge" || need === "save")) throw new Refused({ refused: "card_missing" });
}
