// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface Dispute {
  id: string;
  paymentId: string;
  invoiceId: string | null;
  subscriptionId: string | null;
  customerId: string;
  /** `inquiry`: the bank only asks. `open`: the bank has taken the money until it decides. `won`: the bank gave the money back. `closed`: an inquiry ended, and no money has moved. */
  status: "inquiry" | "open" | "won" | "lost" | "closed";
  /** The reason that the buyer gave to their bank. */
  reason: "fraudulent" | "duplicate" | "not_received" | "not_as_described" | "subscription_canceled" | "refund_not_received" | "unrecognized" | "other";
  /** The amount that the bank took, or asks about: at most the part of the payment that was not refunded to the card. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** The seller may send evidence until this instant. */
  evidenceDueAt: string | null;
  /** The payment provider's fee for the dispute. */
  fee: number | null;
  feeCurrency: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  closedAt: string | null;
}

export interface ListDisputesParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  customerId?: string;
  externalCustomerId?: string;
  subscriptionId?: string;
  invoiceId?: string;
  paymentId?: string;
  status?: "inquiry" | "open" | "won" | "lost" | "closed";
}
