import type { Instant } from "../calendar.ts";
import { checkoutTax, type Checkout } from "./checkout.ts";
import type { Customer } from "../customer/customer.ts";
import type { HeldDiscount } from "../discount/discount.ts";
import { billingOf } from "../invoice/issue.ts";
import type { Organization } from "../organization/organization.ts";
import { openFields, type Wishes } from "./open.ts";
import type { Sale } from "./sale.ts";

/**
 * A Checkout that is not written yet: Product and price are fixed now (rule C3). `customer` null: the buyer says on the page who they are.
 * `usedTrial`: the Customer has used the trial of the Product's group (rule C2).
 */
export function newCheckout(
  organization: Organization,
  { product, price, discount, usedTrial }: Sale & { discount: HeldDiscount | null; usedTrial: boolean },
  wishes: Wishes,
  customer: Customer | null,
  now: Instant,
): Checkout {
  const sold = { productId: product.id, ...price, discount };
  return {
    ...openFields(organization, wishes, now),
    productId: product.id,
    customerId: customer?.id ?? null,
    customerNamed: customer !== null,
    subscriptionId: null,
    invoiceId: null,
    productName: product.name,
    groupKey: product.groupKey,
    ...price,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays: usedTrial ? null : product.trialDays,
    trialCard: product.trialCard,
    discount,
    billing: null,
    change: null,
    tax: checkoutTax(organization, customer && billingOf(customer, null), sold),
  };
}
