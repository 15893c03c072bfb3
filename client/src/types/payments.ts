// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface Payment {
  id: string;
  invoiceId: string | null;
  checkoutId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  /** `unknown`: the provider has no outcome yet, or could not be asked. Billow asks until it has one. */
  status: "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
  /** In the currency's minor unit (cents for usd). */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  trigger: "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";
  /** Null until the success, if the buyer gives the card on the provider's page. Then null only if the provider took the money and named no card. */
  method: {
    type: "card";
    brand: string;
    last4: string;
    expMonth: number;
    expYear: number;
  } | null;
  /** True if the provider has accepted the payment and has no outcome yet, and false if the outcome is unknown. Always false unless the status is `unknown`. */
  processing: boolean;
  /** The reason of the failure, from the provider. Billow gives `card_disputed` itself, without a call to the provider. */
  failureCode: string | null;
  /** The next step of the buyer: to authenticate the payment at this address of their bank, or to pay on this page of the provider. */
  nextAction: {
    type: "challenge";
    url: string;
  } | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  settledAt: string | null;
}

export interface ListPaymentsParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  customerId?: string;
  externalCustomerId?: string;
  subscriptionId?: string;
  invoiceId?: string;
  checkoutId?: string;
  status?: "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
  trigger?: "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";
}
