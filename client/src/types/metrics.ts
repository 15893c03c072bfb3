// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface Metrics {
  /** ISO 4217, lower case. */
  currency: string;
  interval: "day" | "month";
  timeZone: string;
  /** False: some changes of Subscriptions are still being counted. Ask again in a moment. */
  complete: boolean;
  /** The oldest day or month first. */
  data: ({
    /** The day or month in the Organization's time zone: `2026-10-31` or `2026-10`. */
    name: string;
    /** RFC 3339 in UTC with milliseconds. */
    start: string;
    /** The first instant after the day or month. */
    end: string;
    /** The MRR at the end of the day or month. */
    mrr: number;
    /** The number of Subscriptions at the end, by status. */
    subscriptions: {
      trialing: number;
      active: number;
      pastDue: number;
      paused: number;
    };
    /** The sum of the quantities of these Subscriptions, by status. */
    units: {
      trialing: number;
      active: number;
      pastDue: number;
      paused: number;
    };
    /** The changes of the MRR, by kind. */
    movements: {
      new: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
      reactivation: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
      expansion: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
      contraction: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
      churn: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
      pause: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
      resumption: {
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        subscriptions: number;
      };
    };
    /** By the ledger. `sales` and `refunds` are with tax. `net` is sales less refunds and tax. */
    revenue: {
      /** In the currency's minor unit (cents for usd). */
      sales: number;
      /** In the currency's minor unit (cents for usd). */
      refunds: number;
      /** In the currency's minor unit (cents for usd). */
      tax: number;
      /** In the currency's minor unit (cents for usd). */
      net: number;
    };
    /** Payments of invoices of which an earlier charge had failed. */
    recovered: {
      /** In the currency's minor unit (cents for usd). */
      amount: number;
      payments: number;
    };
  })[];
}
