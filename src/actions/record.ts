import type { Context } from "../context.ts";
import type { BenefitGrant } from "../domain/benefit/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/checkout/checkout.ts";
import type { Customer } from "../domain/customer/customer.ts";
import { stamped, type EventType } from "../domain/event.ts";
import type { Product } from "../domain/catalogue/product.ts";
import type { WebhookEndpoint } from "../domain/webhook/webhook.ts";
import { newId } from "../ids.ts";
import { presentCheckout } from "../resources/checkout.ts";
import { presentCustomer } from "../resources/customer.ts";
import { presentProduct } from "../resources/product.ts";
import { presentWebhookEndpoint } from "../resources/webhook.ts";
import { benefitGrants } from "../store/benefit-grants.ts";
import { checkouts } from "../store/checkouts.ts";
import { customers } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import { events } from "../store/events.ts";
import { products } from "../store/products.ts";
import type { Table } from "../store/table.ts";
import { endpoints } from "../store/webhooks.ts";
import { checkoutUrl } from "./links.ts";

/** What every resource that tells of its changes has. */
type Eventful = { organizationId: string; id: string; version: number; eventSequence: number; updatedAt: Instant };

/**
 * Writes a changed row that no Account has and, in the same transaction, the event that shows the resource as it is then (see `stamped`).
 */
async function record<Row extends Eventful>(
  tx: Tx,
  table: Table<Row>,
  changed: Row,
  type: EventType | null,
  at: Instant,
  present: (row: Row) => object,
): Promise<Row> {
  const { row, toldAt } = stamped(changed, type, at);
  if (changed.version === 0) table.insert(tx, row);
  else table.update(tx, row);
  if (type) {
    const { organizationId, id: resourceId, eventSequence: sequence } = row;
    events.insert(tx, { organizationId, id: newId("evt"), type, resourceId, sequence, data: present(row), createdAt: toldAt });
  }
  return row;
}

export function recordCheckout(
  place: { ctx: Context; tx: Tx; customer: Customer | null },
  checkout: Checkout,
  type: EventType | null,
  at: Instant,
): Promise<Checkout> {
  const externalCustomerId = place.customer?.externalId ?? null;
  const present = (row: Checkout) => presentCheckout(row, { externalCustomerId, url: checkoutUrl(place.ctx, row), now: at });
  return record(place.tx, checkouts, checkout, type, at, present);
}

export function recordGrant(
  tx: Tx,
  grant: BenefitGrant,
  type: EventType,
  at: Instant,
  present: (grant: BenefitGrant) => object,
): Promise<BenefitGrant> {
  return record(tx, benefitGrants, grant, type, at, present);
}

/** A Customer's own fields; what only the engine uses (numbers, default card) is written without a new version. */
export function recordCustomer(tx: Tx, customer: Customer, type: EventType, at: Instant): Promise<Customer> {
  return record(tx, customers, customer, type, at, presentCustomer);
}

export function recordProduct(tx: Tx, product: Product, type: EventType, at: Instant): Promise<Product> {
  return record(tx, products, product, type, at, presentProduct);
}

export function recordEndpoint(tx: Tx, endpoint: WebhookEndpoint, type: EventType, at: Instant): Promise<WebhookEndpoint> {
  return record(tx, endpoints, endpoint, type, at, presentWebhookEndpoint);
}
