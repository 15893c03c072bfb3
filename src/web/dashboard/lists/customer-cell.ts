import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { customers } from "../../../store/customers.ts";
import type { Html } from "../../layout.ts";
import { NONE } from "../components/cells.ts";
import type { CsvValue } from "../../../csv.ts";
import type { Column, View } from "./list.ts";

/** `customer` null: the row has no Customer yet. */
export type OfCustomer = { customer: Customer | null };

/** The rows with their Customers. */
export async function withCustomers<Row extends { customerId: string | null }>(
  ctx: Context,
  organizationId: string,
  rows: readonly Row[],
): Promise<(Row & OfCustomer)[]> {
  const ids = new Set(rows.flatMap(({ customerId }) => (customerId === null ? [] : [customerId])));
  const found = await customers.findAll(ctx.db.stale, organizationId, [...ids]);
  return rows.map((row) => ({ ...row, customer: found.get(row.customerId ?? "") ?? null }));
}

/**
 * The page of a Customer. `part`: the id of a resource on the page. An older resource has its place on a page of its
 * list, to which `at` leads.
 */
export const customerPath = (self: string, customerId: string, part?: string): string =>
  `${self}/customers/${customerId}${part === undefined ? "" : `?at=${part}#${part}`}`;

/** The name of a Customer, or the address; a deleted Customer has neither. */
export const nameOf = ({ name, companyName, email, deletedAt }: Customer): string =>
  deletedAt === null ? (name ?? companyName ?? email) : "Deleted Customer";

/** A link to the page of a Customer. `part`: the id of the resource that the row is about. */
export function customerLink(customer: Customer | null, { self }: Pick<View, "self">, part?: string): Html {
  if (customer === null) return NONE;
  return html`<a href="${customerPath(self, customer.id, part)}"><bdi>${nameOf(customer)}</bdi></a>`;
}

/** The Customer of a row that leads to the row's place on the page of the Customer. */
export const customerColumn = <Row extends { id: string } & OfCustomer>(): Column<Row> => ({
  label: "Customer",
  show: ({ customer, id }, view) => customerLink(customer, view, id),
});

/** The columns of a CSV that name a row's Customer. */
export const CUSTOMER_CSV = {
  customer_id: ({ customer }: OfCustomer): CsvValue => customer?.id ?? null,
  customer_external_id: ({ customer }: OfCustomer): CsvValue => customer?.externalId ?? null,
  customer_email: ({ customer }: OfCustomer): CsvValue => customer?.email ?? null,
  customer_name: ({ customer }: OfCustomer): CsvValue => customer?.name ?? null,
  customer_company: ({ customer }: OfCustomer): CsvValue => customer?.companyName ?? null,
};
