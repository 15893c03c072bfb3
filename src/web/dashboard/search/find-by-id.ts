import { allows, type Permission } from "../../../domain/team/role.ts";
import { isId, type IdPrefix } from "../../../ids.ts";
import { apiKeys } from "../../../store/api-keys.ts";
import { apiRequests } from "../../../store/api-requests.ts";
import { benefitGrants } from "../../../store/benefit-grants.ts";
import { checkouts } from "../../../store/checkouts.ts";
import { creditNotes } from "../../../store/credit-notes.ts";
import { customers } from "../../../store/customers.ts";
import type { Queryable } from "../../../store/driver/db.ts";
import { discounts } from "../../../store/discounts.ts";
import { disputes } from "../../../store/disputes.ts";
import { emails } from "../../../store/emails.ts";
import { events } from "../../../store/events.ts";
import { invoices } from "../../../store/invoices.ts";
import { paymentMethods } from "../../../store/payment-methods.ts";
import { paymentLinks } from "../../../store/payment-links.ts";
import { payments } from "../../../store/payments.ts";
import { priceChanges } from "../../../store/price-changes.ts";
import { products } from "../../../store/products.ts";
import { refunds } from "../../../store/refunds.ts";
import { subscriptions } from "../../../store/subscriptions.ts";
import { deliveries, endpoints } from "../../../store/webhooks.ts";
import { deliveryPath, endpointPath, eventPath, keyPath, requestPath } from "../developers/paths.ts";
import { creditNotePath, invoicePath } from "../invoice/paths.ts";
import { customerPath } from "../lists/customer-cell.ts";
import type { Hit, Look } from "./hit.ts";

/** Finds a row by its id, and gives its page below the Organization's dashboard `self`; null: there is no such row. */
type Finder = (db: Queryable, organizationId: string, id: string, self: string) => Promise<string | null>;
type Finding<Row> = { find(db: Queryable, ...key: string[]): Promise<Row | null> };

/** A row has its place on the page of its Customer. */
const ofCustomer =
  (table: Finding<{ customerId: string | null }>): Finder =>
  async (db, organizationId, id, self) => {
    const row = await table.find(db, organizationId, id);
    return row === null || row.customerId === null ? null : customerPath(self, row.customerId, id);
  };
const at =
  <Row>(table: Finding<Row>, pathOf: (row: Row, id: string) => string): Finder =>
  async (db, organizationId, id, self) => {
    const row = await table.find(db, organizationId, id);
    return row === null ? null : self + pathOf(row, id);
  };

/** Endpoints that have a page: they are not deleted, and no listener. */
const endpoint: Finder = async (db, organizationId, id, self) => {
  const found = await endpoints.find(db, organizationId, id);
  return found === null || found.deletedAt !== null || found.kind !== "http" ? null : endpointPath(self, id);
};
const delivery: Finder = async (db, organizationId, id, self) => {
  const found = await deliveries.find(db, organizationId, id);
  if (found === null || (await endpoint(db, organizationId, found.endpointId, self)) === null) return null;
  return deliveryPath(self, id);
};

/** `permission`: of the page; without one, the page needs `read`. */
type Entry = readonly [kind: string, find: Finder, permission?: Permission];
const FINDERS: Partial<Record<IdPrefix, Entry>> = {
  bgr: ["Grants", ofCustomer(benefitGrants)],
  chk: ["Checkouts", at(checkouts, (_, id) => `/checkouts/${id}`)],
  crn: ["Credit notes", at(creditNotes, (_, id) => creditNotePath("", id))],
  cus: ["Customers", at(customers, (_, id) => customerPath("", id))],
  dsc: ["Discounts", at(discounts, ({ code }) => `/discounts?${new URLSearchParams({ code })}`)],
  dsp: ["Disputes", ofCustomer(disputes)],
  eml: ["E-mails", ofCustomer(emails)],
  evt: ["Events", at(events, (_, id) => eventPath("", id)), "events"],
  inv: ["Invoices", at(invoices, (_, id) => invoicePath("", id))],
  key: ["API keys", at(apiKeys, (_, id) => keyPath("", id)), "keys"],
  pay: ["Payments", ofCustomer(payments)],
  pch: ["Price changes", at(priceChanges, (_, id) => `/price-changes/${id}`)],
  plk: ["Payment links", at(paymentLinks, (_, id) => `/payment-links/${id}`)],
  pm: ["Cards", ofCustomer(paymentMethods)],
  prd: [
    "Subscriptions of a Product",
    at(products, (_, id) => `/subscriptions?${new URLSearchParams({ productId: id })}`),
  ],
  req: ["Requests", at(apiRequests, (_, id) => requestPath("", id)), "events"],
  rfd: ["Refunds", ofCustomer(refunds)],
  sub: ["Subscriptions", ofCustomer(subscriptions)],
  whd: ["Deliveries", delivery, "webhooks"],
  whk: ["Webhook endpoints", endpoint, "webhooks"],
};

/** The resource with this id, if its kind has a page that the person may see. */
export async function findById({ ctx, organizationId, self, role, typed }: Look): Promise<Hit[]> {
  const found = Object.entries(FINDERS).find(([prefix]) => isId(prefix as IdPrefix, typed));
  if (found === undefined) return [];
  const [kind, finder, permission = "read"] = found[1];
  if (!allows(role, permission)) return [];
  const path = await finder(ctx.db.stale, organizationId, typed, self);
  return path === null ? [] : [{ kind, label: typed, text: "", path }];
}
