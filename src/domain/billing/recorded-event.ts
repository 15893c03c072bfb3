import type { Benefit, BenefitGrant } from "../model/benefit.ts";
import type { Instant } from "../calendar.ts";
import type { Checkout } from "../model/checkout.ts";
import type { Customer } from "../model/customer.ts";
import type { Dispute } from "../model/dispute.ts";
import type { EventType } from "../event.ts";
import type { Back } from "../model/invoice-returns.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import type { Payment, PaymentMethod } from "../model/payment.ts";
import type { Refund } from "../model/refund.ts";
import type { Subscription } from "../model/subscription.ts";

/** A resource at the time of its event, with the data that the event shows beyond the resource's own row. */
export type RecordedResource =
  | { kind: "customer"; row: Customer }
  | { kind: "checkout"; row: Checkout }
  | { kind: "subscription"; row: Subscription }
  /** `back`: refunds, disputes and credits of an invoice that was paid earlier. */
  | { kind: "invoice"; row: Invoice; lines: readonly InvoiceLine[]; back: Back | undefined }
  | { kind: "payment"; row: Payment }
  | { kind: "card"; row: PaymentMethod; isDefault: boolean; isDisputed: boolean }
  | { kind: "refund"; row: Refund }
  | { kind: "dispute"; row: Dispute }
  | { kind: "grant"; row: BenefitGrant; benefit: Benefit; expiresAt: Instant | null };

/**
 * One event of one resource. The event's body is made when the event is written. `sequence` counts the resource's
 * events: 1, 2, 3, …
 */
export type RecordedEvent = {
  id: string;
  type: EventType;
  resource: RecordedResource;
  sequence: number;
  /** Billing time of the change. */
  at: Instant;
};
