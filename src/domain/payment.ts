import type { Instant } from "./calendar.ts";

export type PaymentStatus = "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
export type PaymentTrigger = "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";
export type CardSnapshot = { type: "card"; brand: string; last4: string; expMonth: number; expYear: number };

/** A card on file at a payment provider. */
export type PaymentMethod = CardSnapshot & {
  organizationId: string;
  id: string;
  customerId: string;
  provider: string;
  providerRef: string;
  /** The same for every payment method that is the same card; empty once its Customer is deleted. */
  fingerprint: string;
  /** A hard decline: never charged again (rule D3). */
  dead: boolean;
  createdAt: Instant;
};

/** The request with an Idempotency-Key that a manual attempt answers: its answer is kept by whoever settles the attempt. */
export type PaymentRequest = {
  requestId: string;
  idempotency: { organizationId: string; key: string; method: string; path: string };
};

/** One attempt to have something paid. A `setup` saves a card without charging it. */
export type Payment = {
  organizationId: string;
  id: string;
  kind: "charge" | "setup";
  status: PaymentStatus;
  customerId: string;
  /** What is paid for: the Checkout, the change or the invoice (rule D1). */
  sourceId: string;
  checkoutId: string | null;
  changeId: string | null;
  invoiceId: string | null;
  subscriptionId: string | null;
  amount: number;
  currency: string;
  trigger: PaymentTrigger;
  paymentMethodId: string;
  method: CardSnapshot;
  actionUrl: string | null;
  /** Why it failed. Of one that is pending: why it is about to fail without a call to the provider (rule D6). */
  failureCode: string | null;
  /** Real time: when the provider is to be called or asked. */
  checkAt: Instant | null;
  checks: number;
  /** Nobody waits for the buyer any more: to be canceled at the provider, and settled by what that says. */
  abandoned: boolean;
  /** The buyer gave the card on the invoice's page, and is there to authenticate. */
  inPresence: boolean;
  request: PaymentRequest | null;
  settledAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Whether the buyer is not there when it is charged: it belongs to no Checkout and was not made on an invoice's page. */
export function isOffSession({ checkoutId, inPresence }: Pick<Payment, "checkoutId" | "inPresence">): boolean {
  return checkoutId === null && !inPresence;
}
