import type { Instant } from "../calendar.ts";

export type PaymentStatus = "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
/** The purpose of a payment as callers are told it. */
export type PaymentTrigger = "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";

/** The purposes of attempts to have an open invoice paid; `sourceId` is the invoice. */
export type InvoicePurpose =
  /** The first attempt: of a renewal, or of the next open invoice after one was paid. */
  | "renewal"
  /** An attempt of the schedule (rule D3a). */
  | "retry"
  /** The buyer gave another card elsewhere than on the invoice's page, and is not there. */
  | "new_card"
  /** The buyer gives a card on the invoice's page, and is there to authenticate. */
  | "page"
  /** An operator asked for it. */
  | "hand"
  /** The one attempt on the invoice that is made when a Subscription ends (rule S4). */
  | "last_invoice";

/**
 * Why a payment was recorded. The purpose decides the effect of the outcome. `checkout` charges a Checkout, and `setup` saves the card of a
 * Checkout without a charge. Both serve Checkouts that sell something and Checkouts that change a Subscription. `change` charges the card
 * on file for a change (rule P1).
 */
export type Purpose = "checkout" | "setup" | "change" | InvoicePurpose;

const TRIGGERS: Record<Purpose, PaymentTrigger> = {
  checkout: "checkout",
  setup: "checkout",
  change: "product_change",
  renewal: "renewal",
  retry: "retry",
  new_card: "new_card",
  page: "new_card",
  hand: "manual",
  last_invoice: "product_change",
};

export function triggerOf({ purpose }: Pick<Payment, "purpose">): PaymentTrigger {
  return TRIGGERS[purpose];
}

/**
 * The purpose of the charge of the next open invoice, once one is paid (rule D3j). After a retry the charge is no retry: where the buyer
 * finished the retry at the bank later, the challenge was counted already and the next retry is planned. After a page the card is charged
 * off-session.
 */
export function purposeOfNext(paid: Purpose): "renewal" | "new_card" | "hand" {
  if (paid === "page" || paid === "new_card") return "new_card";
  return paid === "hand" ? "hand" : "renewal";
}

/** The purposes that callers are told as this trigger. */
export function purposesOf(trigger: PaymentTrigger): Purpose[] {
  return (Object.keys(TRIGGERS) as Purpose[]).filter((purpose) => TRIGGERS[purpose] === trigger);
}
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
  /** A hard decline: never charged again (rule D3e). */
  dead: boolean;
  createdAt: Instant;
};

/** The request with an Idempotency-Key that a manual attempt answers: its answer is kept by whoever settles the attempt. */
export type PaymentRequest = {
  requestId: string;
  idempotency: { organizationId: string; key: string; method: string; path: string };
};

/** One attempt to have something paid. */
export type Payment = {
  organizationId: string;
  id: string;
  purpose: Purpose;
  status: PaymentStatus;
  customerId: string;
  /** The Checkout, the change or the invoice that is to be paid (rule D1); the purpose tells which of the three. */
  sourceId: string;
  /** The source where it is a Checkout. */
  checkoutId: string | null;
  /** The source where it is an invoice; else the invoice that the payment brought about. */
  invoiceId: string | null;
  subscriptionId: string | null;
  amount: number;
  currency: string;
  paymentMethodId: string;
  method: CardSnapshot;
  actionUrl: string | null;
  /** Why it failed. Of one that is pending: why it is about to fail without a call to the provider (rule D6). */
  failureCode: string | null;
  /** Real time: when the provider is to be called or asked. */
  checkAt: Instant | null;
  checks: number;
  /** The challenge was given up: the provider is asked to cancel the attempt, and its answer settles the payment. */
  abandoned: boolean;
  request: PaymentRequest | null;
  settledAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Whether money is to be taken. A setup only saves a card, and callers see no payment. */
export function isCharge({ purpose }: Pick<Payment, "purpose">): boolean {
  return purpose !== "setup";
}

/** Whether the payment is for an open invoice. The invoice of a Checkout or a change is made after the payment. */
export function isForInvoice({ purpose }: Pick<Payment, "purpose">): boolean {
  return purpose !== "checkout" && purpose !== "setup" && purpose !== "change";
}

/** Whether the buyer is not there when it is charged: the card was given neither at a Checkout nor on the invoice's page. */
export function isOffSession({ purpose }: Pick<Payment, "purpose">): boolean {
  return purpose !== "checkout" && purpose !== "setup" && purpose !== "page";
}

type Given = Pick<PaymentMethod, "id" | "createdAt">;

/**
 * Whether a card was given after the other one, by billing time. Ids decide between cards of one instant only: several processes make
 * them, each by its own clock.
 */
export function isNewerCard(card: Given, other: Given): boolean {
  return card.createdAt === other.createdAt ? card.id > other.id : card.createdAt > other.createdAt;
}
