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
    /** One price for each currency. Each price is 0 or at least the minimum charge of its currency. */
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
