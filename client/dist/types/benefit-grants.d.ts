export interface BenefitGrant {
    id: string;
    customerId: string;
    externalCustomerId: string | null;
    benefitId: string;
    /** The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead. */
    subscriptionId: string | null;
    invoiceId: string | null;
    /** The quantity of the Subscription or of the one-time purchase. */
    quantity: number;
    benefit: GrantedBenefit;
    /** The shape depends on `benefit.type`. A number of one unit (`benefit.properties.perUnit`) is multiplied by the quantity. */
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
        /** The number is that of one unit. Absent: the number holds for any quantity. */
        perUnit?: true;
    } | {
        prefix: string | null;
        activationLimit: number | null;
        /** The number is that of one unit. Absent: the number holds for any quantity. */
        perUnit?: true;
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
export interface ManagedBenefitGrant {
    id: string;
    customerId: string;
    externalCustomerId: string | null;
    benefitId: string;
    /** The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead. */
    subscriptionId: string | null;
    invoiceId: string | null;
    /** The quantity of the Subscription or of the one-time purchase. */
    quantity: number;
    benefit: GrantedBenefit;
    /** The shape depends on `benefit.type`. A number of one unit (`benefit.properties.perUnit`) is multiplied by the quantity. */
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
    reason: "purchased" | "trial_started" | "product_changed" | "benefits_edited" | "payment_recovered" | "subscription_paused" | "subscription_resumed" | "subscription_ended" | "payment_failed" | "refunded" | "customer_deleted";
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
export interface ListBenefitGrantsParams {
    customerId?: string;
    externalCustomerId?: string;
    benefitId?: string;
    type?: "feature" | "license_key" | "download" | "custom";
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
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
