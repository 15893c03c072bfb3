export interface CreateDiscountParams {
    /** Letters and digits of any script, _ and -. */
    code: string;
    type: "percentage" | "fixed";
    basisPoints?: number | null;
    /** Only of a fixed discount. In the currency's minor unit (cents for usd). */
    amount?: number | null;
    currency?: string | null;
    duration: "once" | "repeating" | "forever";
    months?: number | null;
    maxRedemptions?: number | null;
    startsAt?: string | null;
    endsAt?: string | null;
    productIds?: string[] | null;
}
export interface Discount {
    id: string;
    /** The code that buyers type. Case does not matter. */
    code: string;
    type: "percentage" | "fixed";
    /** Only of a percentage. 2500 is 25 %. */
    basisPoints: number | null;
    /** Only of a fixed discount. The amount off the price of each period, in the currency's minor unit. */
    amount: number | null;
    currency: string | null;
    duration: "once" | "repeating" | "forever";
    /** Only of a repeating discount. The number of months that it covers from its begin. The last period is discounted in proportion. */
    months: number | null;
    maxRedemptions: number | null;
    /** The number of purchases with the Discount. Purchases that are being paid count too. */
    redemptions: number;
    startsAt: string | null;
    endsAt: string | null;
    /** The Products that the Discount covers. Null: all Products. */
    productIds: string[] | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface UpdateDiscountParams {
    /** Letters and digits of any script, _ and -. */
    code?: string;
    maxRedemptions?: number | null;
    startsAt?: string | null;
    endsAt?: string | null;
}
export interface ListDiscountsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    /** Letters and digits of any script, _ and -. */
    code?: string;
}
