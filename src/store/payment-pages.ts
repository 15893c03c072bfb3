import type { Locale } from "../domain/locale.ts";
import { sql, type Queryable } from "./driver/db.ts";

/** The thing that a payment pays, as its buyer knows it. A payment of the portal saves a card and pays no thing. */
export type PaidThing = {
  productName: string | null;
  invoiceNumber: string | null;
  checkoutLocale: Locale | null;
  customerLocale: Locale | null;
};

const paidThingStatement = sql(
  "payments.paid_thing",
  `SELECT k.product_name AS "productName", i.number AS "invoiceNumber", k.locale AS "checkoutLocale",
     c.locale AS "customerLocale"
   FROM payments p
   JOIN customers c ON c.organization_id = p.organization_id AND c.id = p.customer_id
   LEFT JOIN checkouts k ON k.organization_id = p.organization_id AND k.id = p.checkout_id
   LEFT JOIN invoices i ON i.organization_id = p.organization_id AND i.id = p.source_id
   WHERE p.organization_id = $1 AND p.id = $2`,
);

export async function findPaidThing(db: Queryable, organizationId: string, id: string): Promise<PaidThing | null> {
  return (await db.query<PaidThing>(paidThingStatement, [organizationId, id]))[0] ?? null;
}
