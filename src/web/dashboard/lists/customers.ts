import { html } from "hono/html";
import type { Customer } from "../../../domain/model/customer.ts";
import { ListCustomersQuery } from "../../../resources/customer.ts";
import { listCustomers } from "../../../store/customers.ts";
import { csvTime, createdColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { customerLink } from "./customer-cell.ts";
import { defineList } from "./list.ts";

const text = (value: string | null) => (value === null ? "" : html`<bdi class="long">${value}</bdi>`);

const QUERY = ListCustomersQuery.extend(CREATED);

export const customerList = defineList<Customer, typeof QUERY>({
  section: "customers",
  prefix: "cus",
  schema: QUERY,
  filters: ["search", "firstDay", "lastDay"],
  words: {},
  read: async (ctx, organizationId, query) =>
    listCustomers(ctx.db.stale, organizationId, await withSpan(ctx, organizationId, query)),
  columns: [
    { label: "Customer", show: (customer, view) => customerLink(customer, view) },
    { label: "E-mail", show: ({ email }) => text(email) },
    { label: "Company", isWide: true, show: ({ companyName }) => text(companyName) },
    { label: "External id", isWide: true, show: ({ externalId }) => text(externalId) },
    createdColumn(),
  ],
  csv: {
    id: ({ id }) => id,
    external_id: ({ externalId }) => externalId,
    email: ({ email }) => email,
    name: ({ name }) => name,
    company: ({ companyName }) => companyName,
    country: ({ billingAddress }) => billingAddress?.country ?? null,
    tax_id: ({ taxId }) => taxId?.value ?? null,
    language: ({ locale }) => locale,
    created_at: ({ createdAt }) => csvTime(createdAt),
  },
  empty: "Each buyer will appear here, from the first Checkout on.",
  next: { path: "/docs/guides/quickstart-curl", label: "Make your first sale" },
  make: { path: "/customers/new", label: "New Customer", permission: "customers" },
});
