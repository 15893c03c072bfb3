import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Checkout } from "../../domain/checkout/checkout.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import type { EventType } from "../../domain/event.ts";
import { presentCheckout } from "../../resources/checkout.ts";
import { checkouts } from "../../store/checkouts.ts";
import type { Tx } from "../../store/db.ts";
import { checkoutUrl } from "../links.ts";
import { record } from "../record.ts";

export function recordCheckout(
  place: { ctx: Context; tx: Tx; customer: Customer | null },
  checkout: Checkout,
  type: EventType | null,
  at: Instant,
): Promise<Checkout> {
  const externalCustomerId = place.customer?.externalId ?? null;
  const present = (row: Checkout) =>
    presentCheckout(row, { externalCustomerId, url: checkoutUrl(place.ctx, row), now: at });
  return record(place.tx, checkouts, checkout, type, at, present);
}
