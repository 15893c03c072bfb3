import type { Features } from "./features.ts";
import type { ApiKey, BillowOptions, CallOptions } from "./transport.ts";
import type * as wire from "./types.ts";
export { ApiError, AuthenticationError, BillowError, ConnectionError, PaymentError, ValidationError, } from "./errors.ts";
export type { ApiKey, BillowOptions, CallOptions, Features };
export type * from "./types.ts";
export type CustomerReference = {
    customerId: string;
} | {
    externalCustomerId: string;
};
/** `await` the list for one page, or `for await` over the grants of all pages. */
export type BenefitGrantList = Promise<wire.ListBenefitGrantsPage> & AsyncIterable<wire.BenefitGrant>;
/** The public API v2, for servers. Calls reject with a `BillowError`. */
export declare class Billow {
    #private;
    constructor(options: BillowOptions);
    /** After a 401, the client sends again once it has a key that was not refused. */
    setApiKey(apiKey: ApiKey): void;
    readonly customers: {
        /** `customer_exists` (409) names the Customer that has this `externalId` or, without one, this e-mail. */
        create: (params: wire.CreateCustomerParams, options?: CallOptions) => Promise<wire.Customer>;
    };
    readonly checkouts: {
        create: (params: wire.CreateCheckoutParams, options?: CallOptions) => Promise<wire.Checkout>;
        get: (id: string, options?: CallOptions) => Promise<wire.Checkout>;
    };
    readonly subscriptions: {
        get: (id: string, options?: CallOptions) => Promise<wire.Subscription>;
        /** Rejects with `PaymentError` if the change must be paid at once and was not paid. */
        update: (id: string, params: wire.UpdateSubscriptionParams, options?: CallOptions) => Promise<wire.Subscription>;
    };
    readonly benefitGrants: {
        /** The Customer's active grants, newest first. */
        list: (params: CustomerReference & wire.ListBenefitGrantsParams, options?: CallOptions) => BenefitGrantList;
    };
    /** The Customer's active `feature` grants, merged into one value for each feature: `{ sso: true, seats: 50 }`. */
    features(customer: CustomerReference, options?: CallOptions): Promise<Features>;
}
