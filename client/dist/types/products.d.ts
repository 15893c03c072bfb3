import type { UnitName } from "./checkouts.ts";
export interface Product {
    id: string;
    key: string | null;
    name: string;
    description: string | null;
    /** A Customer has at most one live Subscription in a group. Null: the Product stands alone. */
    group: string | null;
    /** Null: the Product is sold once. */
    interval: "day" | "week" | "month" | "year" | null;
    intervalCount: number | null;
    trialDays: number | null;
    trialCard: "required" | "optional";
    /** The quantities in which the Product is sold. */
    quantity: {
        minimum: number;
        maximum: number;
    };
    /** Null: the unit has no name. */
    unitName: UnitName | null;
    prices: ({
        /** ISO 4217, lower case. */
        currency: string;
        /** In the currency's minor unit (cents for usd). */
        amount: number;
    })[];
    benefitIds: string[];
    archived: boolean;
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface CreateProductParams {
    key?: string | null;
    name: string;
    description?: string | null;
    /** The default of a recurring Product is `plans`. Null: the Product stands alone. */
    group?: string | null;
    interval?: "day" | "week" | "month" | "year" | null;
    /** The default of a recurring Product is 1. */
    intervalCount?: number | null;
    trialDays?: number | null;
    trialCard?: "required" | "optional";
    /** The quantities in which the Product is sold. Without this field, one unit is sold. */
    quantity?: {
        minimum?: number;
        /** Null: 100,000. */
        maximum?: number | null;
    };
    unitName?: UnitNameParams | null;
    /** The price of one unit, once for each currency. Each price × the smallest quantity that is sold is 0 or at least the minimum charge of the currency. */
    prices: ({
        /** ISO 4217. Upper case is accepted too. */
        currency: string;
        /** In the currency's minor unit: 1999 is 19.99 usd, or 1999 jpy. */
        amount: number;
    })[];
    benefitIds?: string[];
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
/** The noun of a unit, by the language of the page: `one` beside the number 1, `other` beside larger numbers. A language that is left out is shown in English, else in the first of de, fr, es and ja that is given. */
export interface UnitNameParams {
    en?: {
        one: string;
        other: string;
    };
    de?: {
        one: string;
        other: string;
    };
    fr?: {
        one: string;
        other: string;
    };
    es?: {
        one: string;
        other: string;
    };
    ja?: {
        one: string;
        other: string;
    };
}
export interface UpdateProductParams {
    name?: string;
    description?: string | null;
    /** Replaces all prices. Sold Subscriptions keep their price. */
    prices?: ({
        /** ISO 4217. Upper case is accepted too. */
        currency: string;
        /** In the currency's minor unit: 1999 is 19.99 usd, or 1999 jpy. */
        amount: number;
    })[];
    /** Replaces both limits, for new sales and for later changes. Sold quantities stay. */
    quantity?: {
        minimum?: number;
        /** Null: 100,000. */
        maximum?: number | null;
    };
    unitName?: UnitNameParams | null;
    /** Replaces the list. Present Customers gain and lose Benefits accordingly. */
    benefitIds?: string[];
    archived?: boolean;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
export interface CreatePriceChangeParams {
    /** Only Subscriptions in these currencies. The default is each currency of the Product. */
    currencies?: string[];
    only?: {
        /** Only Subscriptions that began before. */
        subscribedBefore?: string;
        /** Only Subscriptions with a smaller price of a unit, in the currency's minor unit. Name one currency, too. */
        priceBelow?: number;
    };
    /** The price of a Subscription moves with its first period that begins so many days after its own notice, or later. */
    noticeDays?: number;
    /** `notice`: the notice is enough. `required`: a Subscription ends at that boundary unless its Customer agrees in the portal before. */
    consent: "notice" | "required";
}
export interface PriceChange {
    id: string;
    productId: string;
    /** `running`: notice is being given. `completed`: each Subscription has its notice. `withdrawing`: the prices that wait are being taken back. A price that waits also moves after `paused`, `stopped` and `completed`. */
    status: "running" | "paused" | "stopped" | "completed" | "withdrawing" | "withdrawn";
    /** The prices of a unit, as the catalogue had them at the request. */
    prices: ({
        /** ISO 4217, lower case. */
        currency: string;
        /** In the currency's minor unit (cents for usd). */
        amount: number;
    })[];
    only: {
        subscribedBefore: string | null;
        priceBelow: number | null;
    };
    noticeDays: number;
    consent: "notice" | "required";
    progress: {
        /** The Subscriptions with another price when the request came. */
        found: number;
        /** The Subscriptions that wait for their new price. */
        scheduled: number;
        /** The Subscriptions that have begun a period at the new price. */
        applied: number;
        /** The new price was taken back before its first period. */
        withdrawn: number;
        /** The Subscriptions that ended for want of consent. */
        endedWithoutConsent: number;
        /** The Subscriptions that ended for another reason. */
        ended: number;
        leftOut: ({
            /** `own_price`: a request without a Checkout set the price. `cancellation_scheduled`: the end is planned. `paused`: a pause is scheduled or has begun. `change_pending`: a change of the Product or the quantity is scheduled or is being paid. `imported`: another system still bills the Subscription. `amount_not_chargeable`: the new total is below the minimum charge, or too large. */
            reason: "imported" | "own_price" | "cancellation_scheduled" | "paused" | "change_pending" | "amount_not_chargeable";
            /** A number of Subscriptions. */
            subscriptions: number;
        })[];
    };
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface PriceChangePreview {
    /** The prices of a unit, as the catalogue had them at the request. */
    prices: ({
        /** ISO 4217, lower case. */
        currency: string;
        /** In the currency's minor unit (cents for usd). */
        amount: number;
    })[];
    /** The Subscriptions that would move. */
    currencies: ({
        /** ISO 4217, lower case. */
        currency: string;
        /** The new price of a unit. */
        unitAmount: number;
        /** A number of Subscriptions. */
        subscriptions: number;
        /** The MRR of these Subscriptions now. */
        mrrBefore: number;
        /** Their MRR at the new price, with the present discounts. */
        mrrAfter: number;
    })[];
    leftOut: ({
        /** `own_price`: a request without a Checkout set the price. `cancellation_scheduled`: the end is planned. `paused`: a pause is scheduled or has begun. `change_pending`: a change of the Product or the quantity is scheduled or is being paid. `imported`: another system still bills the Subscription. `amount_not_chargeable`: the new total is below the minimum charge, or too large. */
        reason: "imported" | "own_price" | "cancellation_scheduled" | "paused" | "change_pending" | "amount_not_chargeable";
        /** A number of Subscriptions. */
        subscriptions: number;
        examples: string[];
    })[];
    /** Ten Subscriptions that would move. */
    examples: ({
        subscriptionId: string;
        customerId: string;
        /** ISO 4217, lower case. */
        currency: string;
        /** The number of units, from 1 to 100,000. */
        quantity: number;
        /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
        unitAmountBefore: number;
        /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
        unitAmount: number;
        /** In the currency's minor unit (cents for usd). */
        amountBefore: number;
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        /** RFC 3339 in UTC with milliseconds. */
        effectiveAt: string;
    })[];
}
export interface ProductPrices {
    data: ({
        /** ISO 4217, lower case. */
        currency: string;
        /** The price of a unit. */
        amount: number;
        /** Null: the catalogue had this price at no time, or for no time. */
        from: string | null;
        /** Null: the price is in the catalogue, or never was. */
        until: string | null;
        /** The live Subscriptions that pay this price now. */
        subscriptions: number;
    })[];
}
export interface ListProductsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    key?: string;
    archived?: boolean;
    benefitId?: string;
    /** A part of the name. */
    search?: string;
}
export interface ListPriceChangesParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
}
