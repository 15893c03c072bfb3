export interface Invoice {
    id: string;
    number: string;
    /** The hosted page of the invoice. The secret in the address opens only this invoice. */
    url: string;
    status: "open" | "paid" | "void";
    reason: "checkout" | "renewal" | "product_change";
    customerId: string;
    subscriptionId: string | null;
    checkoutId: string | null;
    /** ISO 4217, lower case. */
    currency: string;
    /** The language of the page and the PDF: the Customer's `locale` when the Invoice was made. Null if the Customer had none. The PDF is then in English. */
    locale: string | null;
    lines: InvoiceLine[];
    /** In the currency's minor unit (cents for usd). */
    subtotalAmount: number;
    /** In the currency's minor unit (cents for usd). */
    discountAmount: number;
    /** All tax of the invoice. The tax of an inclusive rate is inside the prices and does not add to the total. */
    taxAmount: number;
    /** The tax by rate. */
    taxes: ({
        name: string;
        /** ISO 3166-1 alpha-2, upper case. */
        country: string;
        region: string | null;
        basisPoints: number;
        inclusive: boolean;
        /** True if the buyer accounts for the tax. The tax is then 0 here. */
        reverseCharge: boolean;
        /** The amount of the lines with this rate, without the tax. */
        taxableAmount: number;
        /** In the currency's minor unit (cents for usd). */
        taxAmount: number;
    })[];
    /** The note about tax on the invoice, such as reverse charge. */
    taxNote: string | null;
    /** In the currency's minor unit (cents for usd). */
    totalAmount: number;
    /** The part of the total that the balance settled. Negative if the invoice added to the balance. */
    balanceApplied: number;
    /** In the currency's minor unit (cents for usd). */
    amountDue: number;
    /** In the currency's minor unit (cents for usd). */
    amountPaid: number;
    /** In the currency's minor unit (cents for usd). */
    refundedAmount: number;
    /** The amount that can be refunded to the card: the money that was charged, less refunds, disputes, and credits that changes gave for the lines of the Invoice. */
    refundableToCard: number;
    /** The amount that can be refunded to the balance: the same money, and the credit of the balance that the Invoice used. If both are 0, the credit among the lines that is left. */
    refundableToBalance: number;
    seller: {
        name: string | null;
        email: string | null;
        address: {
            /** ISO 3166-1 alpha-2, upper case. */
            country: string;
            line1: string | null;
            line2: string | null;
            postalCode: string | null;
            city: string | null;
            state: string | null;
        } | null;
        taxId: {
            type: string;
            value: string;
        } | null;
    };
    buyer: {
        name: string | null;
        email: string | null;
        address: {
            /** ISO 3166-1 alpha-2, upper case. */
            country: string;
            line1: string | null;
            line2: string | null;
            postalCode: string | null;
            city: string | null;
            state: string | null;
        } | null;
        taxId: {
            type: string;
            value: string;
        } | null;
        /** The company for which the buyer bought. Documents show the company before the name. */
        companyName: string | null;
    };
    periodStart: string | null;
    periodEnd: string | null;
    /** True if the period began after a gap: access was suspended when the period before ended, and the open invoices were paid later. */
    restarted: boolean;
    nextAttemptAt: string | null;
    /** Why the payment provider refused the charge of this open Invoice. It is not charged again until an operator charges it, and the buyer can pay it on its page. */
    heldReason: "amount_too_small" | "amount_too_large" | "currency_unsupported" | "request_invalid" | null;
    paidAt: string | null;
    /** True if the Invoice was marked as paid. The Invoice then has no Payment. */
    paidOutside: boolean;
    /** The note that was given when the Invoice was marked as paid. */
    paymentNote: string | null;
    voidedAt: string | null;
    /** The note that an operator gave when they voided the Invoice. */
    voidReason: string | null;
    /** The buyer's values of your own fields, by key. An optional field without a value is left out. Null: the purchase has no fields, or is not submitted. */
    fieldValues: Record<string, string | number | boolean> | null;
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface InvoiceLine {
    id: string;
    description: string;
    productId: string;
    /** The number of units, of which the line bills a period or a part of it. */
    quantity: number;
    /** The price of one unit for a whole period, before discount, in the currency's minor unit. Null for a credit or debit from before the price was kept. */
    unitAmount: number | null;
    /** In the currency's minor unit (cents for usd). A credit is negative. */
    amount: number;
    /** In the currency's minor unit (cents for usd). */
    discountAmount: number;
    /** For a discount for months that ends within the period. The discount covers the time from `start` to `until`. It is taken off in proportion to the time from `start` to `end`. Null without a discount, or if the discount covers the whole period. */
    discountedPart: {
        /** RFC 3339 in UTC with milliseconds. */
        start: string;
        /** RFC 3339 in UTC with milliseconds. */
        until: string;
        /** RFC 3339 in UTC with milliseconds. */
        end: string;
    } | null;
    /** In the currency's minor unit (cents for usd). */
    taxAmount: number;
    /** The tax rate of the line, in basis points: 1900 is 19 %. With `reverseCharge`, the buyer accounts for the tax, and the line has no tax. */
    taxRate: {
        name: string;
        basisPoints: number;
        inclusive: boolean;
        reverseCharge: boolean;
    } | null;
    proration: boolean;
    periodStart: string | null;
    periodEnd: string | null;
    /** The billed line that this credit gives back. Null for other lines. */
    creditedLineId: string | null;
}
export interface Refund {
    id: string;
    /** `invoice`: an Invoice is refunded. `balance`: credit of the balance is paid out to its card. */
    purpose: "invoice" | "balance";
    /** `provider`: the refund was made at the payment provider, for example in its dashboard (rule I9). */
    origin: "billow" | "provider";
    /** Null if credit of the balance is paid out. */
    invoiceId: string | null;
    /** The Payment that is refunded. Null: the refund goes to the balance. */
    paymentId: string | null;
    customerId: string;
    /** `unknown`: the provider's answer was lost. Billow asks the provider until the outcome is known. */
    status: "pending" | "succeeded" | "failed" | "unknown";
    /** In the currency's minor unit (cents for usd). */
    amount: number;
    /** The tax in the amount. */
    taxAmount: number;
    /** The part of the amount that was taken off the balance. The credit note does not cover this part. */
    fromBalance: number;
    /** ISO 4217, lower case. */
    currency: string;
    to: "card" | "balance";
    reason: string | null;
    /** Set once the refund has succeeded, unless the whole amount was taken off the balance. */
    creditNoteId: string | null;
    /** The reason of a failed refund. Null for a refund that failed before Billow kept reasons. */
    failureCode: "declined" | "card_gone" | "card_lost" | "insufficient_funds" | "canceled" | "disputed" | "unknown" | "amount_too_small" | "amount_too_large" | "currency_unsupported" | "request_invalid" | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** The instant of the first final outcome. */
    settledAt: string | null;
    /** The instant of the failure. A refund to a card can fail weeks after it has succeeded: `creditNoteId` stays, and the money is credit on the balance (rule I8). */
    failedAt: string | null;
}
export interface Explanation {
    invoiceId: string;
    number: string;
    /** ISO 4217, lower case. */
    currency: string;
    lines: ({
        id: string;
        description: string;
        amount: ExplainedAmount;
        discount: ExplainedAmount | null;
        tax: ExplainedAmount | null;
    })[];
    total: ExplainedAmount;
    /** The part of the total that the balance settled. Negative if the invoice added to the balance. */
    balance: ExplainedAmount;
    due: ExplainedAmount;
}
export interface ExplainedAmount {
    /** In the currency's minor unit (cents for usd). */
    amount: number;
    /** The number of the billing rule that the amount follows. */
    rule: string;
    /** Amounts in minor units, rates in basis points, spans in milliseconds. */
    inputs: Record<string, number>;
    /** The result is `amount`. `round` gives the nearest whole number, with a half rounded away from zero. */
    expression: string;
    /** The same calculation in words. */
    text: string;
}
export interface CreateRefundParams {
    /** In the currency's minor unit (cents for usd). The default is `refundableToCard` or `refundableToBalance` of the Invoice. More than `refundableToCard` is taken off the balance: credit from this very Payment that is not spent. If the payment provider refunds the currency in multiples, a refund to the card must be one of them, and the default is rounded down (rule M5). */
    amount?: number | null;
    /** The refund goes to the charged card or to the Customer's balance. */
    to?: "card" | "balance";
    /** The reason, in your own words. The credit note does not show it. */
    reason?: string | null;
    /** Only for a one-time purchase. Its grants are revoked for good when the refund succeeds. */
    revokeGrants?: boolean;
}
export interface ListInvoicesParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    externalCustomerId?: string;
    subscriptionId?: string;
    checkoutId?: string;
    number?: string;
    status?: "open" | "paid" | "void";
    reason?: "checkout" | "renewal" | "product_change";
}
