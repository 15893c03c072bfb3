import type { CustomerBilling } from "../billing/customer-billing.ts";
import { limitsIn } from "../billing/limits.ts";
import { recordCustomer } from "../billing/record.ts";
import type { Agreed } from "../model/agreement.ts";
import { checkoutTax, type Checkout } from "../model/checkout.ts";
import type { Locale } from "../locale.ts";
import { billingOf } from "../invoice/order.ts";
import type { Billing } from "../tax/tax.ts";
import { Refused } from "./refusal.ts";

/**
 * The fields that a buyer sends with the payment. `billing`: the buyer's address and tax id, if the page asked for
 * them. `agreed`: the amount due today that the page showed, in minor units, and the quantity; null: there was no page.
 * A different amount or quantity is not sold before the page has shown it (rules C3, Q3). `locale`: the language that
 * the buyer reads; null: not known.
 */
export type BuyerSaid = {
  billing: Billing | null;
  agreed: Agreed<{ amountDue?: number; quantity?: number }> | null;
  locale: Locale | null;
};

/** `fieldValues`: the values of own fields by key, unchecked (rule C14c). */
export type PurchaseSaid = BuyerSaid & { fieldValues: Readonly<Record<string, unknown>> };

/** A named Customer without a language gets that of the page, in time for the first invoice (rule C3l). */
export function recordLocale(
  billing: Pick<CustomerBilling, "customer" | "events" | "now">,
  { customerNamed }: Checkout,
  { locale }: BuyerSaid,
): void {
  const { customer, now } = billing;
  if (!customerNamed || customer.locale !== null || locale === null) return;
  recordCustomer(billing, { ...customer, locale }, "customer.updated", now);
}

/**
 * The Checkout with the buyer's billing data and the resulting tax (rules C3h, X3). If a named Customer has no address,
 * the typed data becomes the Customer's. If the buyer only typed an e-mail, the typed data counts only for this
 * purchase.
 */
export function located(billing: CustomerBilling, checkout: Checkout, said: BuyerSaid): Checkout {
  const { organization, customer } = billing;
  const known = checkout.customerNamed && customer.billingAddress !== null;
  const details = known ? null : (said.billing ?? checkout.billing);
  const buyer = checkout.customerNamed ? billingOf(customer, details) : details;
  const tax = checkoutTax(organization, buyer, checkout, limitsIn(billing, checkout.currency));
  if (!tax) throw new Refused({ refused: "billing_missing" });
  if (!checkout.customerNamed || !details) return { ...checkout, billing: details, tax };
  const moved = {
    ...customer,
    billingAddress: details.address,
    taxId: details.taxId ?? customer.taxId,
    companyName: details.companyName ?? customer.companyName,
  };
  recordCustomer(billing, moved, "customer.updated", billing.now);
  return { ...checkout, billing: null, tax };
}
