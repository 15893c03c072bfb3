/** Instant in RFC 3339, UTC, with milliseconds. */
export type Timestamp = string;
/** At most 50 keys of 1–40 characters; texts up to 500 characters, finite numbers, booleans. */
export type Metadata = Record<string, string | number | boolean>;
export type Interval = "day" | "week" | "month" | "year";
export interface Address {
    /** ISO 3166-1 alpha-2. */
    country: string;
    line1: string | null;
    line2: string | null;
    postalCode: string | null;
    city: string | null;
    state: string | null;
}
export interface AddressParams {
    /** ISO 3166-1 alpha-2. */
    country: string;
    line1?: string | null;
    line2?: string | null;
    postalCode?: string | null;
    city?: string | null;
    state?: string | null;
}
export interface TaxId {
    type: string;
    value: string;
}
export interface Customer {
    id: string;
    email: string;
    name: string | null;
    externalId: string | null;
    billingAddress: Address | null;
    taxId: TaxId | null;
    metadata: Metadata;
    createdAt: Timestamp;
    updatedAt: Timestamp;
}
export interface CustomerCreateParams {
    email: string;
    name?: string | null;
    /** The caller's own id of this Customer. */
    externalId?: string | null;
    billingAddress?: AddressParams | null;
    /** Needs a billing country. */
    taxId?: TaxId | null;
    metadata?: Metadata;
}
export interface Checkout {
    id: string;
    /** `processing`: payment submitted, outcome not known yet. */
    status: "open" | "processing" | "completed" | "expired";
    /** The hosted page; send the buyer here. */
    url: string;
    productId: string;
    customerId: string | null;
    externalCustomerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    /** ISO 4217, lower case. */
    currency: string;
    /** Amounts are what is due today, in the currency's minor unit. */
    subtotalAmount: number;
    discountAmount: number;
    /** Null while tax may be due and no billing country is known; so is `totalAmount`. */
    taxAmount: number | null;
    totalAmount: number | null;
    /** The list price that renews, before discount and tax. */
    recurringAmount: number | null;
    interval: Interval | null;
    intervalCount: number | null;
    trialDays: number | null;
    discountId: string | null;
    successUrl: string | null;
    cancelUrl: string | null;
    /** A declined card leaves the Checkout `open`. */
    lastPaymentError: {
        code: string;
        message: string;
    } | null;
    expiresAt: Timestamp;
    completedAt: Timestamp | null;
    metadata: Metadata;
    createdAt: Timestamp;
    updatedAt: Timestamp;
}
/** One of `productId` and `productKey`; at most one of `customerId`, `externalCustomerId`, `customer` and `subscriptionId`. */
export interface CheckoutCreateParams {
    productId?: string;
    productKey?: string;
    customerId?: string;
    externalCustomerId?: string;
    /** Found, or created together with the Checkout. */
    customer?: CustomerCreateParams;
    /** Once paid, this Subscription changes to the Product; no new one is made. */
    subscriptionId?: string;
    /** ISO 4217, lower case. */
    currency?: string;
    discountCode?: string;
    /** `{CHECKOUT_ID}` in it is replaced. */
    successUrl?: string;
    cancelUrl?: string;
    /** 5–10080; 1440 (24 h) when left out. */
    expiresInMinutes?: number;
    metadata?: Metadata;
}
export type CancellationReason = "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other";
export interface PendingChange {
    productId: string;
    amount: number;
    currency: string;
    interval: Interval;
    intervalCount: number;
    effectiveAt: Timestamp;
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
    interval: Interval;
    intervalCount: number;
    currentPeriodStart: Timestamp;
    /** The first instant after the period. */
    currentPeriodEnd: Timestamp;
    trialStart: Timestamp | null;
    trialEnd: Timestamp | null;
    cancelAtPeriodEnd: boolean;
    /** The planned end. */
    cancelAt: Timestamp | null;
    /** When the cancellation was asked for. */
    canceledAt: Timestamp | null;
    endedAt: Timestamp | null;
    cancellationReason: CancellationReason | "payment_failed" | null;
    cancellationComment: string | null;
    pendingChange: PendingChange | null;
    discountId: string | null;
    metadata: Metadata;
    startedAt: Timestamp;
    createdAt: Timestamp;
    updatedAt: Timestamp;
}
/** At least one field. */
export interface SubscriptionUpdateParams {
    productId?: string;
    productKey?: string;
    /** Only with a Product. */
    prorationBehavior?: "invoice_now" | "next_invoice" | "next_period" | "none";
    /** `true` schedules the cancellation, `false` undoes it. */
    cancelAtPeriodEnd?: boolean;
    /** Only with `cancelAtPeriodEnd: true`, and so is the comment (at most 1000 characters). */
    cancellationReason?: CancellationReason;
    cancellationComment?: string;
}
export type BenefitType = "feature" | "license_key" | "download" | "custom";
export interface Benefit {
    id: string;
    key: string | null;
    type: BenefitType;
    name: string;
    description: string | null;
    properties: Record<string, unknown>;
    metadata: Metadata;
}
export interface FeatureProperties {
    feature: string;
    value: boolean | number | string;
}
export interface LicenseKeyProperties {
    key: string;
    activationLimit: number | null;
    activations: number;
}
export interface DownloadProperties {
    /** `size` in bytes; `url` is signed and expires. */
    files: {
        name: string;
        size: number;
        url: string;
    }[];
}
export interface CustomProperties {
    note: string | null;
}
export interface BenefitGrant {
    id: string;
    customerId: string;
    externalCustomerId: string | null;
    benefitId: string;
    /** Granted for a Subscription or for a one-time purchase (`invoiceId`): exactly one is not null. */
    subscriptionId: string | null;
    invoiceId: string | null;
    benefit: Benefit;
    /** Shaped by `benefit.type`. */
    properties: FeatureProperties | LicenseKeyProperties | DownloadProperties | CustomProperties;
    grantedAt: Timestamp;
    /** When access ends unless something happens first; null while it renews. */
    expiresAt: Timestamp | null;
    createdAt: Timestamp;
}
/** Exactly one of `customerId` and `externalCustomerId`. */
export interface BenefitGrantListParams {
    customerId?: string;
    externalCustomerId?: string;
    benefitId?: string;
    type?: BenefitType;
    /** 1–100; 100 when left out. */
    limit?: number;
    cursor?: string;
}
export interface BenefitGrantPage {
    /** Newest first. */
    data: BenefitGrant[];
    /** Null on the last page. */
    nextCursor: string | null;
}
export type ErrorCode = "malformed_json" | "api_key_missing" | "api_key_invalid" | "api_key_expired" | "api_key_revoked" | "payment_failed" | "payment_action_required" | "payment_method_required" | "insufficient_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "subscription_canceled" | "subscription_cancellation_scheduled" | "subscription_past_due" | "invoice_open" | "change_in_progress" | "customer_exists" | "already_subscribed" | "clock_advancing" | "payment_provider_missing" | "idempotency_in_progress" | "idempotency_key_used" | "precondition_failed" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "validation_failed" | "idempotency_key_reused" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
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
}
