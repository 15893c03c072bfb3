import type { Change } from "../subscription/frozen-plan.ts";
import type { Invoice, InvoiceLine } from "../invoice/invoice.ts";
import type { Payment, PaymentRequest } from "../payment/payment.ts";
import type { Subscription } from "../subscription/subscription.ts";

/** The outcome of a request whose payment was settled later, by which the request's Idempotency-Key is answered from then on. */
export type Answered = PaymentRequest &
  (
    | { outcome: "changed"; subscription: Subscription }
    | { outcome: "change_refused"; change: Change; payment: Payment }
    | { outcome: "paid"; bill: { invoice: Invoice; lines: InvoiceLine[] } }
    | { outcome: "not_paid"; payment: Payment }
  );
