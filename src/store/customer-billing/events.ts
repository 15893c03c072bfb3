import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { RecordedEvent, RecordedResource } from "../../domain/billing/recorded-event.ts";
import type { Event } from "../../domain/event.ts";
import { BLANK_BUYER } from "../../domain/model/invoice.ts";
import { presentManagedBenefitGrant } from "../../resources/benefit-grant.ts";
import { presentCheckout } from "../../resources/checkout.ts";
import { presentCustomer } from "../../resources/customer.ts";
import { presentDispute } from "../../resources/dispute.ts";
import { presentInvoice } from "../../resources/invoice.ts";
import { presentPaymentMethod } from "../../resources/payment-method.ts";
import { presentPayment } from "../../resources/payment.ts";
import { presentRefund } from "../../resources/refund.ts";
import { presentSubscription } from "../../resources/subscription.ts";
import type { RowKey } from "./keys.ts";

/** The URLs that events show. The link of a download expires after a while of real time. */
export type Links = {
  invoiceUrl(invoice: RowKey): string;
  checkoutUrl(checkout: RowKey): string;
  downloadUrl(organizationId: string, grantId: string, file: number): string;
};

/** A resource as an event shows it. Personal data of a deleted Customer is left out. */
function present(
  { loaded: { customer } }: CustomerBilling,
  resource: RecordedResource,
  { at }: RecordedEvent,
  links: Links,
): object {
  const { externalId: externalCustomerId } = customer;
  switch (resource.kind) {
    case "customer":
      return presentCustomer(resource.row);
    case "checkout":
      return presentCheckout(resource.row, { externalCustomerId, url: links.checkoutUrl(resource.row), now: at });
    case "subscription":
      return presentSubscription(resource.row, externalCustomerId);
    case "invoice": {
      const blank = customer.deletedAt === null ? {} : { buyer: BLANK_BUYER, fieldAnswers: null };
      return presentInvoice(
        { ...resource.row, ...blank },
        resource.lines,
        links.invoiceUrl(resource.row),
        resource.back,
      );
    }
    case "payment":
      return presentPayment(resource.row);
    case "card":
      return presentPaymentMethod(resource.row, resource);
    case "refund":
      return presentRefund(resource.row);
    case "dispute":
      return presentDispute(resource.row);
    case "grant": {
      const { row, benefit, expiresAt } = resource;
      const downloadUrl = (file: number) => links.downloadUrl(row.organizationId, row.id, file);
      return presentManagedBenefitGrant(row, benefit, { externalCustomerId, expiresAt, downloadUrl });
    }
  }
}

type BillingEvent = { billing: CustomerBilling; event: RecordedEvent; position: number };

/**
 * The events of all Customers in the order of their instants, then of their ids. The events of one Customer stay in the
 * order of their decisions, even if their instants are in another order.
 */
function byInstants(accounts: readonly CustomerBilling[]): BillingEvent[] {
  const recorded = accounts.flatMap((billing) => {
    let position = 0;
    return billing.events.map((event) => {
      position = Math.max(position, event.at);
      return { billing, event, position };
    });
  });
  return recorded.sort((one, other) => one.position - other.position || (one.event.id < other.event.id ? -1 : 1));
}

/**
 * The events of all Customers, ordered by their ids. The ids from the decisions are assigned anew, in the order of
 * `byInstants`.
 */
export function eventsOf(accounts: readonly CustomerBilling[], links: Links): Event[] {
  const recorded = byInstants(accounts);
  const ids = recorded.map(({ event }) => event.id).sort();
  return recorded.map(({ billing, event }, n): Event => {
    const { type, resource, sequence, at: createdAt } = event;
    const { organizationId, id: resourceId } = resource.row;
    return {
      organizationId,
      id: ids[n]!,
      type,
      resourceId,
      sequence,
      data: present(billing, resource, event, links),
      createdAt,
    };
  });
}
