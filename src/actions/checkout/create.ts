import type { Context } from "../../context.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import type { Origin } from "../origin.ts";
import type { CheckoutView } from "../views.ts";
import { createChange } from "./create-change.ts";
import { sellToDescribed } from "./sell-to-described.ts";
import { sellToNamed } from "./sell-to-named.ts";

/**
 * `POST /checkouts`: fixes Product and price now (rule C3a), and resolves or makes the Customer in the same
 * transaction.
 */
export async function createCheckout(
  ctx: Context,
  origin: Origin<CheckoutView>,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  return origin.transaction(ctx, (tx) => wayOf(params)(ctx, tx, origin.organizationId, params));
}

/** A Checkout changes a Subscription, sells to a Customer that the body names, or sells to another buyer. */
function wayOf({ subscriptionId, customerId, externalCustomerId, customer }: CreateCheckoutParams): typeof sellToNamed {
  if (subscriptionId !== null) return createChange;
  return customer === null && (customerId ?? externalCustomerId) !== null ? sellToNamed : sellToDescribed;
}
