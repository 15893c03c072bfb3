import type { Account } from "../account/account.ts";
import { recordCustomer } from "../account/record.ts";
import type { Instant } from "../calendar.ts";
import { checkoutTax, type Checkout } from "./checkout.ts";
import { billingOf } from "../invoice/issue.ts";
import type { Billing } from "../tax/tax.ts";
import { Refused } from "./refused.ts";

/**
 * The fields that a buyer sends with the payment. `billing`: where they are, where they were asked. `expectedAmount`: the amount that the
 * page showed as due today; another amount has to be shown first (rule C3j). `shownAt`: when the page reckoned it; null: just now.
 */
export type BuyerSaid = { billing: Billing | null; expectedAmount: number | null; shownAt: Instant | null };

/**
 * The Checkout with the place its buyer is at, and the tax of that (rules C3, X3). A named Customer whose place was not known is there
 * from now on; the place that a stranger typed counts for this purchase alone.
 */
export function located(account: Account, checkout: Checkout, said: BuyerSaid): Checkout {
  const { organization, customer } = account;
  const known = checkout.customerNamed && customer.billingAddress !== null;
  const billing = known ? null : (said.billing ?? checkout.billing);
  const tax = checkoutTax(organization, checkout.customerNamed ? billingOf(customer, billing) : billing, checkout);
  if (!tax) throw new Refused({ refused: "billing_missing" });
  if (!checkout.customerNamed || !billing) return { ...checkout, billing, tax };
  const moved = { ...customer, billingAddress: billing.address, taxId: billing.taxId ?? customer.taxId };
  recordCustomer(account, moved, "customer.updated", account.now);
  return { ...checkout, billing: null, tax };
}
