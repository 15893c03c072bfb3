import type { ProductKey } from "./catalogue.ts";
export interface CreateCustomerParams {
    /** At most 320 characters. Case does not matter. The domain has a dot, and letters and digits of any script. */
    email: string;
    name?: string | null;
    companyName?: string | null;
    externalId?: string | null;
    billingAddress?: {
        /** ISO 3166-1 alpha-2. Lower case is accepted too. */
        country: string;
        line1?: string | null;
        line2?: string | null;
        postalCode?: string | null;
        city?: string | null;
        state?: string | null;
    } | null;
    taxId?: {
        type: string;
        /** If there is a check for the type, the value is stored in upper case without spaces, dots and dashes. */
        value: string;
        /** Ignored. A tax id can be sent as it was read. */
        verification?: string;
    } | null;
    locale?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
export interface Customer {
    id: string;
    email: string;
    name: string | null;
    /** The company for which the Customer buys. Documents show the company before the name. */
    companyName: string | null;
    /** The caller's own id for this Customer. */
    externalId: string | null;
    billingAddress: {
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
        /** `format`: format and check digits are right. `unsupported`: there is no check for this type. `failed`: the value is wrong and was stored before the check. Only `format` can lead to reverse charge. More values may be added. */
        verification: "format" | "unsupported" | "failed";
    } | null;
    /** The language tag (BCP 47) of the Customer's pages and e-mails; null: not known. */
    locale: string | null;
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface CreateCheckoutParams {
    productId?: string | null;
    productKey?: ProductKey | null;
    customerId?: string | null;
    externalCustomerId?: string | null;
    customer?: CreateCustomerParams | null;
    /** The Subscription that changes to the Product once the Checkout is paid. No new Subscription is made. */
    subscriptionId?: string | null;
    currency?: string | null;
    discountCode?: string | null;
    successUrl?: string | null;
    cancelUrl?: string | null;
    locale?: string | null;
    /** The default is 24 hours. */
    expiresInMinutes?: number | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
export interface Checkout {
    id: string;
    /** `processing`: the payment is submitted, and its outcome is not known yet. */
    status: "open" | "processing" | "completed" | "expired";
    /** The hosted page. The secret in the address opens only this Checkout. */
    url: string;
    productId: string;
    customerId: string | null;
    externalCustomerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    /** ISO 4217, lower case. */
    currency: string;
    /** The price of today, in the currency's minor unit. With a trial, the price is 0. */
    subtotalAmount: number;
    /** In the currency's minor unit (cents for usd). */
    discountAmount: number;
    /** Null while tax may be due and no billing country is known. `totalAmount`, `balanceApplied` and `amountDue` are then null too. */
    taxAmount: number | null;
    /** `subtotalAmount` less discount, plus tax on top. For the change of a Subscription: `amountDue`. */
    totalAmount: number | null;
    /** The part that the Customer's balance settles, in the currency's minor unit. A purchase uses 0 to `totalAmount`, and only if the request named the Customer by `customerId`, `externalCustomerId` or `customer.externalId`. A part that the provider can't charge counts in any case: the provider charges some currencies in multiples (rule M5). While the status is `open`, the amount follows the balance. `processing` and `completed`: the amount is fixed. `expired`: 0. The change of a Subscription may add to the balance or collect a debt. The amount is then below 0. */
    balanceApplied: number | null;
    /** The amount that the card pays today, in the currency's minor unit, 0 or more. */
    amountDue: number | null;
    /** The list price that renews, before discount and tax. */
    recurringAmount: number | null;
    interval: "day" | "week" | "month" | "year" | null;
    intervalCount: number | null;
    trialDays: number | null;
    discountId: string | null;
    /** `{CHECKOUT_ID}` in the address is replaced by the id of the Checkout. */
    successUrl: string | null;
    cancelUrl: string | null;
    /** The language tag (BCP 47) of the page. Null: the language of the Customer, else the language of the browser. */
    locale: string | null;
    lastPaymentError: {
        code: string;
        message: string;
    } | null;
    /** RFC 3339 in UTC with milliseconds. */
    expiresAt: string;
    completedAt: string | null;
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface Subscription {
    id: string;
    status: "trialing" | "active" | "past_due" | "canceled";
    customerId: string;
    externalCustomerId: string | null;
    productId: string;
    checkoutId: string | null;
    /** ISO 4217, lower case. */
    currency: string;
    /** The price of a period as sold, in the currency's minor unit. */
    amount: number;
    interval: "day" | "week" | "month" | "year";
    intervalCount: number;
    /** RFC 3339 in UTC with milliseconds. */
    currentPeriodStart: string;
    /** The first instant after the period. */
    currentPeriodEnd: string;
    trialStart: string | null;
    trialEnd: string | null;
    cancelAtPeriodEnd: boolean;
    /** The planned end. */
    cancelAt: string | null;
    /** The time of the request to cancel. */
    canceledAt: string | null;
    endedAt: string | null;
    cancellationReason: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other" | "payment_failed" | null;
    cancellationComment: string | null;
    /** The price that the buyer agreed to. This price is fixed when the change is scheduled. */
    pendingChange: {
        productId: string;
        /** In the currency's minor unit (cents for usd). */
        amount: number;
        /** ISO 4217, lower case. */
        currency: string;
        interval: "day" | "week" | "month" | "year";
        intervalCount: number;
        /** RFC 3339 in UTC with milliseconds. */
        effectiveAt: string;
    } | null;
    discountId: string | null;
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    startedAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface UpdateSubscriptionParams {
    productId?: string;
    productKey?: ProductKey;
    /** Only with a Product. The default is the Organization's default. */
    prorationBehavior?: "invoice_now" | "next_invoice" | "next_period" | "none";
    /** `true` schedules the cancellation, `false` undoes it. */
    cancelAtPeriodEnd?: boolean;
    /** Only with `cancelAtPeriodEnd: true`. */
    cancellationReason?: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other";
    /** Only with `cancelAtPeriodEnd: true`. */
    cancellationComment?: string;
}
export interface BenefitGrant {
    id: string;
    customerId: string;
    externalCustomerId: string | null;
    benefitId: string;
    /** The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead. */
    subscriptionId: string | null;
    invoiceId: string | null;
    benefit: GrantedBenefit;
    /** The shape depends on `benefit.type`. */
    properties: {
        key: string;
        activationLimit: number | null;
        activations: number;
    } | {
        files: ({
            name: string;
            size: number;
            url: string;
        })[];
    } | {
        feature: string;
        value: boolean | number | string;
    } | {
        note: string | null;
    };
    /** RFC 3339 in UTC with milliseconds. */
    grantedAt: string;
    /** The planned end of the access. Null while the access renews. */
    expiresAt: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
}
export interface GrantedBenefit {
    id: string;
    key: string | null;
    type: "feature" | "license_key" | "download" | "custom";
    name: string;
    description: string | null;
    properties: {
        feature: string;
        value: boolean | number | string;
    } | {
        prefix: string | null;
        activationLimit: number | null;
    } | {
        files: ({
            name: string;
            size: number;
        })[];
    } | {
        note: string | null;
    };
    metadata: Record<string, string | number | boolean>;
}
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
export interface PaymentMethod {
    id: string;
    customerId: string;
    type: "card";
    brand: string;
    last4: string;
    expMonth: number;
    expYear: number;
    /** Charged for every Subscription without a card of its own. */
    isDefault: boolean;
    /** A payment with this card is disputed or lost. The card is charged only when the buyer pays with it. */
    disputed: boolean;
    /** From then on the card can't be charged any more. A detached card stays detached. */
    detachedAt: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
}
export interface PaymentAccount {
    id: string;
    provider: string;
    /** The account's id at the provider. */
    account: string;
    /** `live`: the account takes real money. */
    mode: "live" | "test";
    /** The environment variable with the key; null: the key is encrypted in the database. */
    keyVariable: string | null;
    /** `inbound`: the provider sends its notices. Billow polls the provider in both cases. */
    notices: "inbound" | "polled";
    /** RFC 3339 in UTC with milliseconds. */
    connectedAt: string;
    disconnectedAt: string | null;
}
export interface PaymentPause {
    id: string;
    provider: string;
    /** `disconnected`: no key of the account is stored. `key_invalid`, `permission_missing`, `account_restricted`: the provider's answer to the key. `copy`: this installation is a copy of another one, so its charges wait. */
    reason: "disconnected" | "key_invalid" | "permission_missing" | "account_restricted" | "copy";
    /** RFC 3339 in UTC with milliseconds. */
    since: string;
    /** Null while the payments are paused. */
    endedAt: string | null;
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
export interface ManagedBenefitGrant {
    id: string;
    customerId: string;
    externalCustomerId: string | null;
    benefitId: string;
    /** The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead. */
    subscriptionId: string | null;
    invoiceId: string | null;
    benefit: GrantedBenefit;
    /** The shape depends on `benefit.type`. */
    properties: {
        key: string;
        activationLimit: number | null;
        activations: number;
    } | {
        files: ({
            name: string;
            size: number;
            url: string;
        })[];
    } | {
        feature: string;
        value: boolean | number | string;
    } | {
        note: string | null;
    };
    /** RFC 3339 in UTC with milliseconds. */
    grantedAt: string;
    /** The planned end of the access. Null while the access renews, and after a revocation. */
    expiresAt: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    status: "active" | "revoked";
    revokedAt: string | null;
    /** The reason for the status. */
    reason: "purchased" | "trial_started" | "product_changed" | "benefits_edited" | "payment_recovered" | "subscription_ended" | "payment_failed" | "refunded" | "customer_deleted";
}
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
export interface WebhookEndpoint {
    id: string;
    url: string;
    description: string | null;
    /** The types of events that the endpoint gets. `*`: all types. */
    events: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
    status: "enabled" | "disabled";
    /** `gone`: the endpoint answered 410. `failing`: every attempt failed for five days. */
    disabledReason: "by_hand" | "gone" | "failing" | null;
    disabledAt: string | null;
    /** The begin of the time in which every attempt has failed. */
    failingSince: string | null;
    /** The end of a pause that the receiver asked for. No delivery is sent before this time. */
    pausedUntil: string | null;
    /** Until this time, the secret from before a rotation signs too. */
    previousSecretUntil: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface Organization {
    id: string;
    name: string;
    mode: "live" | "sandbox";
    /** IANA time zone of new Subscriptions. */
    timeZone: string;
    /** ISO 4217, lower case. */
    defaultCurrency: string;
    defaultProration: "invoice_now" | "next_invoice" | "next_period" | "none";
    /** Days after a first failed charge. */
    dunning: {
        retryDays: number[];
        graceDays: number;
    };
    /** The rate for a buyer is that of their region, else of their country. */
    taxRates: ({
        /** ISO 3166-1 alpha-2, upper case. */
        country: string;
        /** As in `state` of a billing address. Null: the rest of the country. */
        region: string | null;
        /** 1900 is 19 %. */
        basisPoints: number;
        /** True if prices contain the tax. */
        inclusive: boolean;
        name: string;
        /** True if a business in that country accounts for the tax itself when your `address` is in another country. */
        reverseCharge: boolean;
    })[];
    branding: {
        displayName: string | null;
        accentColor: string | null;
        logoUrl: string | null;
    };
    /** The e-mails that buyers get. */
    emails: {
        receipt: boolean;
        orderConfirmation: boolean;
        paymentFailed: boolean;
        authenticationRequired: boolean;
        trialStarted: boolean;
        trialEnding: boolean;
        renewalUpcoming: boolean;
        cancellationScheduled: boolean;
        cancellationUndone: boolean;
        renewalFailed: boolean;
        canceled: boolean;
        cardExpiring: boolean;
    };
    /** The deeds that the portal allows a Customer. */
    portal: {
        changePlan: boolean;
        editDetails: boolean;
        changeEmail: boolean;
        manageDevices: boolean;
        cancel: boolean;
        /** The Products that a Customer may change to. Null: every Product of the group. */
        products: string[] | null;
    };
    /** The address of the portal. Customers sign in there by e-mail and see their purchases. */
    portalUrl: string;
    invoicePrefix: string;
    legalName: string | null;
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
        /** `format`: format and check digits are right. `unsupported`: there is no check for this type. `failed`: the value is wrong and was stored before the check. Only `format` can lead to reverse charge. More values may be added. */
        verification: "format" | "unsupported" | "failed";
    } | null;
    /** The seller's own address. Billow writes to it when an account for payments is connected or disconnected. */
    contactEmail: string | null;
    /** The address to which buyers write. Pages and e-mails link to it. */
    supportEmail: string | null;
    /** The page on which buyers get help. Pages and e-mails link to it. */
    supportUrl: string | null;
    /** The seller's terms. The page of a Checkout says that the buyer agrees to them. */
    termsUrl: string | null;
    /** The seller's privacy policy. */
    privacyUrl: string | null;
    /** The seller's website. */
    websiteUrl: string | null;
    /** Where a sandbox's buyers give their cards: on Billow's page or on the provider's. Null if live. */
    sandboxEntry: "typed" | "hosted" | null;
    payments: OrganizationPayments;
    /** The problems that need an operator, newest first. A notice disappears once its problem is solved. */
    notices: ({
        type: "payments_paused" | "provider_book_differs" | "webhook_endpoint_disabled" | "seller_country_missing" | "refund_failed";
        /** The id of the resource that the notice is about. */
        resourceId: string;
        /** In real time. For `payments_paused`: the beginning of the pause, in billing time. For `refund_failed`: the failure, in billing time. For `seller_country_missing`: the last change of the Organization, in billing time. */
        at: string;
        text: string;
    })[];
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface OrganizationPayments {
    /** Takes new payments. Null: there is no payment provider. */
    provider: string | null;
    /** Set while the provider refuses all charges. Charges wait, and one attempt a minute finds out whether the provider takes charges again. */
    paused: {
        /** `disconnected`: no key of the account is stored. `key_invalid`, `permission_missing`, `account_restricted`: the provider's answer to the key. `copy`: this installation is a copy of another one, so its charges wait. */
        reason: "disconnected" | "key_invalid" | "permission_missing" | "account_restricted" | "copy";
        /** RFC 3339 in UTC with milliseconds. */
        since: string;
    } | null;
}
export interface UpdateOrganizationParams {
    name?: string;
    timeZone?: string;
    /** ISO 4217. Upper case is accepted too. */
    defaultCurrency?: string;
    defaultProration?: "invoice_now" | "next_invoice" | "next_period" | "none";
    dunning?: {
        retryDays: number[];
        graceDays: number;
    };
    taxRates?: ({
        /** ISO 3166-1 alpha-2. Lower case is accepted too. */
        country: string;
        region?: string | null;
        basisPoints: number;
        inclusive?: boolean;
        name: string;
        reverseCharge?: boolean;
    })[];
    branding?: {
        displayName?: string | null;
        accentColor?: string | null;
        logoUrl?: string | null;
    };
    /** Fields that are left out stay as they are. */
    emails?: {
        receipt?: boolean;
        orderConfirmation?: boolean;
        paymentFailed?: boolean;
        authenticationRequired?: boolean;
        trialStarted?: boolean;
        trialEnding?: boolean;
        renewalUpcoming?: boolean;
        cancellationScheduled?: boolean;
        cancellationUndone?: boolean;
        renewalFailed?: boolean;
        canceled?: boolean;
        cardExpiring?: boolean;
    };
    /** Fields that are left out stay as they are. */
    portal?: {
        changePlan?: boolean;
        editDetails?: boolean;
        changeEmail?: boolean;
        manageDevices?: boolean;
        cancel?: boolean;
        /** The Products that a Customer may change to. Null: every Product of the group. */
        products?: string[] | null;
    };
    invoicePrefix?: string;
    legalName?: string | null;
    address?: {
        /** ISO 3166-1 alpha-2. Lower case is accepted too. */
        country: string;
        line1?: string | null;
        line2?: string | null;
        postalCode?: string | null;
        city?: string | null;
        state?: string | null;
    } | null;
    taxId?: {
        type: string;
        /** If there is a check for the type, the value is stored in upper case without spaces, dots and dashes. */
        value: string;
        /** Ignored. A tax id can be sent as it was read. */
        verification?: string;
    } | null;
    contactEmail?: string | null;
    supportEmail?: string | null;
    supportUrl?: string | null;
    termsUrl?: string | null;
    privacyUrl?: string | null;
    websiteUrl?: string | null;
    sandboxEntry?: "typed" | "hosted";
}
export interface CreateApiKeyParams {
    name: string;
    scopes: ("public" | "manage")[];
    expiresAt?: string | null;
}
export interface NewApiKey {
    id: string;
    name: string;
    scopes: ("public" | "manage")[];
    /** The secret's last four characters. */
    last4: string;
    /** The successor that a rotation made. */
    replacedBy: string | null;
    expiresAt: string | null;
    revokedAt: string | null;
    /** Exact to the minute. */
    lastUsedAt: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** The bearer token. Only this answer shows it. */
    secret: string;
}
export interface ApiKey {
    id: string;
    name: string;
    scopes: ("public" | "manage")[];
    /** The secret's last four characters. */
    last4: string;
    /** The successor that a rotation made. */
    replacedBy: string | null;
    expiresAt: string | null;
    revokedAt: string | null;
    /** Exact to the minute. */
    lastUsedAt: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
}
export interface RotateApiKeyParams {
    /** The time that the old key stays valid, at most until its own expiry. */
    overlapSeconds: number;
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
export type CreateBenefitParams = {
    type: "feature";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties?: {
        /** The default is the Benefit's `key`. */
        feature?: string | null;
        value?: boolean | number | string;
    };
} | {
    type: "license_key";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties?: {
        prefix?: string | null;
        activationLimit?: number | null;
    };
} | {
    type: "download";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties: {
        files: ({
            /** The path of the file below the server's downloads directory. */
            path: string;
            /** The name that buyers see. The default is the file's own name. */
            name?: string | null;
        })[];
    };
} | {
    type: "custom";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties?: {
        note?: string | null;
    };
};
export interface Benefit {
    id: string;
    key: string | null;
    type: "feature" | "license_key" | "download" | "custom";
    name: string;
    description: string | null;
    properties: {
        feature: string;
        value: boolean | number | string;
    } | {
        prefix: string | null;
        activationLimit: number | null;
    } | {
        files: ({
            name: string;
            path: string;
            size: number;
        })[];
    } | {
        note: string | null;
    };
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface UpdateBenefitParams {
    name?: string;
    description?: string | null;
    /** As in the POST for this type. Replaces all properties. */
    properties?: Record<string, unknown>;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
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
export interface UpdateCustomerParams {
    /** At most 320 characters. Case does not matter. The domain has a dot, and letters and digits of any script. */
    email?: string;
    name?: string | null;
    companyName?: string | null;
    /** Set only once. A Customer with an `externalId` keeps it. */
    externalId?: string | null;
    /** Replaces the whole address. */
    billingAddress?: {
        /** ISO 3166-1 alpha-2. Lower case is accepted too. */
        country: string;
        line1?: string | null;
        line2?: string | null;
        postalCode?: string | null;
        city?: string | null;
        state?: string | null;
    } | null;
    /** Needs a billing address with its country. */
    taxId?: {
        type: string;
        /** If there is a check for the type, the value is stored in upper case without spaces, dots and dashes. */
        value: string;
        /** Ignored. A tax id can be sent as it was read. */
        verification?: string;
    } | null;
    locale?: string | null;
    /** Replaces all metadata. */
    metadata?: Record<string, string | number | boolean>;
}
export interface Balances {
    data: ({
        /** ISO 4217, lower case. */
        currency: string;
        /** Positive: the Customer has credit. */
        amount: number;
        /** Credit that came from a disputed or lost payment. This credit can't be spent (rule D7). */
        held: number;
        /** The amount less the held credit. Renewals and changes use this amount. */
        available: number;
    })[];
}
export interface BalanceEntry {
    id: string;
    /** ISO 4217, lower case. */
    currency: string;
    /** Positive: the Customer has credit. */
    amount: number;
    /** The part of the amount that still counts. Above zero: credit that is not used. Below zero: a debt. The balance is the sum of these parts. */
    remaining: number;
    reason: "invoice" | "invoice_voided" | "unapplied_payment" | "refund" | "adjustment" | "written_off" | "paid_out" | "payout_failed" | "dispute_lost" | "refund_failed";
    /** The source of credit: a Payment, a refund that failed late, money from outside of Billow, or a grant. Only credit from a Payment can be paid out (rules I7, I8). Null for an entry below zero. */
    source: "payment" | "refund_failed" | "outside" | "granted" | null;
    /** The Payment that the credit came from, or whose refund failed. */
    paymentId: string | null;
    /** The billed line that the credit gives back. */
    creditedLineId: string | null;
    /** The reason that was given with the adjustment. */
    note: string | null;
    invoiceId: string | null;
    refundId: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
}
export interface AdjustBalanceParams {
    /** ISO 4217. Upper case is accepted too. */
    currency: string;
    /** In the currency's minor unit (cents for usd). Added to the balance, or taken from the balance if negative. */
    amount: number;
    /** The reason, in your own words. The entry shows this text as `note`. */
    reason: string;
}
export interface CreateCustomerPortalSessionParams {
    /** The address that the portal links back to. */
    returnUrl?: string | null;
}
export interface PortalSession {
    /** Signs this Customer in once. Redirect the Customer's browser to this address at once. */
    url: string;
    /** The link works for 60 seconds of real time, in a sandbox too. */
    expiresAt: string;
}
export interface CreatePortalSessionParams {
    customerId?: string | null;
    externalCustomerId?: string | null;
    /** The address that the portal links back to. */
    returnUrl?: string | null;
}
export interface CreateSubscriptionParams {
    customerId?: string | null;
    externalCustomerId?: string | null;
    productId?: string | null;
    productKey?: ProductKey | null;
    currency?: string | null;
    /** The price of a period, in the currency's minor unit (cents for usd). The default is the price of the Product. Send 0 for a complimentary Subscription. */
    amount?: number | null;
    /** The begin of a Subscription that began elsewhere. Its present period counts as paid there and is not invoiced. */
    startedAt?: string | null;
    /** Only with `startedAt`. The periods are counted from this instant. The default is `startedAt`. */
    anchorAt?: string | null;
    /** The end of the free trial. No invoice is made before this time. */
    trialEnd?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
export interface ChangePreview {
    lines: PreviewLine[];
    /** The amount that would be charged now. */
    chargeAmount: number;
    /** Positive: the Customer has credit. */
    balanceChange: number;
    /** RFC 3339 in UTC with milliseconds. */
    effectiveAt: string;
    nextInvoice: {
        /** RFC 3339 in UTC with milliseconds. */
        date: string;
        lines: PreviewLine[];
        /** In the currency's minor unit (cents for usd). */
        totalAmount: number;
    } | null;
}
export interface PreviewLine {
    description: string;
    productId: string;
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
export interface CancelSubscriptionParams {
    cancellationReason?: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other";
    cancellationComment?: string;
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
export interface TimelineEntry {
    eventId: string;
    /** RFC 3339 in UTC with milliseconds. */
    at: string;
    type: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
    resourceId: string;
    text: string;
}
export interface UpdateCardParams {
    expMonth: number;
    expYear: number;
    /** The last four digits of the new card. Null: the card keeps its number. */
    last4?: string | null;
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
export interface PayOutBalanceParams {
    /** ISO 4217. Upper case is accepted too. */
    currency: string;
    /** In the currency's minor unit (cents for usd). The default is all credit that can be paid out, each Refund rounded down to an amount that the payment provider refunds (rule M5). */
    amount?: number | null;
    /** The reason, in your own words. */
    reason?: string | null;
}
export interface BalanceRefunds {
    data: Refund[];
}
export interface RefundPaymentParams {
    /** In the currency's minor unit (cents for usd). The default is all that the provider can still refund. */
    amount?: number | null;
}
export interface FailRefundParams {
    failureCode?: "declined" | "card_gone" | "card_lost" | "insufficient_funds" | "canceled" | "disputed" | "unknown" | "amount_too_small" | "amount_too_large" | "currency_unsupported" | "request_invalid";
}
export interface CreditNote {
    id: string;
    number: string;
    /** The hosted page of the credit note. The secret in the address opens only this credit note. */
    url: string;
    invoiceId: string;
    invoiceNumber: string;
    refundId: string;
    customerId: string;
    /** ISO 4217, lower case. */
    currency: string;
    /** The language of the page and the PDF: that of the Invoice. */
    locale: string | null;
    lines: CreditNoteLine[];
    /** In the currency's minor unit (cents for usd). */
    subtotalAmount: number;
    /** In the currency's minor unit (cents for usd). */
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
    /** The amount that was given back, with tax. Above zero. */
    totalAmount: number;
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
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
}
export interface CreditNoteLine {
    /** The line of the Invoice that this amount belongs to. */
    invoiceLineId: string;
    description: string;
    productId: string;
    /** The amount given back of the line, before tax that comes on top. */
    amount: number;
    /** In the currency's minor unit (cents for usd). */
    taxAmount: number;
    /** The tax rate of the line, in basis points: 1900 is 19 %. With `reverseCharge`, the buyer accounts for the tax, and the line has no tax. */
    taxRate: {
        name: string;
        basisPoints: number;
        inclusive: boolean;
        reverseCharge: boolean;
    } | null;
    periodStart: string | null;
    periodEnd: string | null;
}
export interface DisputePaymentParams {
    reason?: "fraudulent" | "duplicate" | "not_received" | "not_as_described" | "subscription_canceled" | "refund_not_received" | "unrecognized" | "other";
    /** In the currency's minor unit (cents for usd). At most, and by default, the part of the payment that was not refunded to the card. */
    amount?: number | null;
    /** The bank only asks, and takes no money. */
    inquiry?: boolean;
}
export interface CloseDisputeParams {
    outcome: "won" | "lost" | "closed";
}
export interface ProviderNotice {
    id: string;
    provider: string;
    providerAccount: string;
    /** The provider's id of the notice. */
    reference: string;
    /** The provider's type of the notice. */
    type: string;
    /** The provider's id of the object that has changed. */
    object: string;
    /** `waiting`: Billow will read the object at the provider. `taken`: the object's state is in Billow's books. `unmatched`: the object belongs to no payment of this installation. */
    status: "waiting" | "taken" | "unmatched";
    /** In real time. */
    receivedAt: string;
}
export interface LicenseActivation {
    id: string;
    label: string | null;
    metadata: Record<string, string | number | boolean>;
    /** The last validation on this device, noted once a day. Null: no validation after the first day. */
    lastSeenAt: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
}
export type Event = {
    id: string;
    type: "customer.created" | "customer.updated" | "customer.deleted";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Customer;
} | {
    id: string;
    type: "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Checkout;
} | {
    id: string;
    type: "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Subscription;
} | {
    id: string;
    type: "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Invoice;
} | {
    id: string;
    type: "payment.succeeded" | "payment.failed" | "payment.action_required";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Payment;
} | {
    id: string;
    type: "payment_method.expiring" | "payment_method.updated" | "payment_method.detached";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: PaymentMethod;
} | {
    id: string;
    type: "payment_account.connected" | "payment_account.disconnected";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: PaymentAccount;
} | {
    id: string;
    type: "payments.paused" | "payments.resumed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: PaymentPause;
} | {
    id: string;
    type: "refund.created" | "refund.failed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Refund;
} | {
    id: string;
    type: "dispute.created" | "dispute.updated" | "dispute.closed";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Dispute;
} | {
    id: string;
    type: "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: ManagedBenefitGrant;
} | {
    id: string;
    type: "product.created" | "product.updated";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: Product;
} | {
    id: string;
    type: "webhook_endpoint.disabled" | "webhook_endpoint.test";
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the resource's own events: 1, 2, 3, … */
    sequence: number;
    /** The resource as this surface returns it, at the moment of the change. */
    data: WebhookEndpoint;
};
export interface CreateWebhookEndpointParams {
    url: string;
    events?: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
    description?: string | null;
}
export interface WebhookEndpointWithSecret {
    id: string;
    url: string;
    description: string | null;
    /** The types of events that the endpoint gets. `*`: all types. */
    events: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
    status: "enabled" | "disabled";
    /** `gone`: the endpoint answered 410. `failing`: every attempt failed for five days. */
    disabledReason: "by_hand" | "gone" | "failing" | null;
    disabledAt: string | null;
    /** The begin of the time in which every attempt has failed. */
    failingSince: string | null;
    /** The end of a pause that the receiver asked for. No delivery is sent before this time. */
    pausedUntil: string | null;
    /** Until this time, the secret from before a rotation signs too. */
    previousSecretUntil: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
    /** `whsec_` and base64. Receivers verify signatures with this secret. Only this answer shows it. */
    secret: string;
}
export interface UpdateWebhookEndpointParams {
    url?: string;
    events?: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
    description?: string | null;
    /** A disabled endpoint gets no deliveries. They are skipped, and `redeliver` can send them again for 30 days. */
    status?: "enabled" | "disabled";
}
export interface RotateSecretParams {
    /** The hours for which the old secret signs too. 0: the old secret ends at once. */
    overlapHours?: number;
}
export interface Delivery {
    id: string;
    endpointId: string;
    eventId: string;
    eventType: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
    resourceId: string;
    sequence: number;
    /** `failed`: Billow gave up. `skipped`: the endpoint was disabled. */
    status: "pending" | "retrying" | "succeeded" | "failed" | "skipped";
    attempts: number;
    nextAttemptAt: string | null;
    responseStatus: number | null;
    /** The first 2 KB of the last answer. */
    responseBody: string | null;
    /** The reason why there was no answer. */
    error: string | null;
    durationMs: number | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface RedeliverParams {
    /** Only deliveries made at this time or later, in real time. */
    from?: string | null;
    /** Only deliveries made before this time. */
    to?: string | null;
    /** `failed`: only deliveries that did not arrive. They failed, still wait, or were skipped because the endpoint was disabled. */
    status?: "failed" | "any";
}
export interface Redelivered {
    /** The number of deliveries that are sent again so far. */
    count: number;
    /** False while Billow still looks through more deliveries. The others follow by themselves. */
    done: boolean;
}
export interface Email {
    id: string;
    /** The kind that is sent. An `authentication_required` that comes too late is sent as a `payment_failed`. */
    kind: "receipt" | "order_confirmation" | "payment_failed" | "authentication_required" | "trial_started" | "trial_ending" | "renewal_upcoming" | "cancellation_scheduled" | "cancellation_undone" | "renewal_failed" | "canceled" | "card_expiring" | "portal_sign_in" | "portal_email_confirm" | "portal_email_changed" | "payments_connected" | "payments_disconnected" | "team_invitation" | "team_password";
    /** `kept`: not sent, but readable here. `skipped`: not needed, or not any more, for the `reason`. `failed`: Billow gave up. */
    status: "queued" | "sent" | "kept" | "skipped" | "failed";
    /** The reason why the e-mail was skipped or failed, or why its last attempt failed. */
    reason: string | null;
    /** Null: the e-mail is for the seller or the team. */
    customerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    paymentId: string | null;
    /** Known once the e-mail is sent or kept. Blank again once the Customer is deleted. */
    to: string | null;
    subject: string | null;
    attempts: number;
    nextAttemptAt: string | null;
    /** A page that shows the e-mail, in a sandbox. The page links to all other e-mails. */
    url: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** In real time, as are `nextAttemptAt` and `sentAt`. */
    queuedAt: string;
    sentAt: string | null;
}
export interface EmailWithBody {
    id: string;
    /** The kind that is sent. An `authentication_required` that comes too late is sent as a `payment_failed`. */
    kind: "receipt" | "order_confirmation" | "payment_failed" | "authentication_required" | "trial_started" | "trial_ending" | "renewal_upcoming" | "cancellation_scheduled" | "cancellation_undone" | "renewal_failed" | "canceled" | "card_expiring" | "portal_sign_in" | "portal_email_confirm" | "portal_email_changed" | "payments_connected" | "payments_disconnected" | "team_invitation" | "team_password";
    /** `kept`: not sent, but readable here. `skipped`: not needed, or not any more, for the `reason`. `failed`: Billow gave up. */
    status: "queued" | "sent" | "kept" | "skipped" | "failed";
    /** The reason why the e-mail was skipped or failed, or why its last attempt failed. */
    reason: string | null;
    /** Null: the e-mail is for the seller or the team. */
    customerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    paymentId: string | null;
    /** Known once the e-mail is sent or kept. Blank again once the Customer is deleted. */
    to: string | null;
    subject: string | null;
    attempts: number;
    nextAttemptAt: string | null;
    /** A page that shows the e-mail, in a sandbox. The page links to all other e-mails. */
    url: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** In real time, as are `nextAttemptAt` and `sentAt`. */
    queuedAt: string;
    sentAt: string | null;
    text: string | null;
    html: string | null;
}
export interface AuditEntry {
    id: string;
    /** In real time. */
    at: string;
    /** The caller: a user of the dashboard, an API key, or a command on the server (`cli`). */
    actor: {
        type: "user" | "key" | "cli";
        id: string | null;
        name: string | null;
    };
    /** The name of the operation, such as `updateCustomer`. */
    operation: string;
    /** The changed or created resource. */
    resourceId: string | null;
    customerId: string | null;
    /** The names of the fields in the request. Null once the Customer is deleted. */
    fields: string[] | null;
    /** The values of the fields that hold neither personal data nor secrets. */
    values: Record<string, string | number | boolean | null> | null;
    /** The IP address of the caller. Null: a command. */
    clientAddress: string | null;
}
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
export interface Clock {
    /** RFC 3339 in UTC with milliseconds. */
    now: string;
    /** Null: no advance is under way. */
    target: string | null;
    /** The number of due items that the present or last advance has carried out. */
    done: number;
}
export interface SetClockParams {
    now: string;
}
export interface AdvanceClockParams {
    to?: string;
    by?: string;
    toNextDue?: true;
}
export interface ClockAdvance {
    /** RFC 3339 in UTC with milliseconds. */
    now: string;
    /** The number of due items that the present or last advance has carried out. */
    done: number;
}
export interface ClockAdvancing {
    /** RFC 3339 in UTC with milliseconds. */
    now: string;
    /** RFC 3339 in UTC with milliseconds. */
    target: string;
    /** The number of due items that the present or last advance has carried out. */
    done: number;
}
export interface PayCheckoutParams {
    /** A card number. Can be left out if no amount is due now and no card is asked for. */
    card?: string | null;
    email?: string | null;
    name?: string | null;
    companyName?: string | null;
    /** Required if tax rates exist and the Customer's country is not known. */
    billingAddress?: {
        /** ISO 3166-1 alpha-2. Lower case is accepted too. */
        country: string;
        line1?: string | null;
        line2?: string | null;
        postalCode?: string | null;
        city?: string | null;
        state?: string | null;
    } | null;
    taxId?: {
        type: string;
        /** If there is a check for the type, the value is stored in upper case without spaces, dots and dashes. */
        value: string;
        /** Ignored. A tax id can be sent as it was read. */
        verification?: string;
    } | null;
}
export interface PaidCheckout {
    id: string;
    /** `processing`: the payment is submitted, and its outcome is not known yet. */
    status: "open" | "processing" | "completed" | "expired";
    /** The hosted page. The secret in the address opens only this Checkout. */
    url: string;
    productId: string;
    customerId: string | null;
    externalCustomerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    /** ISO 4217, lower case. */
    currency: string;
    /** The price of today, in the currency's minor unit. With a trial, the price is 0. */
    subtotalAmount: number;
    /** In the currency's minor unit (cents for usd). */
    discountAmount: number;
    /** Null while tax may be due and no billing country is known. `totalAmount`, `balanceApplied` and `amountDue` are then null too. */
    taxAmount: number | null;
    /** `subtotalAmount` less discount, plus tax on top. For the change of a Subscription: `amountDue`. */
    totalAmount: number | null;
    /** The part that the Customer's balance settles, in the currency's minor unit. A purchase uses 0 to `totalAmount`, and only if the request named the Customer by `customerId`, `externalCustomerId` or `customer.externalId`. A part that the provider can't charge counts in any case: the provider charges some currencies in multiples (rule M5). While the status is `open`, the amount follows the balance. `processing` and `completed`: the amount is fixed. `expired`: 0. The change of a Subscription may add to the balance or collect a debt. The amount is then below 0. */
    balanceApplied: number | null;
    /** The amount that the card pays today, in the currency's minor unit, 0 or more. */
    amountDue: number | null;
    /** The list price that renews, before discount and tax. */
    recurringAmount: number | null;
    interval: "day" | "week" | "month" | "year" | null;
    intervalCount: number | null;
    trialDays: number | null;
    discountId: string | null;
    /** `{CHECKOUT_ID}` in the address is replaced by the id of the Checkout. */
    successUrl: string | null;
    cancelUrl: string | null;
    /** The language tag (BCP 47) of the page. Null: the language of the Customer, else the language of the browser. */
    locale: string | null;
    lastPaymentError: {
        code: string;
        message: string;
    } | null;
    /** RFC 3339 in UTC with milliseconds. */
    expiresAt: string;
    completedAt: string | null;
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
    /** The next step of the buyer: to authenticate the payment at this address of their bank, or to pay on this page of the provider. */
    nextAction: {
        type: "challenge";
        url: string;
    } | null;
}
export interface SetCardParams {
    /** A card number. */
    card: string;
}
/** The content of each event type in `data`. */
export interface WebhookEventData {
    "customer.created": Customer;
    "customer.updated": Customer;
    "customer.deleted": Customer;
    "checkout.created": Checkout;
    "checkout.completed": Checkout;
    "checkout.expired": Checkout;
    "checkout.payment_failed": Checkout;
    "subscription.created": Subscription;
    "subscription.trial_ending": Subscription;
    "subscription.renewal_upcoming": Subscription;
    "subscription.activated": Subscription;
    "subscription.renewed": Subscription;
    "subscription.updated": Subscription;
    "subscription.cancellation_scheduled": Subscription;
    "subscription.cancellation_undone": Subscription;
    "subscription.past_due": Subscription;
    "subscription.recovered": Subscription;
    "subscription.canceled": Subscription;
    "invoice.created": Invoice;
    "invoice.paid": Invoice;
    "invoice.payment_failed": Invoice;
    "invoice.held": Invoice;
    "invoice.voided": Invoice;
    "invoice.refunded": Invoice;
    "payment.succeeded": Payment;
    "payment.failed": Payment;
    "payment.action_required": Payment;
    "payment_method.expiring": PaymentMethod;
    "payment_method.updated": PaymentMethod;
    "payment_method.detached": PaymentMethod;
    "payment_account.connected": PaymentAccount;
    "payment_account.disconnected": PaymentAccount;
    "payments.paused": PaymentPause;
    "payments.resumed": PaymentPause;
    "refund.created": Refund;
    "refund.failed": Refund;
    "dispute.created": Dispute;
    "dispute.updated": Dispute;
    "dispute.closed": Dispute;
    "benefit_grant.granted": ManagedBenefitGrant;
    "benefit_grant.updated": ManagedBenefitGrant;
    "benefit_grant.revoked": ManagedBenefitGrant;
    "product.created": Product;
    "product.updated": Product;
    "webhook_endpoint.disabled": WebhookEndpoint;
    "webhook_endpoint.test": WebhookEndpoint;
}
export interface ListBenefitGrantsParams {
    customerId?: string;
    externalCustomerId?: string;
    benefitId?: string;
    type?: "feature" | "license_key" | "download" | "custom";
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
}
export interface ListApiKeysParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
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
export interface ListBenefitsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    key?: string;
    type?: "feature" | "license_key" | "download" | "custom";
    /** A part of the name. */
    search?: string;
}
export interface ListDiscountsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    /** Letters and digits of any script, _ and -. */
    code?: string;
}
export interface ListCustomersParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    email?: string;
    externalId?: string;
    /** A part of the e-mail address, the name, the company or the externalId. */
    search?: string;
}
export interface ListCustomerBalanceEntriesParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    /** ISO 4217. Upper case is accepted too. */
    currency?: string;
}
export interface ListCheckoutsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    externalCustomerId?: string;
    productId?: string;
    subscriptionId?: string;
    status?: "open" | "processing" | "completed" | "expired";
}
export interface ListSubscriptionsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    externalCustomerId?: string;
    productId?: string;
    status?: "trialing" | "active" | "past_due" | "canceled";
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
export interface ListSubscriptionTimelineParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
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
export interface ListCustomerPaymentMethodsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
}
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
export interface ListCreditNotesParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    externalCustomerId?: string;
    invoiceId?: string;
    refundId?: string;
    number?: string;
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
export interface ListProviderNoticesParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    status?: "waiting" | "taken" | "unmatched";
}
export interface ListManagedBenefitGrantsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    externalCustomerId?: string;
    subscriptionId?: string;
    invoiceId?: string;
    benefitId?: string;
    type?: "feature" | "license_key" | "download" | "custom";
    status?: "active" | "revoked";
}
export interface ListLicenseActivationsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
}
export interface ListEventsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    type?: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
    /** Only the events of this resource: the id of a Subscription, an Invoice, … */
    resourceId?: string;
    /** Only events with this `createdAt` or a later one, ordered by `createdAt`. */
    createdAfter?: string;
    /** Only events with an earlier `createdAt`, ordered by `createdAt`. */
    createdBefore?: string;
}
export interface ListWebhookEndpointsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    status?: "enabled" | "disabled";
}
export interface ListDeliveriesParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    status?: "pending" | "retrying" | "succeeded" | "failed" | "skipped";
    eventId?: string;
    type?: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
    resourceId?: string;
}
export interface ListEmailsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    kind?: "receipt" | "order_confirmation" | "payment_failed" | "authentication_required" | "trial_started" | "trial_ending" | "renewal_upcoming" | "cancellation_scheduled" | "cancellation_undone" | "renewal_failed" | "canceled" | "card_expiring" | "portal_sign_in" | "portal_email_confirm" | "portal_email_changed" | "payments_connected" | "payments_disconnected" | "team_invitation" | "team_password";
    status?: "queued" | "sent" | "kept" | "skipped" | "failed";
    /** `false`: without the skipped e-mails. `true`: only the skipped e-mails. */
    skipped?: boolean;
}
export interface ListAuditLogParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    actorType?: "user" | "key" | "cli";
    actorId?: string;
    operation?: string;
    customerId?: string;
}
export type ErrorCode = "already_archived" | "already_disputed" | "already_subscribed" | "api_key_expired" | "api_key_in_use" | "api_key_invalid" | "api_key_missing" | "api_key_not_active" | "api_key_revoked" | "balance_left" | "body_too_large" | "catch_up_pending" | "change_in_progress" | "checkout_not_open" | "clock_advancing" | "clock_backwards" | "clock_not_settable" | "clock_stopped" | "code_taken" | "credit_spent" | "credited" | "customer_exists" | "discount_exhausted" | "dispute_closed" | "dispute_not_inquiry" | "dispute_outcome_mismatch" | "endpoint_disabled" | "external_id_fixed" | "headers_too_large" | "idempotency_in_progress" | "idempotency_key_reused" | "idempotency_key_used" | "insufficient_scope" | "internal_error" | "invoice_not_open" | "invoice_not_paid" | "invoice_open" | "key_taken" | "malformed_json" | "malformed_request" | "not_acceptable" | "not_found" | "nothing_to_pay_out" | "nothing_to_refund" | "payment_action_required" | "payment_disputed" | "payment_failed" | "payment_in_progress" | "payment_method_detached" | "payment_method_required" | "payment_not_disputable" | "payment_not_refundable" | "payment_provider_missing" | "payment_refused" | "payment_unknown" | "precondition_failed" | "rate_limited" | "refund_in_progress" | "refund_not_failable" | "request_timeout" | "subscription_canceled" | "subscription_cancellation_scheduled" | "subscription_past_due" | "unavailable" | "unsupported_media_type" | "uri_too_long" | "validation_failed" | "webhook_endpoint_limit_reached";
/** One thing wrong with a request; `pointer` is a JSON Pointer in a body, a name elsewhere. */
export interface FieldError {
    in: "body" | "query" | "path" | "header";
    pointer: string;
    code: string;
    message: string;
}
/** An error's body: RFC 9457 and what Billow adds. */
export interface Problem {
    type: string;
    title: string;
    status: number;
    code: ErrorCode;
    detail: string;
    requestId: string;
    errors?: FieldError[];
    /** The Customer in the way (`customer_exists`). */
    customerId?: string | null;
    /** The Subscription in the way (`already_subscribed`). */
    subscriptionId?: string | null;
    /** With 402: why the card was declined, and the hosted page where the buyer can pay. */
    declineCode?: string | null;
    checkoutId?: string | null;
    url?: string | null;
    /** The most that can be given back, in minor units (`credited`, `credit_spent` and the like). */
    available?: number;
    /** The Customer's credit, in minor units (`balance_left`). */
    balances?: {
        currency: string;
        amount: number;
    }[];
}
