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
