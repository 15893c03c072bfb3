export interface ListRefundsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    externalCustomerId?: string;
    subscriptionId?: string;
    invoiceId?: string;
    paymentId?: string;
    status?: "pending" | "succeeded" | "failed" | "unknown";
    to?: "card" | "balance";
    purpose?: "invoice" | "balance";
}
