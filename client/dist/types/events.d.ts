import type { ManagedBenefitGrant } from "./benefit-grants.ts";
import type { Checkout } from "./checkouts.ts";
import type { Customer, PaymentMethod } from "./customers.ts";
import type { Dispute } from "./disputes.ts";
import type { Invoice, Refund } from "./invoices.ts";
import type { Payment } from "./payments.ts";
import type { Product } from "./products.ts";
import type { Subscription } from "./subscriptions.ts";
export interface PaymentAccount {
    id: string;
    provider: string;
    /** The account's id at the provider. */
    account: string;
    /** `live`: the account takes real money. */
    mode: "live" | "test";
    /** The environment variable with the key; null: the key is encrypted in the database. */
    keyVariable: string | null;
    /** `inbound`: the provider sends its notices. Billow polls the provider in both cases. */
    notices: "inbound" | "polled";
    /** RFC 3339 in UTC with milliseconds. */
    connectedAt: string;
    disconnectedAt: string | null;
}
export interface PaymentPause {
    id: string;
    provider: string;
    /** `disconnected`: no key of the account is stored. `key_invalid`, `permission_missing`, `account_restricted`: the provider's answer to the key. `copy`: this installation is a copy of another one, so its charges wait. */
    reason: "disconnected" | "key_invalid" | "permission_missing" | "account_restricted" | "copy";
    /** RFC 3339 in UTC with milliseconds. */
    since: string;
    /** Null while the payments are paused. */
    endedAt: string | null;
}
export interface WebhookEndpoint {
    id: string;
    url: string;
    description: string | null;
    /** The types of events that the endpoint gets. `*`: all types. */
    events: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
    status: "enabled" | "disabled";
    /** `gone`: the endpoint answered 410. `failing`: every attempt failed for five days. */
    disabledReason: "by_hand" | "gone" | "failing" | null;
    disabledAt: string | null;
    /** The begin of the time in which every attempt has failed. */
    failingSince: string | null;
    /** The end of a pause that the receiver asked for. No delivery is sent before this time. */
    pausedUntil: string | null;
    /** Until this time, the secret from before a rotation signs too. */
    previousSecretUntil: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export type Event = {
    id: string;
    type: "customer.created" | "customer.updated" | "customer.deleted";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Customer;
} | {
    id: string;
    type: "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Checkout;
} | {
    id: string;
    type: "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Subscription;
} | {
    id: string;
    type: "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Invoice;
} | {
    id: string;
    type: "payment.succeeded" | "payment.failed" | "payment.action_required";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Payment;
} | {
    id: string;
    type: "payment_method.expiring" | "payment_method.updated" | "payment_method.detached";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: PaymentMethod;
} | {
    id: string;
    type: "payment_account.connected" | "payment_account.disconnected";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: PaymentAccount;
} | {
    id: string;
    type: "payments.paused" | "payments.resumed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: PaymentPause;
} | {
    id: string;
    type: "refund.created" | "refund.failed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Refund;
} | {
    id: string;
    type: "dispute.created" | "dispute.updated" | "dispute.closed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Dispute;
} | {
    id: string;
    type: "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: ManagedBenefitGrant;
} | {
    id: string;
    type: "product.created" | "product.updated";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Product;
} | {
    id: string;
    type: "webhook_endpoint.disabled" | "webhook_endpoint.test";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: WebhookEndpoint;
};
/** The content of each event type in `data`. */
export interface WebhookEventData {
    "customer.created": Customer;
    "customer.updated": Customer;
    "customer.deleted": Customer;
    "checkout.created": Checkout;
    "checkout.completed": Checkout;
    "checkout.expired": Checkout;
    "checkout.payment_failed": Checkout;
    "subscription.created": Subscription;
    "subscription.trial_ending": Subscription;
    "subscription.renewal_upcoming": Subscription;
    "subscription.activated": Subscription;
    "subscription.renewed": Subscription;
    "subscription.updated": Subscription;
    "subscription.paused": Subscription;
    "subscription.resume_upcoming": Subscription;
    "subscription.resumed": Subscription;
    "subscription.price_change_scheduled": Subscription;
    "subscription.price_change_applied": Subscription;
    "subscription.price_change_withdrawn": Subscription;
    "subscription.cancellation_scheduled": Subscription;
    "subscription.cancellation_undone": Subscription;
    "subscription.past_due": Subscription;
    "subscription.recovered": Subscription;
    "subscription.canceled": Subscription;
    "invoice.created": Invoice;
    "invoice.paid": Invoice;
    "invoice.payment_failed": Invoice;
    "invoice.held": Invoice;
    "invoice.voided": Invoice;
    "invoice.refunded": Invoice;
    "payment.succeeded": Payment;
    "payment.failed": Payment;
    "payment.action_required": Payment;
    "payment_method.expiring": PaymentMethod;
    "payment_method.updated": PaymentMethod;
    "payment_method.detached": PaymentMethod;
    "payment_account.connected": PaymentAccount;
    "payment_account.disconnected": PaymentAccount;
    "payments.paused": PaymentPause;
    "payments.resumed": PaymentPause;
    "refund.created": Refund;
    "refund.failed": Refund;
    "dispute.created": Dispute;
    "dispute.updated": Dispute;
    "dispute.closed": Dispute;
    "benefit_grant.granted": ManagedBenefitGrant;
    "benefit_grant.updated": ManagedBenefitGrant;
    "benefit_grant.revoked": ManagedBenefitGrant;
    "product.created": Product;
    "product.updated": Product;
    "webhook_endpoint.disabled": WebhookEndpoint;
    "webhook_endpoint.test": WebhookEndpoint;
}
export interface ListEventsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    type?: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
    /** Only the events of this resource: the id of a Subscription, an Invoice, … */
    resourceId?: string;
    /** Only events with this `createdAt` or a later one, ordered by `createdAt`. */
    createdAfter?: string;
    /** Only events with an earlier `createdAt`, ordered by `createdAt`. */
    createdBefore?: string;
}
