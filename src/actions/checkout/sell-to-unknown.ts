import type { Context } from "../../context.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { draftCheckout, type Offer } from "../../domain/checkout/create.ts";
import { settledWith } from "../../domain/checkout/settlement.ts";
import { takesPayments } from "../../domain/model/organization.ts";
import type { Tx } from "../../store/driver/db.ts";
import type { OrganizationInTime } from "../../store/organizations.ts";
import type { CheckoutView } from "../views.ts";
import { limitsFor } from "../load-context.ts";
import { recordCheckout } from "./record-checkout.ts";

/**
 * Makes a Checkout for an unknown buyer. Without a Customer there is no Account, so the Checkout's row is written
 * directly.
 */
export async function sellToUnknown(
  ctx: Context,
  tx: Tx,
  { organization, now }: OrganizationInTime,
  offer: Offer,
): Promise<CheckoutView> {
  const limits = limitsFor(ctx, organization, offer.sale.price.currency);
  const drafted = draftCheckout({ organization, hasProvider: takesPayments(organization), limits, now }, offer, null);
  const shown = (row: Checkout) => settledWith(row, 0, limits);
  const checkout = await recordCheckout({ ctx, tx }, drafted, "checkout.created", now, shown);
  return { checkout: shown(checkout), externalCustomerId: null, now };
}
