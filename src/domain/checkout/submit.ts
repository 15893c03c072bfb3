import type { Account } from "../billing/customer-billing.ts";
import { cardNeed, type Checkout } from "../model/checkout.ts";
import { recordEntered } from "../collection/new-card.ts";
import type { EnteredCard } from "../model/payment-outcome.ts";
import { recordCheckoutAttempt, type Submitted } from "./attempt.ts";
import { recordLocale, located, type BuyerSaid } from "./buyer.ts";
import { completeCheckout } from "./complete.ts";
import { requirePayable } from "./payable.ts";
import { Refused } from "./refusal.ts";
import { settledNow } from "./settlement.ts";
import { recordCheckout } from "./record.ts";

/**
 * Submits the payment of a Checkout that sells something new (rule C1). From now on, the Checkout reserves its part of
 * the balance (rule C7).
 * @throws Refused
 */
export function submitCheckout(account: Account, id: string, said: BuyerSaid, card: EnteredCard | null): Submitted {
  const { now } = account;
  account.need({ part: "checkout", id });
  const open = account.checkouts.get(id);
  if (!open || open.status !== "open" || open.expiresAt <= now) throw new Refused({ refused: "not_open" });
  recordLocale(account, open, said);
  const placed = settledNow(account, located(account, open, said));
  requireCard(placed, card);
  const checkout = requirePayable(account, placed, said);
  requireCard(checkout, card);
  const submitted = { customerId: account.customer.id, submittedAt: now, dueAt: null, lastPaymentError: null };
  const processing: Checkout = { ...checkout, ...submitted, status: "processing" };
  // The balance or a discount may settle a one-time purchase in full. Then a card that was given is not kept.
  if (!card || cardNeed(checkout) === "none")
    return { checkout: completeCheckout(account, processing, null), payment: null };
  const payWith = recordEntered(account, card);
  const next = recordCheckout(account, { ...processing, version: processing.version + 1, updatedAt: now }, null, now);
  return { checkout: next, payment: recordCheckoutAttempt(account, next, payWith, null) };
}

function requireCard(checkout: Checkout, card: EnteredCard | null): void {
  const need = cardNeed(checkout);
  if (!card && (need === "charge" || need === "save")) throw new Refused({ refused: "card_missing" });
}
