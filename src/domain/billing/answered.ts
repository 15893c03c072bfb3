import type { Change } from "../model/frozen-plan.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import type { Payment, PaymentRequest } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * The outcome of a request that had to wait for its payment. Once the payment is settled, this outcome answers the
 * request's Idempotency-Key.
 */
export type Answered = PaymentRequest &
  (
    | { outcome: "changed"; subscription: Subscription }
    | { outcome: "change_refused"; change: Change; payment: Payment }
    | { outcome: "paid"; bill: { invoice: Invoice; lines: InvoiceLine[] } }
    | { outcome: "not_paid"; payment: Payment }
  );
