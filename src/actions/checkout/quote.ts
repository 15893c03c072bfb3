import type { Context } from "../../context.ts";
import type { Account } from "../../domain/billing/customer-billing.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { quoteCheckout, type CheckoutQuote } from "../../domain/change/quote.ts";
import { unhinderedCardOf } from "../../domain/payment/card.ts";
import type { PaymentMethod } from "../../domain/model/payment.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { AppError } from "../../errors.ts";
import { readAccount } from "../customer-billing.ts";

/**
 * The change of a Checkout at this moment, for its page. `card`: the card on file that may be charged; null: there is
 * none. `refusal`: the reason if the change is no longer possible.
 */
export type ChangeQuote = (CheckoutQuote & { card: PaymentMethod | null }) | { refusal: AppError };

/** Recalculates the change of an open Checkout, by the decision that would make the change (rule P8). */
export async function quoteChange(ctx: Context, checkout: Checkout): Promise<ChangeQuote> {
  const { organizationId, subscriptionId } = checkout;
  const key = { by: "subscription", organizationId, id: subscriptionId! } as const;
  const decide = (account: Account) => {
    const subscription = subscriptionAtHand(account, subscriptionId!);
    return { ...quoteCheckout(account, subscription, checkout), card: unhinderedCardOf(account, subscription) };
  };
  return readAccount(ctx, key, decide, { deleted: true }).catch((error: unknown) => {
    if (error instanceof AppError && (error.status === 409 || error.status === 422)) return { refusal: error };
    throw error;
  });
}
