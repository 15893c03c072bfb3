import type { Benefit } from "../domain/model/benefit.ts";
import type { Customer } from "../domain/model/customer.ts";
import type { Organization } from "../domain/model/organization.ts";
import type { Payment } from "../domain/model/payment.ts";
import type { ProviderAccount } from "../domain/model/payment-outcome.ts";
import type { Product } from "../domain/model/product.ts";
import { benefits } from "./benefits.ts";
import { readCheckout, type ReadCheckout } from "./checkouts.ts";
import { customers } from "./customers.ts";
import { hasDiscounts } from "./discounts.ts";
import { sql, type Read } from "./driver/db.ts";
import { organizations } from "./organizations.ts";
import { closedAccounts } from "./payment-pauses.ts";
import { liveAttempt } from "./payments.ts";
import { products } from "./products.ts";

/** The rows that the page of a Checkout shows. */
export type CheckoutPageRows = {
  checkout: ReadCheckout;
  organization: Organization;
  /** The provider accounts of the Organization that take no attempt of a buyer now. */
  closed: ProviderAccount[];
  product: Product;
  /** In the order of the Product. */
  benefits: Benefit[];
  customer: Customer | null;
  /** The unsettled attempt at this Checkout. */
  payment: Payment | null;
  /** Whether the Organization has a Discount that is neither deleted nor past its end. */
  hasDiscounts: boolean;
};

const ofCheckout = (columns: string, joins: string) =>
  `SELECT ${columns} FROM checkouts ch ${joins} WHERE ch.organization_id = $1 AND ch.id = $2`;
const PRODUCT = "JOIN products p ON p.organization_id = $1 AND p.id = ch.product_id";
const productStatement = sql("checkout_page.product", ofCheckout(products.columns("p"), PRODUCT));
const benefitsStatement = sql(
  "checkout_page.benefits",
  `${ofCheckout(
    benefits.columns("b"),
    `${PRODUCT}
     CROSS JOIN LATERAL unnest(p.benefit_ids) WITH ORDINALITY AS k (id, position)
     JOIN benefits b ON b.organization_id = $1 AND b.id = k.id AND b.deleted_at IS NULL`,
  )} ORDER BY k.position`,
);
const customerStatement = sql(
  "checkout_page.customer",
  ofCheckout(customers.columns("c"), "JOIN customers c ON c.organization_id = $1 AND c.id = ch.customer_id"),
);

/** Each statement finds its rows by the Checkout's id, so all statements travel in one trip; null: no such Checkout. */
export async function readCheckoutPage(db: Read, organizationId: string, id: string): Promise<CheckoutPageRows | null> {
  const key = [organizationId, id];
  const [checkout, organization, closed, product, sold, customer, payment, discounted] = await Promise.all([
    readCheckout(db, organizationId, id),
    organizations.find(db, organizationId),
    closedAccounts(db, organizationId),
    db.query<Product>(productStatement, key),
    db.query<Benefit>(benefitsStatement, key),
    db.query<Customer>(customerStatement, key),
    liveAttempt(db, organizationId, id),
    hasDiscounts(db, organizationId),
  ]);
  if (!checkout) return null;
  return {
    checkout,
    organization: organization!,
    closed,
    product: product[0]!,
    benefits: sold,
    customer: customer[0] ?? null,
    payment,
    hasDiscounts: discounted,
  };
}
