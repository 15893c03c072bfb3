import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import type { EventType } from "../../domain/event.ts";
import { presentCheckout } from "../../resources/checkout.ts";
import { checkouts } from "../../store/checkouts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { checkoutUrl } from "../links.ts";
import { record } from "../record.ts";

/** Records a Checkout without a `CustomerBilling`. `shown`: the Checkout as the event shows it. */
export function recordCheckout(
  { ctx, tx }: { ctx: Context; tx: Tx },
  checkout: Checkout,
  type: EventType | null,
  at: Instant,
  shown = (row: Checkout): Checkout => row,
): Promise<Checkout> {
  const toResource = (row: Checkout) =>
    presentCheckout(shown(row), { externalCustomerId: null, url: checkoutUrl(ctx, row), now: at });
  return record(tx, checkouts, checkout, type, at, toResource);
}
