import type { Benefit, BenefitGrant } from "../benefit/benefit.ts";
import type { Instant } from "../calendar.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Customer } from "../customer/customer.ts";
import type { Dispute } from "../dispute/dispute.ts";
import type { EventType } from "../event.ts";
import type { Invoice, InvoiceLine } from "../invoice/invoice.ts";
import type { Payment } from "../payment/payment.ts";
import type { GivenBack, Refund } from "../refund/refund.ts";
import type { Subscription } from "../subscription/subscription.ts";

/** A resource as it is when an event tells of it, with what it shows beyond its own row. */
export type ToldResource =
  | { kind: "customer"; row: Customer }
  | { kind: "checkout"; row: Checkout }
  | { kind: "subscription"; row: Subscription }
  /** `back`: all that was given back of it, where it was paid before. */
  | { kind: "invoice"; row: Invoice; lines: readonly InvoiceLine[]; back: GivenBack | undefined }
  | { kind: "payment"; row: Payment }
  | { kind: "refund"; row: Refund }
  | { kind: "dispute"; row: Dispute }
  | { kind: "grant"; row: BenefitGrant; benefit: Benefit; expiresAt: Instant | null };

/** One event of one resource; it is presented when it is kept. `sequence` counts the events of the resource: 1, 2, 3, … */
export type Told = {
  id: string;
  type: EventType;
  resource: ToldResource;
  sequence: number;
  /** Billing time of the change that is told. */
  at: Instant;
};
