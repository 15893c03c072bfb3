import type { Instant } from "../calendar.ts";

export type PaymentStatus = "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
/** The purpose of a payment, as callers see it. */
export type PaymentTrigger = "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";

/** The purposes of attempts to pay an open invoice; `sourceId` is the invoice. */
export type InvoicePurpose =
  /** The first attempt: at a renewal, or on the next open invoice after one was paid. */
  | "renewal"
  /** The first attempt at the invoice of a resume: the buyer has resumed in the portal, and is present (rule S8k). */
  | "resume"
  /** A scheduled retry (rule D3a). */
  | "retry"
  /** The buyer gave another card, but not on the invoice's page, and is not present to authenticate. */
  | "new_card"
  /** The buyer gives a card on the invoice's page, and is present to authenticate. */
  | "page"
  /** An operator asked for the attempt. */
  | "hand"
  /** The one attempt on a Subscription's last invoice (rule S4). */
  | "last_invoice";

/**
 * The purpose of a payment decides the effect of its outcome. `checkout` charges a Checkout, and `setup` saves the card
 * of a Checkout without a charge. Both serve Checkouts that sell something and Checkouts that change a Subscription. A
 * `setup` without a Checkout saves another card that the buyer gives in the portal. `change` charges the card on file
 * for a change (rule P1).
 */
export type Purpose = "checkout" | "setup" | "change" | InvoicePurpose;

const TRIGGERS: Record<Purpose, PaymentTrigger> = {
  checkout: "checkout",
  setup: "checkout",
  change: "product_change",
  renewal: "renewal",
  resume: "renewal",
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
 * The purpose of the next open invoice's charge, once an invoice is paid (rule D3j). After a retry the next charge is a
 * `renewal`, not a `retry`. The reason is a retry with a challenge that the buyer passed later: the challenge has used
 * up that retry, and the next retry is planned already. After a payment on a page the card is charged off-session.
 */
export function purposeOfNext(paid: Purpose): "renewal" | "new_card" | "hand" {
  if (paid === "page" || paid === "new_card") return "new_card";
  return paid === "hand" ? "hand" : "renewal";
}

/** The purposes that callers see as this trigger. */
export function purposesOf(trigger: PaymentTrigger): Purpose[] {
  return (Object.keys(TRIGGERS) as Purpose[]).filter((purpose) => TRIGGERS[purpose] === trigger);
}
export type CardSnapshot = { type: "card"; brand: string; last4: string; expMonth: number; expYear: number };

/** The fields of a card that a payment keeps. */
export function snapshotOf({ type, brand, last4, expMonth, expYear }: CardSnapshot): CardSnapshot {
  return { type, brand, last4, expMonth, expYear };
}

/** A card on file at a payment provider. */
export type PaymentMethod = CardSnapshot & {
  organizationId: string;
  id: string;
  customerId: string;
  provider: string;
  providerAccount: string;
  providerRef: string;
  /** The same for every payment method of one card; empty once its Customer is deleted. */
  fingerprint: string;
  /** The card is never charged again (rules D3e, D10). */
  dead: boolean;
  /** The instant of the event that reported the end of the card; null: there was no such event. */
  detachedAt: Instant | null;
  /** Real time just before the provider's answer that is kept here; null: the card is as the buyer gave it. */
  providerReadAt: Instant | null;
  /** Billing time at which the expiry is announced (rule D11); null: there is no announcement to make. */
  dueAt: Instant | null;
  simulated: boolean;
  /** Whether the expiry was announced. A new expiry is announced again. */
  expiryAnnounced: boolean;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The request for a manual attempt, if it has an Idempotency-Key. The settlement of the attempt keeps the answer. */
export type PaymentRequest = {
  requestId: string;
  idempotency: { organizationId: string; key: string; method: string; path: string };
};

/** One attempt to make a payment. */
export type Payment = {
  organizationId: string;
  id: string;
  /** The key of the attempt at the provider, unique in an Organization (rule D1). */
  providerKey: string;
  purpose: Purpose;
  status: PaymentStatus;
  customerId: string;
  /**
   * The Checkout, the change or the invoice that is to be paid (rule D1); the purpose tells which of the three. A card
   * of the portal is for none of them: the source is the attempt itself.
   */
  sourceId: string;
  /** The source, if it is a Checkout. */
  checkoutId: string | null;
  /** The source, if it is an invoice; else the invoice that the payment brought about. */
  invoiceId: string | null;
  subscriptionId: string | null;
  amount: number;
  currency: string;
  /** The provider and account of the attempt, also after the Organization has changed to another provider. */
  provider: string;
  providerAccount: string;
  /** Null until the success, if the buyer gives the card on the provider's page; then null without a card (rule C8). */
  paymentMethodId: string | null;
  method: CardSnapshot | null;
  actionUrl: string | null;
  /**
   * The reason of the failure. A pending payment with a reason will fail without a call to the provider (rule D6).
   */
  failureCode: string | null;
  /** The instant of the next call to the provider, in real time. */
  checkAt: Instant | null;
  checks: number;
  /** Whether the provider's last answer was that it processes the charge; only while the status is `unknown`. */
  processing: boolean;
  /** The attempt was given up: the provider is asked to cancel the attempt, and its answer settles the payment. */
  abandoned: boolean;
  request: PaymentRequest | null;
  settledAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Whether the payment takes money. A setup only saves a card, and callers do not see a setup as a payment. */
export function isCharge({ purpose }: Pick<Payment, "purpose">): boolean {
  return purpose !== "setup";
}

/** Whether the attempt saves a card that a buyer gives in the portal. */
export function isOfPortal({ purpose, checkoutId }: Pick<Payment, "purpose" | "checkoutId">): boolean {
  return purpose === "setup" && checkoutId === null;
}

/** Whether the payment is for an open invoice. The invoice of a Checkout or a change is made after the payment. */
export function isForInvoice({ purpose }: Pick<Payment, "purpose">): boolean {
  return purpose !== "checkout" && purpose !== "setup" && purpose !== "change";
}

/**
 * Whether the buyer of an unsettled or failed payment gives the card on the provider's page. Such a payment has no card
 * yet; a failed one never had a card.
 */
export function isHosted({ method }: Pick<Payment, "method">): boolean {
  return method === null;
}

/** The purposes of attempts during which the buyer is on a page. */
const IN_PRESENCE: readonly Purpose[] = ["checkout", "setup", "page", "resume"];

/** Whether the card is charged without the buyer: at no Checkout, not on the invoice's page, and at no resume. */
export const isOffSession = ({ purpose }: Pick<Payment, "purpose">): boolean => !IN_PRESENCE.includes(purpose);

/**
 * Whether a buyer or a caller waits for the outcome, so that a definite refusal ends the attempt (rule D9). The invoice
 * of a resume is owed in any case, so its attempt stays due.
 */
export function isAwaited({ purpose }: Pick<Payment, "purpose">): boolean {
  if (purpose === "resume") return false;
  return !isOffSession({ purpose }) || purpose === "change" || purpose === "hand";
}

type Given = Pick<PaymentMethod, "id" | "createdAt">;

/**
 * Whether a card was given after the other one, by billing time. Ids decide only between cards of the same instant:
 * several processes make ids, each by its own clock.
 */
export function isNewerCard(card: Given, other: Given): boolean {
  return card.createdAt === other.createdAt ? card.id > other.id : card.createdAt > other.createdAt;
}
