import type { List, Page, ReadOptions } from "./calls.ts";
import type { Features } from "./catalogue.ts";
import { Manage } from "./manage.ts";
import type { ApiKey, CallOptions, TransportOptions } from "./transport.ts";
import type { BenefitGrant, ListBenefitGrantsParams } from "./types/benefit-grants.ts";
import type { Checkout, CreateCheckoutParams } from "./types/checkouts.ts";
import type { CreateCustomerParams, Customer } from "./types/customers.ts";
import type { Subscription, UpdateSubscriptionParams } from "./types/subscriptions.ts";
export { ApiError, AuthenticationError, BillowError, ConnectionError, PaymentError, ValidationError, } from "./errors.ts";
export type * from "./catalogue.ts";
export type * from "./types/api-keys.ts";
export type * from "./types/audit-log.ts";
export type * from "./types/benefit-grants.ts";
export type * from "./types/benefits.ts";
export type * from "./types/catalogue.ts";
export type * from "./types/checkouts.ts";
export type * from "./types/credit-notes.ts";
export type * from "./types/customers.ts";
export type * from "./types/discounts.ts";
export type * from "./types/disputes.ts";
export type * from "./types/emails.ts";
export type * from "./types/events.ts";
export type * from "./types/exports.ts";
export type * from "./types/invoices.ts";
export type * from "./types/metrics.ts";
export type * from "./types/organization.ts";
export type * from "./types/payment-links.ts";
export type * from "./types/payments.ts";
export type * from "./types/portal-sessions.ts";
export type * from "./types/price-changes.ts";
export type * from "./types/problems.ts";
export type * from "./types/products.ts";
export type * from "./types/provider-notices.ts";
export type * from "./types/refunds.ts";
export type * from "./types/reports.ts";
export type * from "./types/sandbox.ts";
export type * from "./types/subscriptions.ts";
export type * from "./types/webhook-endpoints.ts";
export type { ApiKey, CallOptions, List, Manage, Page, ReadOptions };
export interface BillowOptions extends TransportOptions {
    /**
     * A key with the scope `public`. A function is called before every attempt. The key may be missing in a build, which
     * loads an application without its variables, and if only `manage` is used.
     */
    apiKey?: ApiKey | undefined;
    /** Ends in `/public/v2`. */
    baseUrl: string;
    /** For `manage`: a key with the scope `manage`. Default: `apiKey`, which may do only a few calls of `manage`. */
    manageKey?: ApiKey | undefined;
    /** For `manage`. Ends in `/manage/v1`. Default: `baseUrl` with this end. */
    manageUrl?: string | undefined;
}
export type CustomerReference = {
    customerId: string;
} | {
    externalCustomerId: string;
};
export type BenefitGrantList = List<BenefitGrant>;
/**
 * The public API v2 and, as `manage`, the management API, for servers. Calls reject with a `BillowError`. A wrong
 * option is a `TypeError` here. A missing key or address is a `TypeError` of each call, because a build may load the
 * modules of an application without its variables.
 */
export declare class Billow {
    #private;
    /** Every operation of the management API. */
    readonly manage: Manage;
    constructor(options: BillowOptions);
    /** After a 401, the client sends again once it has a key that was not refused. */
    setApiKey(apiKey: ApiKey): void;
    readonly customers: {
        /** `customer_exists` (409) names the Customer that has this `externalId` or, without one, this e-mail. */
        create: (params: CreateCustomerParams, options?: CallOptions) => Promise<Customer>;
    };
    readonly checkouts: {
        create: (params: CreateCheckoutParams, options?: CallOptions) => Promise<Checkout>;
        get: (id: string, options?: ReadOptions) => Promise<Checkout>;
    };
    readonly subscriptions: {
        get: (id: string, options?: ReadOptions) => Promise<Subscription>;
        /** Rejects with `PaymentError` if the change must be paid at once and was not paid. */
        update: (id: string, params: UpdateSubscriptionParams, options?: CallOptions) => Promise<Subscription>;
    };
    readonly benefitGrants: {
        /** The Customer's active grants, newest first. */
        list: (params: CustomerReference & ListBenefitGrantsParams, options?: ReadOptions) => BenefitGrantList;
    };
    /** The Customer's active `feature` grants, merged into one value for each feature: `{ sso: true, seats: 50 }`. */
    features(customer: CustomerReference, options?: ReadOptions): Promise<Features>;
}
