import type { Calls, List, ReadOptions } from "./calls.ts";
import type { ProductKey } from "./catalogue.ts";
import type { CallOptions } from "./transport.ts";
import type { ApiKey, CreateApiKeyParams, ListApiKeysParams, NewApiKey, RotateApiKeyParams } from "./types/api-keys.ts";
import type { AuditEntry, ListAuditLogParams } from "./types/audit-log.ts";
import type { LicenseActivation, ListLicenseActivationsParams, ListManagedBenefitGrantsParams, ManagedBenefitGrant } from "./types/benefit-grants.ts";
import type { Benefit, CreateBenefitParams, ListBenefitsParams, UpdateBenefitParams } from "./types/benefits.ts";
import type { CatalogueParams, CatalogueResult, CatalogueRows } from "./types/catalogue.ts";
import type { Checkout, ListCheckoutsParams } from "./types/checkouts.ts";
import type { CreditNote, ListCreditNotesParams } from "./types/credit-notes.ts";
import type { AdjustBalanceParams, BalanceEntry, BalanceRefunds, Balances, CreateCustomerPortalSessionParams, Customer, ListCustomerBalanceEntriesParams, ListCustomerPaymentMethodsParams, ListCustomersParams, PayOutBalanceParams, PaymentMethod, PortalSession, UpdateCustomerParams } from "./types/customers.ts";
import type { CreateDiscountParams, Discount, ListDiscountsParams, UpdateDiscountParams } from "./types/discounts.ts";
import type { Dispute, ListDisputesParams } from "./types/disputes.ts";
import type { Email, EmailWithBody, ListEmailsParams } from "./types/emails.ts";
import type { Event, ListEventsParams, WebhookEndpoint } from "./types/events.ts";
import type { CustomerExport } from "./types/exports.ts";
import type { CreateRefundParams, Explanation, Invoice, ListInvoicesParams, Refund } from "./types/invoices.ts";
import type { Metrics } from "./types/metrics.ts";
import type { Organization, OrganizationPayments, UpdateOrganizationParams } from "./types/organization.ts";
import type { CreatePaymentLinkParams, ListPaymentLinksParams, PaymentLink, UpdatePaymentLinkParams } from "./types/payment-links.ts";
import type { ListPaymentsParams, Payment } from "./types/payments.ts";
import type { CreatePortalSessionParams } from "./types/portal-sessions.ts";
import type { ListPriceChangeSubscriptionsParams, RepricedSubscription } from "./types/price-changes.ts";
import type { CreatePriceChangeParams, CreateProductParams, ListPriceChangesParams, ListProductsParams, PriceChange, PriceChangePreview, Product, ProductPrices, UpdateProductParams } from "./types/products.ts";
import type { ListProviderNoticesParams, ProviderNotice } from "./types/provider-notices.ts";
import type { ListRefundsParams } from "./types/refunds.ts";
import type { ReceivablesReport, RevenueReport, TaxReport } from "./types/reports.ts";
import type { AdvanceClockParams, Clock, ClockAdvance, ClockAdvancing, CloseDisputeParams, DisputePaymentParams, FailRefundParams, PaidCheckout, PayCheckoutParams, RefundPaymentParams, SetCardParams, SetClockParams, UpdateCardParams } from "./types/sandbox.ts";
import type { CancelSubscriptionParams, ChangeDiscountParams, ChangePreview, CreateSubscriptionParams, ExtendTrialParams, ListSubscriptionTimelineParams, ListSubscriptionsParams, NextInvoicePreview, PauseSubscriptionParams, Subscription, TimelineEntry, UpdateSubscriptionParams } from "./types/subscriptions.ts";
import type { CreateWebhookEndpointParams, Delivery, ListDeliveriesParams, ListWebhookEndpointsParams, RedeliverParams, Redelivered, RotateSecretParams, UpdateWebhookEndpointParams, WebhookEndpointWithSecret } from "./types/webhook-endpoints.ts";
/** The management API, by resource. */
export declare class Manage {
    #private;
    constructor(calls: Calls);
    readonly organization: {
        /** Read the Organization of the key. */
        get: (options?: ReadOptions) => Promise<Organization>;
        /** Change the settings. Objects within them are replaced as a whole, except `emails` and `portal`. */
        update: (params: UpdateOrganizationParams, options?: CallOptions) => Promise<Organization>;
    };
    readonly apiKeys: {
        /** Create an API key. Only this answer shows its secret. */
        create: (params: CreateApiKeyParams, options?: CallOptions) => Promise<NewApiKey>;
        /** List the API keys, with the expired and revoked keys, newest first. */
        list: (params?: ListApiKeysParams, options?: ReadOptions) => List<ApiKey>;
        /** Create the successor of an API key. The old key stays valid for an overlap. */
        rotate: (keyId: string, params: RotateApiKeyParams, options?: CallOptions) => Promise<NewApiKey>;
        /** Revoke an API key for good. The revocation takes effect within a second. */
        revoke: (keyId: string, options?: ReadOptions) => Promise<ApiKey>;
    };
    readonly products: {
        /** Create a Product. */
        create: (params: CreateProductParams, options?: CallOptions) => Promise<Product>;
        /** List Products, newest first. */
        list: (params?: ListProductsParams, options?: ReadOptions) => List<Product>;
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key: ProductKey, options?: ReadOptions) => Promise<Product>;
        /** Read a Product. */
        get: (productId: string, options?: ReadOptions) => Promise<Product>;
        /** Change a Product. Sold Subscriptions keep their price. */
        update: (productId: string, params: UpdateProductParams, options?: CallOptions) => Promise<Product>;
        /** Bring the present prices of a Product to present Subscriptions. */
        createPriceChange: (productId: string, params: CreatePriceChangeParams, options?: CallOptions) => Promise<PriceChange>;
        /** List the price changes of a Product, newest first. */
        listPriceChanges: (productId: string, params?: ListPriceChangesParams, options?: ReadOptions) => List<PriceChange>;
        /** Preview a price change: the Subscriptions that would move, and their MRR. No data is changed. */
        previewPriceChange: (productId: string, params: CreatePriceChangeParams, options?: CallOptions) => Promise<PriceChangePreview>;
        /** Read the prices of a Product with their time in the catalogue, and how many pay each. */
        getPrices: (productId: string, options?: ReadOptions) => Promise<ProductPrices>;
    };
    readonly priceChanges: {
        /** Read a price change and its progress. */
        get: (priceChangeId: string, options?: ReadOptions) => Promise<PriceChange>;
        /** List the Subscriptions of a price change by their ids. */
        listSubscriptions: (priceChangeId: string, params?: ListPriceChangeSubscriptionsParams, options?: ReadOptions) => List<RepricedSubscription>;
        /** Pause a price change: no further notice is given. */
        pause: (priceChangeId: string, options?: CallOptions) => Promise<PriceChange>;
        /** Go on with a paused price change. */
        resume: (priceChangeId: string, options?: CallOptions) => Promise<PriceChange>;
        /** Stop a price change for good. */
        stop: (priceChangeId: string, options?: CallOptions) => Promise<PriceChange>;
        /** Withdraw a price change: the prices that wait are taken back. */
        withdraw: (priceChangeId: string, options?: CallOptions) => Promise<PriceChange>;
    };
    readonly benefits: {
        /** Create a Benefit. */
        create: (params: CreateBenefitParams, options?: CallOptions) => Promise<Benefit>;
        /** List Benefits, newest first. */
        list: (params?: ListBenefitsParams, options?: ReadOptions) => List<Benefit>;
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key: string, options?: ReadOptions) => Promise<Benefit>;
        /** Read a Benefit. */
        get: (benefitId: string, options?: ReadOptions) => Promise<Benefit>;
        /** Change a Benefit. Existing grants change too. */
        update: (benefitId: string, params: UpdateBenefitParams, options?: CallOptions) => Promise<Benefit>;
        /** Delete a Benefit. Products and their Subscriptions lose the Benefit. One-time purchases keep it. */
        delete: (benefitId: string, options?: ReadOptions) => Promise<void>;
    };
    readonly discounts: {
        /** Create a Discount. */
        create: (params: CreateDiscountParams, options?: CallOptions) => Promise<Discount>;
        /** List Discounts, newest first. */
        list: (params?: ListDiscountsParams, options?: ReadOptions) => List<Discount>;
        /** Read a Discount. */
        get: (discountId: string, options?: ReadOptions) => Promise<Discount>;
        /** Change the code of a Discount or the limits of its use. */
        update: (discountId: string, params: UpdateDiscountParams, options?: CallOptions) => Promise<Discount>;
        /** Delete a Discount. Its code can't be used any more. Subscriptions with the Discount keep it. */
        delete: (discountId: string, options?: ReadOptions) => Promise<void>;
    };
    readonly catalogue: {
        /** Read the whole catalogue: Benefits, Products and Discounts by key. */
        get: (options?: ReadOptions) => Promise<CatalogueRows>;
        /** Make and change Benefits, Products and Discounts by key, all or none. */
        push: (params: CatalogueParams, options?: ReadOptions) => Promise<CatalogueResult>;
        /** Preview the changes of a catalogue. No data is changed. */
        preview: (params: CatalogueParams, options?: CallOptions) => Promise<CatalogueResult>;
    };
    readonly paymentLinks: {
        /** Create a payment link: a public page that sells up to ten Products. */
        create: (params: CreatePaymentLinkParams, options?: CallOptions) => Promise<PaymentLink>;
        /** List payment links with their counts, newest first. */
        list: (params?: ListPaymentLinksParams, options?: ReadOptions) => List<PaymentLink>;
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key: string, options?: ReadOptions) => Promise<PaymentLink>;
        /** Read a payment link with its counts. */
        get: (paymentLinkId: string, options?: ReadOptions) => Promise<PaymentLink>;
        /** Change a payment link for later visits, or switch its page off or on. */
        update: (paymentLinkId: string, params: UpdatePaymentLinkParams, options?: CallOptions) => Promise<PaymentLink>;
    };
    readonly customers: {
        /** List Customers, newest first. */
        list: (params?: ListCustomersParams, options?: ReadOptions) => List<Customer>;
        /** Read a Customer. */
        get: (customerId: string, options?: ReadOptions) => Promise<Customer>;
        /** Change a Customer. Issued documents keep the earlier data of the Customer. */
        update: (customerId: string, params: UpdateCustomerParams, options?: CallOptions) => Promise<Customer>;
        /** Delete a Customer. All that the Customer has ends at once. Only issued documents keep the Customer's personal data. */
        delete: (customerId: string, params?: {
            /** `true`: the credit of the Customer is written off. */
            forfeitBalance?: boolean;
        }, options?: ReadOptions) => Promise<void>;
        /** Read a Customer's balance in each currency. */
        getBalance: (customerId: string, options?: ReadOptions) => Promise<Balances>;
        /** List the entries of a Customer's balance, newest first. */
        listBalanceEntries: (customerId: string, params?: ListCustomerBalanceEntriesParams, options?: ReadOptions) => List<BalanceEntry>;
        /** Add to a Customer's balance or take from it. Later renewals, changes and purchases may use the balance. */
        adjustBalance: (customerId: string, params: AdjustBalanceParams, options?: CallOptions) => Promise<BalanceEntry>;
        /** Make a link that signs a Customer in to the portal once. */
        createPortalSession: (customerId: string, params?: CreateCustomerPortalSessionParams, options?: CallOptions) => Promise<PortalSession>;
        /** List the cards of a Customer that may be charged, newest first. */
        listPaymentMethods: (customerId: string, params?: ListCustomerPaymentMethodsParams, options?: ReadOptions) => List<PaymentMethod>;
        /** Pay credit of a Customer's balance out to the cards that the credit came from. */
        payOutBalance: (customerId: string, params: PayOutBalanceParams, options?: CallOptions) => Promise<BalanceRefunds>;
        /** Export all data of a Customer as one JSON document, such as for a request under the GDPR. */
        export: (customerId: string, options?: ReadOptions) => Promise<CustomerExport>;
    };
    readonly portalSessions: {
        /** Make a link that signs in to the portal once, for a Customer named by id or `externalId`. */
        create: (params: CreatePortalSessionParams, options?: CallOptions) => Promise<PortalSession>;
    };
    readonly checkouts: {
        /** List Checkouts, newest first. */
        list: (params?: ListCheckoutsParams, options?: ReadOptions) => List<Checkout>;
        /** Read a Checkout. */
        get: (checkoutId: string, options?: ReadOptions) => Promise<Checkout>;
    };
    readonly subscriptions: {
        /** Create a Subscription without a Checkout: complimentary, sold by hand, or begun elsewhere. */
        create: (params: CreateSubscriptionParams, options?: CallOptions) => Promise<Subscription>;
        /** List Subscriptions, newest first. */
        list: (params?: ListSubscriptionsParams, options?: ReadOptions) => List<Subscription>;
        /** Read a Subscription. */
        get: (subscriptionId: string, options?: ReadOptions) => Promise<Subscription>;
        /** Preview a PATCH of the Subscription, line by line. No data is changed. */
        preview: (subscriptionId: string, params: UpdateSubscriptionParams, options?: CallOptions) => Promise<ChangePreview>;
        /** Pause a Subscription from the end of its period or trial on. */
        pause: (subscriptionId: string, params: PauseSubscriptionParams, options?: CallOptions) => Promise<Subscription>;
        /** Resume a paused Subscription, or undo a pause that has not begun. */
        resume: (subscriptionId: string, options?: CallOptions) => Promise<Subscription>;
        /** Preview the invoice that `resume` would make now, line by line. No data is changed. */
        previewResume: (subscriptionId: string, options?: CallOptions) => Promise<ChangePreview>;
        /** Give a Subscription another discount from its next period on, or take its discount off. */
        changeDiscount: (subscriptionId: string, params: ChangeDiscountParams, options?: CallOptions) => Promise<Subscription>;
        /** Preview the next invoice before and after another discount. No data is changed. */
        previewDiscount: (subscriptionId: string, params: ChangeDiscountParams, options?: CallOptions) => Promise<NextInvoicePreview>;
        /** Move the end of a trial to a later time. */
        extendTrial: (subscriptionId: string, params: ExtendTrialParams, options?: CallOptions) => Promise<Subscription>;
        /** Preview the next invoice before and after a longer trial. No data is changed. */
        previewTrial: (subscriptionId: string, params: ExtendTrialParams, options?: CallOptions) => Promise<NextInvoicePreview>;
        /** End a Subscription at once. Billow makes no refund by itself. */
        cancelNow: (subscriptionId: string, params?: CancelSubscriptionParams, options?: CallOptions) => Promise<Subscription>;
        /** Preview the last invoice of `cancel-now`, line by line. No data is changed. */
        previewCancellation: (subscriptionId: string, params?: CancelSubscriptionParams, options?: CallOptions) => Promise<ChangePreview>;
        /** Read the history of a Subscription, its invoices, payments and grants, in order and in words. */
        listTimeline: (subscriptionId: string, params?: ListSubscriptionTimelineParams, options?: ReadOptions) => List<TimelineEntry>;
    };
    readonly invoices: {
        /** List Invoices, newest first. */
        list: (params?: ListInvoicesParams, options?: ReadOptions) => List<Invoice>;
        /** Read an Invoice. */
        get: (invoiceId: string, options?: ReadOptions) => Promise<Invoice>;
        /** Read an Invoice as a PDF, in its present state. */
        getPdf: (invoiceId: string, options?: ReadOptions) => Promise<Uint8Array>;
        /** Charge an open Invoice now. The schedule of its retries does not change. */
        pay: (invoiceId: string, options?: CallOptions) => Promise<Invoice>;
        /** Void an open Invoice. The Invoice needs no payment any more. */
        void: (invoiceId: string, params?: {
            /** For your records. The Invoice shows this text as `voidReason`. */
            reason?: string | null;
        }, options?: CallOptions) => Promise<Invoice>;
        /** Mark an open Invoice as paid outside Billow, for example by bank transfer. */
        markPaid: (invoiceId: string, params?: {
            /** For example the reference of a bank transfer. The Invoice shows this text as `paymentNote`. */
            reason?: string | null;
        }, options?: CallOptions) => Promise<Invoice>;
        /** Explain each amount of an Invoice: the rule, the inputs, and the arithmetic in words. */
        explain: (invoiceId: string, options?: ReadOptions) => Promise<Explanation>;
        /** Refund a part or all of the paid amount. A refund to a card is `pending` until the provider has answered. */
        refund: (invoiceId: string, params?: CreateRefundParams, options?: CallOptions) => Promise<Refund>;
    };
    readonly payments: {
        /** List Payments, newest first. */
        list: (params?: ListPaymentsParams, options?: ReadOptions) => List<Payment>;
        /** Read a Payment. */
        get: (paymentId: string, options?: ReadOptions) => Promise<Payment>;
    };
    readonly paymentMethods: {
        /** Read a card on file, also after it was detached. */
        get: (paymentMethodId: string, options?: ReadOptions) => Promise<PaymentMethod>;
    };
    readonly sandbox: {
        /** Let the bank replace a card: another expiry, and another number if `last4` is given. */
        updatePaymentMethod: (paymentMethodId: string, params: UpdateCardParams, options?: CallOptions) => Promise<PaymentMethod>;
        /** Let the provider detach a card, so that the card can't be charged any more. */
        detachPaymentMethod: (paymentMethodId: string, options?: CallOptions) => Promise<PaymentMethod>;
        /** Refund a charge at the payment provider, as an operator does in the provider's dashboard. */
        refundPayment: (paymentId: string, params?: RefundPaymentParams, options?: CallOptions) => Promise<Refund>;
        /** Let a refund to a card fail, as a bank does days or weeks after its success. */
        failRefund: (refundId: string, params?: FailRefundParams, options?: CallOptions) => Promise<Refund>;
        /** Dispute a charge, as a buyer does at their bank. */
        disputePayment: (paymentId: string, params?: DisputePaymentParams, options?: CallOptions) => Promise<Dispute>;
        /** Take the money of an inquiry back, as the bank does. */
        escalateDispute: (disputeId: string, options?: CallOptions) => Promise<Dispute>;
        /** Decide a Dispute, as the bank does. */
        closeDispute: (disputeId: string, params: CloseDisputeParams, options?: CallOptions) => Promise<Dispute>;
        /** Read the clock and the progress of its advance. */
        getClock: (options?: ReadOptions) => Promise<Clock>;
        /** Set the clock to any instant, before the first Customer and Checkout. */
        setClock: (params: SetClockParams, options?: ReadOptions) => Promise<Clock>;
        /** Advance the clock and do all due work on the way. 202: the advance continues by itself, read the clock. */
        advanceClock: (params: AdvanceClockParams, options?: CallOptions) => Promise<ClockAdvance | ClockAdvancing>;
        /** Stop the advance of the clock, if one is under way. The clock stays at its present time. */
        stopClock: (options?: ReadOptions) => Promise<Clock>;
        /** Pay a Checkout as its page does. The answer is the Checkout after the attempt, also after a decline. */
        payCheckout: (checkoutId: string, params: PayCheckoutParams, options?: CallOptions) => Promise<PaidCheckout>;
        /** Let the built-in provider take charges again. Charges that waited are made before the answer. */
        resumePayments: (options?: CallOptions) => Promise<OrganizationPayments>;
        /** Give a Customer a new default card. */
        setCard: (customerId: string, params: SetCardParams, options?: CallOptions) => Promise<PaymentMethod>;
    };
    readonly refunds: {
        /** List Refunds, newest first. */
        list: (params?: ListRefundsParams, options?: ReadOptions) => List<Refund>;
        /** Read a Refund. */
        get: (refundId: string, options?: ReadOptions) => Promise<Refund>;
    };
    readonly creditNotes: {
        /** List credit notes, newest first. */
        list: (params?: ListCreditNotesParams, options?: ReadOptions) => List<CreditNote>;
        /** Read a credit note. */
        get: (creditNoteId: string, options?: ReadOptions) => Promise<CreditNote>;
        /** Read a credit note as a PDF. */
        getPdf: (creditNoteId: string, options?: ReadOptions) => Promise<Uint8Array>;
    };
    readonly disputes: {
        /** List Disputes, newest first. */
        list: (params?: ListDisputesParams, options?: ReadOptions) => List<Dispute>;
        /** Read a Dispute. */
        get: (disputeId: string, options?: ReadOptions) => Promise<Dispute>;
    };
    readonly providerNotices: {
        /** List the notices of payment providers, newest first. */
        list: (params?: ListProviderNoticesParams, options?: ReadOptions) => List<ProviderNotice>;
    };
    readonly benefitGrants: {
        /** List BenefitGrants, also revoked ones, newest first. */
        list: (params?: ListManagedBenefitGrantsParams, options?: ReadOptions) => List<ManagedBenefitGrant>;
        /** List the devices on which a granted license key is used, newest first. */
        listLicenseActivations: (benefitGrantId: string, params?: ListLicenseActivationsParams, options?: ReadOptions) => List<LicenseActivation>;
        /** End the use of a license key on a device that its owner no longer has. */
        removeLicenseActivation: (benefitGrantId: string, activationId: string, options?: ReadOptions) => Promise<void>;
    };
    readonly events: {
        /** List events in the order they happened. */
        list: (params?: ListEventsParams, options?: ReadOptions) => List<Event>;
        /** Read an event. */
        get: (eventId: string, options?: ReadOptions) => Promise<Event>;
    };
    readonly webhookEndpoints: {
        /** Create a webhook endpoint that receives events. Only this answer shows its secret. */
        create: (params: CreateWebhookEndpointParams, options?: CallOptions) => Promise<WebhookEndpointWithSecret>;
        /** List webhook endpoints, newest first. */
        list: (params?: ListWebhookEndpointsParams, options?: ReadOptions) => List<WebhookEndpoint>;
        /** Read a webhook endpoint. */
        get: (endpointId: string, options?: ReadOptions) => Promise<WebhookEndpoint>;
        /** Change, disable or enable a webhook endpoint. */
        update: (endpointId: string, params: UpdateWebhookEndpointParams, options?: CallOptions) => Promise<WebhookEndpoint>;
        /** Delete a webhook endpoint. The endpoint gets no deliveries any more. */
        delete: (endpointId: string, options?: ReadOptions) => Promise<void>;
        /** Make a new secret. Only this answer shows it. The old secret also signs during the overlap. */
        rotateSecret: (endpointId: string, params?: RotateSecretParams, options?: CallOptions) => Promise<WebhookEndpointWithSecret>;
        /** Send a `webhook_endpoint.test` event to this endpoint alone. */
        test: (endpointId: string, options?: CallOptions) => Promise<Delivery>;
        /** Send deliveries again: those that did not arrive, or all deliveries of a span of time. */
        redeliver: (endpointId: string, params?: RedeliverParams, options?: CallOptions) => Promise<Redelivered>;
        /** List the deliveries to an endpoint, newest first. They are kept for 30 days, or as the operator sets. */
        listDeliveries: (endpointId: string, params?: ListDeliveriesParams, options?: ReadOptions) => List<Delivery>;
    };
    readonly deliveries: {
        /** Read a delivery. */
        get: (deliveryId: string, options?: ReadOptions) => Promise<Delivery>;
        /** Send a delivery again, in any status. */
        redeliver: (deliveryId: string, options?: CallOptions) => Promise<Delivery>;
    };
    readonly emails: {
        /** List the e-mails to Customers, newest first. E-mails are kept for 30 days, or as the operator sets. */
        list: (params?: ListEmailsParams, options?: ReadOptions) => List<Email>;
        /** Read an e-mail as it was sent or kept. */
        get: (emailId: string, options?: ReadOptions) => Promise<EmailWithBody>;
    };
    readonly auditLog: {
        /** List the changes by people, management keys and commands, newest first. */
        list: (params?: ListAuditLogParams, options?: ReadOptions) => List<AuditEntry>;
    };
    readonly metrics: {
        /** Read MRR, its changes, revenue and the number of Subscriptions, by day or month. */
        get: (params: {
            /** The first day. With `interval=month`, the whole month of this day. */
            from: string;
            /** The last day. With `interval=month`, the whole month of this day. */
            to: string;
            interval?: "day" | "month";
            /** The default is the Organization's default currency. */
            currency?: string;
        }, options?: ReadOptions) => Promise<Metrics>;
    };
    readonly reports: {
        /** Read the revenue of each month and currency, by the ledger. */
        getRevenue: (params: {
            /** The first month: the whole month of this day. */
            from: string;
            /** The last month: the whole month of this day. */
            to: string;
            /** Only rows of this currency. Without it, all currencies. */
            currency?: string;
        }, options?: ReadOptions) => Promise<RevenueReport>;
        /** Read the tax of each month, by currency, country, region and rate. */
        getTax: (params: {
            /** The first month: the whole month of this day. */
            from: string;
            /** The last month: the whole month of this day. */
            to: string;
            /** Only rows of this currency. Without it, all currencies. */
            currency?: string;
        }, options?: ReadOptions) => Promise<TaxReport>;
        /** Read the amounts of open invoices by age, now or at the end of a day. */
        getReceivables: (params?: {
            /** A day in the Organization's time zone. The report is of its end. Without it, the report is of now. */
            on?: string;
            /** Only rows of this currency. Without it, all currencies. */
            currency?: string;
        }, options?: ReadOptions) => Promise<ReceivablesReport>;
    };
}
