import type { Account } from "../billing/customer-billing.ts";
import { record } from "../billing/record-event.ts";
import type { Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import type { Checkout } from "../model/checkout.ts";
import { shownNow } from "./settlement.ts";

/** Records a changed Checkout. The event shows an open Checkout with the part that the balance would settle now. */
export function recordCheckout(account: Account, row: Checkout, type: EventType | null, at: Instant): Checkout {
  const next = record(account, row, type, at, (written) => ({ kind: "checkout", row: shownNow(account, written) }));
  if (row.version === 0) account.checkouts.add(next);
  else account.checkouts.put(next);
  return next;
}
