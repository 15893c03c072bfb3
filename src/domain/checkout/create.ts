import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { requireDiscount } from "../model/discount-code.ts";
import type { Discount } from "../model/discount.ts";
import { billingOf } from "../invoice/order.ts";
import type { Organization } from "../model/organization.ts";
import type { ChargeLimits } from "../model/charge-limits.ts";
import { isTrialUsed } from "../subscription/used-trial.ts";
import { checkoutTax, type Checkout } from "../model/checkout.ts";
import { openFields, type CheckoutOptions } from "../model/open-checkout.ts";
import type { CheckoutField } from "../model/checkout-field.ts";
import type { Sale } from "../model/checkout-sale.ts";
import type { QuantityRange } from "../model/quantity.ts";
import { Refusal } from "../refusal.ts";

/**
 * A requested sale. `discount`: the Discount of the given code; null: there is no code, or the code is unknown.
 * `usesBalance`: whether the caller named the Customer by an id (rule C7).
 */
export type Offer = {
  sale: Sale;
  discount: Discount | null;
  options: CheckoutOptions & {
    discountCode: string | null;
    quantityChange: QuantityRange | null;
    fields: CheckoutField[] | null;
  };
  usesBalance: boolean;
};
/** `limits`: the amounts that can be charged in the currency of the sale. */
type Seller = { organization: Organization; hasProvider: boolean; limits: ChargeLimits; now: Instant };

/**
 * Drafts a Checkout with Product, quantity, price and own fields as of now (rules C3a, Q3, C14a). `billing` null: the
 * buyer types an e-mail on the page.
 * @throws Refusal 409 `payment_provider_missing`, 422 for a Discount that can't be used
 */
export function draftCheckout(
  { organization, hasProvider, limits, now }: Seller,
  offer: Offer,
  billing: CustomerBilling | null,
): Checkout {
  const { sale, options } = offer;
  const { product, quantity, price } = sale;
  const customer = billing?.customer ?? null;
  // A Customer may have used the trial of the Product's group already (rule C2).
  const trialDays = billing && isTrialUsed(billing, product.groupKey) ? null : product.trialDays;
  const { timeZone } = organization;
  const discount =
    options.discountCode === null ? null : requireDiscount(offer.discount, sale, { timeZone, now, limits });
  const sold = { productId: product.id, ...price, interval: product.interval, discount };
  const checkout: Checkout = {
    ...openFields(organization, options, now),
    productId: product.id,
    customerId: customer?.id ?? null,
    customerNamed: customer !== null,
    subscriptionId: null,
    invoiceId: null,
    productName: product.name,
    groupKey: product.groupKey,
    ...price,
    quantity,
    quantityChange: options.quantityChange,
    unitName: product.unitName,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays,
    trialCard: product.trialCard,
    discount,
    billing: null,
    change: null,
    usesBalance: offer.usesBalance,
    settlement: null,
    fields: options.fields,
    fieldAnswers: null,
    tax: checkoutTax(organization, customer && billingOf(customer, null), sold, limits),
  };
  if (checkout.amount > 0 && !hasProvider) throw new Refusal("payment_provider_missing");
  return checkout;
}
