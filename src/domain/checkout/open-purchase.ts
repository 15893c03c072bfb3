import { billingOf } from "../invoice/order.ts";
import type { ChargeLimits } from "../model/charge-limits.ts";
import { checkoutTax, isTaxable, type Checkout } from "../model/checkout.ts";
import type { Customer } from "../model/customer.ts";
import { isFreeForEver } from "../model/discount.ts";
import type { Organization } from "../model/organization.ts";
import type { Amount } from "../money.ts";
import type { Billing } from "../tax/tax.ts";
import { settledWith } from "./settlement.ts";

/** The figures of an open purchase depend on this data. `credit`: usable by the Checkout, in minor units (rule C7). */
export type PurchaseTerms = { organization: Organization; limits: ChargeLimits; credit: Amount };

/**
 * An open purchase with the tax of the buyer's place (rule X3), and with the part that the balance settles (rule C7).
 * `billing` null: the place is not known.
 */
export function purchaseAt<Some extends Checkout>(
  { organization, limits, credit }: PurchaseTerms,
  checkout: Some,
  billing: Billing | null,
): Some {
  const tax = checkoutTax(organization, billing, checkout, limits);
  return settledWith({ ...checkout, tax }, credit, limits);
}

/** The purchase of a buyer with an earlier trial (rule C4). */
export const purchaseWithoutTrial = <Some extends Checkout>({ limits, credit }: PurchaseTerms, checkout: Some): Some =>
  settledWith({ ...checkout, trialDays: null }, credit, limits);

/**
 * An open purchase as its buyer sees it, with the tax of the buyer's present place, even if the Checkout was made for
 * another place (rule C3f). `customer`: the one that the Checkout names. `located`: the Customer, if the Customer has
 * an address, which the page then shows (rule C3o). `asksBilling`: the page asks for billing data, because the place is
 * not known, and the sale is taxed or costs money at some time (rules C3g, C3m).
 */
export function purchaseOf<Some extends Checkout>(
  terms: PurchaseTerms,
  checkout: Some,
  customer: Customer | null,
): { checkout: Some; located: Customer | null; asksBilling: boolean } {
  const located = customer?.billingAddress ? customer : null;
  const billing = located ? billingOf(located, null) : checkout.billing;
  const isPaid = !isFreeForEver({ productId: checkout.productId, price: checkout.amount }, checkout.discount);
  const asksBilling = !located && (isTaxable(terms.organization, checkout) || isPaid);
  return { checkout: purchaseAt(terms, checkout, billing), located, asksBilling };
}
