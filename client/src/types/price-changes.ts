// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface RepricedSubscription {
  subscriptionId: string;
  customerId: string;
  status: "scheduled" | "applied" | "withdrawn" | "ended" | "left_out";
  /** Why the Subscription was left out, why the price was withdrawn, or why it ended. */
  reason: "imported" | "own_price" | "cancellation_scheduled" | "paused" | "change_pending" | "amount_not_chargeable" | "seller" | "changed" | "replaced" | "price_not_accepted" | "canceled" | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The number of units at the notice. */
  quantity: number;
  /** The price of a unit at the notice. */
  unitAmountBefore: number;
  /** The new price of a unit. */
  unitAmount: number;
  effectiveAt: string | null;
  consentedAt: string | null;
  /** The instant of the notice, or of the decision to leave it out. */
  noticedAt: string;
  /** The begin of the first period at the new price, the withdrawal, or the end. */
  settledAt: string | null;
}

export interface ListPriceChangeSubscriptionsParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  status?: "scheduled" | "applied" | "withdrawn" | "ended" | "left_out";
}
