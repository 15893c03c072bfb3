import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { challengedCard, isCardChallenged } from "../../domain/change/change-card.ts";
import { quoteCheckout, type CheckoutQuote } from "../../domain/change/quote.ts";
import { unhinderedCardOf } from "../../domain/payment/card.ts";
import type { PaymentMethod } from "../../domain/model/payment.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { Refusal } from "../../domain/refusal.ts";
import { challengedCards } from "../../store/payments.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/**
 * The change of a Checkout at this moment, for its page. `onFile`: the card on file that the page offers first, because
 * the buyer's bank asked about it (rule P1). `refusal`: the reason if the change is no longer possible.
 */
export type ChangeQuote = { quote: CheckoutQuote; onFile: PaymentMethod | null } | { refusal: Refusal };

async function readChallenged(
  { db }: Context,
  checkout: Checkout,
  card: PaymentMethod | null,
): Promise<PaymentMethod | null> {
  if (!card || !isCardChallenged(checkout)) return null;
  return challengedCard(card, { challenged: await challengedCards(db.read, checkout.organizationId, checkout.id) });
}

/** Recalculates the change of an open Checkout, by the decision that would make the change (rule P8). */
export async function quoteChange(ctx: Context, checkout: Checkout): Promise<ChangeQuote> {
  const { organizationId, subscriptionId } = checkout;
  const key = { by: "subscription", organizationId, id: subscriptionId! } as const;
  const decide = (billing: CustomerBilling) => {
    const subscription = subscriptionAtHand(billing, subscriptionId!);
    return { quote: quoteCheckout(billing, subscription, checkout), card: unhinderedCardOf(billing, subscription) };
  };
  const decided = await readCustomerBilling(ctx, key, decide, { deleted: true }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code !== "not_found") return { refusal: error };
    throw error;
  });
  if ("refusal" in decided) return decided;
  const { quote, card } = decided;
  return { quote, onFile: await readChallenged(ctx, quote.checkout, card) };
}
