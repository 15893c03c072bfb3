import type { CustomerBilling } from "../billing/customer-billing.ts";
import { record } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import type { Checkout } from "../model/checkout.ts";
import { shownNow } from "./settlement.ts";

/** Records a changed Checkout. The event shows an open Checkout with the part that the balance would settle now. */
export function recordCheckout(billing: CustomerBilling, row: Checkout, type: EventType | null, at: Instant): Checkout {
  const next = record(billing, row, type, at, (written) => ({ kind: "checkout", row: shownNow(billing, written) }));
  if (row.version === 0) billing.checkouts.add(next);
  else billing.checkouts.put(next);
  return next;
}
