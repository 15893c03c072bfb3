import type { Customer } from "../domain/model/customer.ts";
import { customers } from "./customers.ts";
import { sql, type Queryable } from "./driver/db.ts";

/** Each text of a Customer that has an index of its beginnings, and the column that the index leaves out if null. */
const NAMES = {
  name: ["lower(name)", "name"],
  surname: [String.raw`lower(substring(name FROM '\S+$'))`, "name"],
  company: ["lower(company_name)", "company_name"],
} as const;

// The bounds are compared byte by byte. No text begins with the prefix and is as great as the second bound.
const namedStatements = Object.entries(NAMES).map(([name, [text, column]]) =>
  sql(
    `search.customers_by_${name}`,
    `SELECT ${customers.columns()} FROM customers
     WHERE organization_id = $1 AND deleted_at IS NULL AND ${column} IS NOT NULL
       AND ${text} COLLATE "C" >= lower($2) COLLATE "C" AND ${text} COLLATE "C" < lower($3) COLLATE "C"
     ORDER BY ${text} COLLATE "C", id LIMIT $4`,
  ),
);
const GREATEST_CHARACTER = "\u{10FFFF}";

/**
 * Customers whose name, last word of the name, or company begins with this text, in any case. The order is that of the
 * alphabet in each of the three. `limit`: the most of all three.
 */
export async function customersNamed(
  db: Queryable,
  organizationId: string,
  text: string,
  limit: number,
): Promise<Customer[]> {
  const values = [organizationId, text, text + GREATEST_CHARACTER, limit];
  const found = await Promise.all(namedStatements.map((statement) => db.query<Customer>(statement, values)));
  return [...new Map(found.flat().map((customer) => [customer.id, customer])).values()].slice(0, limit);
}

/** A card and its Customer. A card that was replaced is found too, since old charges name it. */
export type CardOfCustomer = { customerId: string; email: string; name: string | null; brand: string; last4: string };

const byCardStatement = sql(
  "search.customers_by_card",
  `SELECT m.customer_id AS "customerId", c.email, c.name, m.brand, m.last4 FROM payment_methods m
   JOIN customers c ON (c.organization_id, c.id) = (m.organization_id, m.customer_id)
   WHERE m.organization_id = $1 AND m.last4 = $2 AND c.deleted_at IS NULL ORDER BY m.id DESC LIMIT $3`,
);

/** The newest cards with these last four digits. A Customer with several such cards comes several times. */
export function customersByCard(
  db: Queryable,
  organizationId: string,
  last4: string,
  limit: number,
): Promise<CardOfCustomer[]> {
  return db.query<CardOfCustomer>(byCardStatement, [organizationId, last4, limit]);
}
