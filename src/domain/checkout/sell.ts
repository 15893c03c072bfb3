import type { CustomerBilling } from "../billing/customer-billing.ts";
import { limitsIn } from "../billing/limits.ts";
import { BALANCES, type Part } from "../billing/parts.ts";
import { partNaming } from "../catalogue/find-product.ts";
import { runDue } from "../collection/due.ts";
import { alreadySubscribed, groupHolder } from "../collection/group.ts";
import type { Checkout } from "../model/checkout.ts";
import { draftCheckout, type Offer } from "./create.ts";
import { recordCheckout } from "./record.ts";
import { yieldsToCustomer } from "./precedence.ts";

/**
 * The parts that a sale to a known Customer needs: the Product and the balances. Only credit needs the open items, too.
 */
export function partsOfSale(named: Parameters<typeof partNaming>[0]): Part[] {
  return [BALANCES, partNaming(named)];
}

/**
 * Opens a Checkout for a Customer, after all due work of the Customer is done (rules C3, C4, T3).
 * @throws Refusal 409, 422
 */
export function sellTo(billing: CustomerBilling, offer: Offer): Checkout {
  runDue(billing);
  const { groupKey } = offer.sale.product;
  const holder = groupKey === null ? null : groupHolder(billing, groupKey);
  if (holder && !yieldsToCustomer(billing, holder)) throw alreadySubscribed(holder);
  const { organization, now, loaded } = billing;
  const limits = limitsIn(billing, offer.sale.price.currency);
  const drafted = draftCheckout({ organization, hasProvider: loaded.hasProvider, limits, now }, offer, billing);
  return recordCheckout(billing, drafted, "checkout.created", now);
}
