import type { CheckoutStatus } from "../../../domain/model/checkout.ts";
import type { DisputeStatus } from "../../../domain/model/dispute.ts";
import type { EmailStatus } from "../../../domain/model/email.ts";
import type { InvoiceStatus } from "../../../domain/model/invoice.ts";
import type { PaymentStatus } from "../../../domain/model/payment.ts";
import type { PriceChangeStatus, RepricedSubscription } from "../../../domain/model/price-change.ts";
import type { RefundStatus } from "../../../domain/model/refund.ts";
import type { SubscriptionStatus } from "../../../domain/model/subscription.ts";
import type { DeliveryStatus } from "../../../domain/webhook/webhook.ts";
import type { Html } from "../../layout.ts";
import { badge, type Tone } from "./badge.ts";

type States<Status extends string> = Record<Status, readonly [tone: Tone, label: string]>;

const SUBSCRIPTION: States<SubscriptionStatus> = {
  trialing: ["busy", "Trialing"],
  active: ["good", "Active"],
  past_due: ["bad", "Past due"],
  paused: ["warn", "Paused"],
  canceled: ["quiet", "Canceled"],
};
const INVOICE: States<InvoiceStatus> = {
  open: ["warn", "Open"],
  paid: ["good", "Paid"],
  void: ["quiet", "Void"],
};
const PAYMENT: States<PaymentStatus> = {
  pending: ["busy", "Pending"],
  requires_action: ["warn", "Waits for the buyer"],
  succeeded: ["good", "Succeeded"],
  failed: ["bad", "Failed"],
  unknown: ["warn", "Outcome unknown"],
};
const REFUND: States<RefundStatus> = {
  pending: ["busy", "Pending"],
  succeeded: ["good", "Succeeded"],
  failed: ["bad", "Failed"],
  unknown: ["warn", "Outcome unknown"],
};
const DISPUTE: States<DisputeStatus> = {
  inquiry: ["warn", "Inquiry"],
  open: ["bad", "Open"],
  won: ["good", "Won"],
  lost: ["bad", "Lost"],
  closed: ["quiet", "Closed"],
};
const CHECKOUT: States<CheckoutStatus> = {
  open: ["busy", "Open"],
  processing: ["busy", "Being paid"],
  completed: ["good", "Completed"],
  expired: ["quiet", "Expired"],
};
const DELIVERY: States<DeliveryStatus> = {
  pending: ["busy", "Pending"],
  retrying: ["warn", "Retrying"],
  succeeded: ["good", "Succeeded"],
  failed: ["bad", "Failed"],
  skipped: ["quiet", "Skipped"],
};
const EMAIL: States<EmailStatus> = {
  queued: ["busy", "Queued"],
  sent: ["good", "Sent"],
  kept: ["quiet", "Kept, not sent"],
  skipped: ["quiet", "Skipped"],
  failed: ["bad", "Failed"],
};

const PRICE_CHANGE: States<PriceChangeStatus> = {
  running: ["busy", "Notices are given"],
  paused: ["warn", "Paused"],
  stopped: ["quiet", "Stopped"],
  completed: ["good", "All notices are given"],
  withdrawing: ["busy", "Being withdrawn"],
  withdrawn: ["quiet", "Withdrawn"],
};
const REPRICED: States<RepricedSubscription["status"]> = {
  scheduled: ["busy", "Scheduled"],
  applied: ["good", "Moved"],
  withdrawn: ["quiet", "Withdrawn"],
  ended: ["bad", "Ended"],
  left_out: ["quiet", "Left out"],
};

/** The tone and the label of each state, by the kind of resource. */
export const STATES = {
  subscription: SUBSCRIPTION,
  invoice: INVOICE,
  payment: PAYMENT,
  refund: REFUND,
  dispute: DISPUTE,
  checkout: CHECKOUT,
  delivery: DELIVERY,
  email: EMAIL,
  priceChange: PRICE_CHANGE,
  repriced: REPRICED,
} as const;
export type Kind = keyof typeof STATES;

export function statusBadge<K extends Kind>(kind: K, status: keyof (typeof STATES)[K] & string): Html {
  const [tone, label] = (STATES[kind] as States<string>)[status]!;
  return badge(tone, label);
}
