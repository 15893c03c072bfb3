import type { CustomerBilling } from "../billing/customer-billing.ts";
import { makeDefaultCard, recordMethod } from "../collection/new-card.ts";
import type { ProviderAccount } from "../model/payment-outcome.ts";
import type { PaymentMethod } from "../model/payment.ts";
import type { ForeignCard } from "./foreign.ts";

/**
 * The cards of a subscription of another system. `paying`: the next renewal is charged to it. `byDefault`: the
 * Customer's default; null: none that can be charged. `before`: the ref of the default card at the last reading.
 */
export type CardsThere = { paying: ForeignCard; byDefault: ForeignCard | null; before: string | null };

function cardRow(billing: CustomerBilling, at: ProviderAccount, card: ForeignCard): PaymentMethod {
  const { ref, fingerprint, type, brand, last4, expMonth, expYear } = card;
  const [known] = billing.cards.where(
    ({ providerRef, provider, providerAccount, dead }) =>
      !dead && providerRef === ref && provider === at.provider && providerAccount === at.providerAccount,
  );
  return known ?? recordMethod(billing, { ...at, ref, fingerprint, type, brand, last4, expMonth, expYear });
}

/**
 * Puts the cards on file, without an e-mail and without a request to the provider, which has them already. A default
 * card that the Customer gave here stays. Returns the Subscription's own card; null: the default card pays (rule C12f).
 */
export function importCards(
  billing: CustomerBilling,
  at: ProviderAccount,
  { paying, byDefault, before }: CardsThere,
): string | null {
  const { id } = cardRow(billing, at, paying);
  const { defaultPaymentMethodId } = billing.customer;
  const current = defaultPaymentMethodId === null ? null : billing.cards.get(defaultPaymentMethodId);
  if (!current || current.dead || current.providerRef === before) {
    const chosen = cardRow(billing, at, byDefault ?? paying).id;
    if (chosen !== defaultPaymentMethodId) makeDefaultCard(billing, chosen);
  }
  return id === billing.customer.defaultPaymentMethodId ? null : id;
}
