export interface Organization {
    id: string;
    name: string;
    mode: "live" | "sandbox";
    /** IANA time zone of new Subscriptions. */
    timeZone: string;
    /** ISO 4217, lower case. */
    defaultCurrency: string;
    /** The default of a change of the Product. */
    defaultProration: "invoice_now" | "next_invoice" | "next_period" | "none";
    /** The default of a rise of the quantity alone. */
    quantityRise: "invoice_now" | "next_invoice" | "next_period" | "none";
    /** The default of a fall of the quantity alone. */
    quantityFall: "invoice_now" | "next_invoice" | "next_period" | "none";
    /** Days after a first failed charge. */
    dunning: {
        retryDays: number[];
        graceDays: number;
    };
    /** The rate for a buyer is that of their region, else of their country. */
    taxRates: ({
        /** ISO 3166-1 alpha-2, upper case. */
        country: string;
        /** Compared with `state` of a billing address. The code, the ISO 3166-2 code and the names of a region are equal. Null: the rest of the country. */
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
        trialExtended: boolean;
        trialEnding: boolean;
        renewalUpcoming: boolean;
        cancellationScheduled: boolean;
        cancellationUndone: boolean;
        pauseScheduled: boolean;
        pauseUndone: boolean;
        pauseBegun: boolean;
        resumeUpcoming: boolean;
        priceChange: boolean;
        priceChangeReminder: boolean;
        changeDropped: boolean;
        renewalFailed: boolean;
        canceled: boolean;
        cardExpiring: boolean;
        cardRequest: boolean;
    };
    /** The actions that the portal allows a Customer. */
    portal: {
        changePlan: boolean;
        changeQuantity: boolean;
        editDetails: boolean;
        changeEmail: boolean;
        manageDevices: boolean;
        cancel: boolean;
        export: boolean;
        /** The Products that a Customer may change to. Null: every Product of the group. */
        products: string[] | null;
        /** The pauses that a Customer may make: the longest one in months, how many begin within 365 days, and the access during a pause. Null: none. */
        pause: {
            longestMonths: number;
            perYear: number;
            access: "revoke" | "keep";
        } | null;
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
        type: "payments_paused" | "provider_book_differs" | "webhook_endpoint_disabled" | "seller_country_missing" | "tax_rates_unclear" | "tax_regions_changed" | "refund_failed";
        /** The id of the resource that the notice is about. */
        resourceId: string;
        /** In real time. For `payments_paused`: the beginning of the pause, in billing time. For `refund_failed`: the failure, in billing time. For `seller_country_missing` and `tax_rates_unclear`: the last change of the Organization, in billing time. For `tax_regions_changed`: the upgrade. */
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
    quantityRise?: "invoice_now" | "next_invoice" | "next_period" | "none";
    quantityFall?: "invoice_now" | "next_invoice" | "next_period" | "none";
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
        trialExtended?: boolean;
        trialEnding?: boolean;
        renewalUpcoming?: boolean;
        cancellationScheduled?: boolean;
        cancellationUndone?: boolean;
        pauseScheduled?: boolean;
        pauseUndone?: boolean;
        pauseBegun?: boolean;
        resumeUpcoming?: boolean;
        priceChange?: boolean;
        priceChangeReminder?: boolean;
        changeDropped?: boolean;
        renewalFailed?: boolean;
        canceled?: boolean;
        cardExpiring?: boolean;
        cardRequest?: boolean;
    };
    /** Fields that are left out stay as they are. */
    portal?: {
        changePlan?: boolean;
        changeQuantity?: boolean;
        editDetails?: boolean;
        changeEmail?: boolean;
        manageDevices?: boolean;
        cancel?: boolean;
        export?: boolean;
        /** The Products that a Customer may change to. Null: every Product of the group. */
        products?: string[] | null;
        /** The pauses that a Customer may make: the longest one in months, how many begin within 365 days, and the access during a pause. Null: none. */
        pause?: {
            longestMonths: number;
            perYear: number;
            access: "revoke" | "keep";
        } | null;
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
