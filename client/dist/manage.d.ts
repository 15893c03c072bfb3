import type { Calls, List, ReadOptions } from "./calls.ts";
import type { ProductKey } from "./catalogue.ts";
import type { CallOptions } from "./transport.ts";
import type * as wire from "./types.ts";
/** The management API, by resource. */
export declare class Manage {
    #private;
    constructor(calls: Calls);
    readonly organization: {
        /** Read the Organization of the key. */
        get: (options?: ReadOptions) => Promise<wire.Organization>;
        /** Change the settings. Objects within them are replaced as a whole, except `emails` and `portal`. */
        update: (params: wire.UpdateOrganizationParams, options?: CallOptions) => Promise<wire.Organization>;
    };
    readonly apiKeys: {
        /** Create an API key. Only this answer shows its secret. */
        create: (params: wire.CreateApiKeyParams, options?: CallOptions) => Promise<wire.NewApiKey>;
        /** List the API keys, with the expired and revoked keys, newest first. */
        list: (params?: wire.ListApiKeysParams, options?: ReadOptions) => List<wire.ApiKey>;
        /** Create the successor of an API key. The old key stays valid for an overlap. */
        rotate: (keyId: string, params: wire.RotateApiKeyParams, options?: CallOptions) => Promise<wire.NewApiKey>;
        /** Revoke an API key for good. The revocation takes effect within a second. */
        revoke: (keyId: string, options?: ReadOptions) => Promise<wire.ApiKey>;
    };
    readonly products: {
        /** Create a Product. */
        create: (params: wire.CreateProductParams, options?: CallOptions) => Promise<wire.Product>;
        /** List Products, newest first. */
        list: (params?: wire.ListProductsParams, options?: ReadOptions) => List<wire.Product>;
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key: ProductKey, options?: ReadOptions) => Promise<wire.Product>;
        /** Read a Product. */
        get: (productId: string, options?: ReadOptions) => Promise<wire.Product>;
        /** Change a Product. Sold Subscriptions keep their price. */
        update: (productId: string, params: wire.UpdateProductParams, options?: CallOptions) => Promise<wire.Product>;
    };
    readonly benefits: {
        /** Create a Benefit. */
        create: (params: wire.CreateBenefitParams, options?: CallOptions) => Promise<wire.Benefit>;
        /** List Benefits, newest first. */
        list: (params?: wire.ListBenefitsParams, options?: ReadOptions) => List<wire.Benefit>;
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key: string, options?: ReadOptions) => Promise<wire.Benefit>;
        /** Read a Benefit. */
        get: (benefitId: string, options?: ReadOptions) => Promise<wire.Benefit>;
        /** Change a Benefit. Existing grants change too. */
        update: (benefitId: string, params: wire.UpdateBenefitParams, options?: CallOptions) => Promise<wire.Benefit>;
        /** Delete a Benefit. Products and their Subscriptions lose the Benefit. One-time purchases keep it. */
        delete: (benefitId: string, options?: ReadOptions) => Promise<void>;
    };
    readonly discounts: {
        /** Create a Discount. */
        create: (params: wire.CreateDiscountParams, options?: CallOptions) => Promise<wire.Discount>;
        /** List Discounts, newest first. */
        list: (params?: wire.ListDiscountsParams, options?: ReadOptions) => List<wire.Discount>;
        /** Read a Discount. */
        get: (discountId: string, options?: ReadOptions) => Promise<wire.Discount>;
        /** Change the code of a Discount or the limits of its use. */
        update: (discountId: string, params: wire.UpdateDiscountParams, options?: CallOptions) => Promise<wire.Discount>;
        /** Delete a Discount. Its code can't be used any more. Subscriptions with the Discount keep it. */
        delete: (discountId: string, options?: ReadOptions) => Promise<void>;
    };
    readonly customers: {
        /** List Customers, newest first. */
        list: (params?: wire.ListCustomersParams, options?: ReadOptions) => List<wire.Customer>;
        /** Read a Customer. */
        get: (customerId: string, options?: ReadOptions) => Promise<wire.Customer>;
        /** Change a Customer. Issued documents keep the earlier data of the Customer. */
        update: (customerId: string, params: wire.UpdateCustomerParams, options?: CallOptions) => Promise<wire.Customer>;
        /** Delete a Customer. All that the Customer has ends at once. Only issued documents keep the Customer's personal data. */
        delete: (customerId: string, params?: {
            /** `true`: the credit of the Customer is written off. */
            forfeitBalance?: boolean;
        }, options?: ReadOptions) => Promise<void>;
        /** Read a Customer's balance in each currency. */
        getBalance: (customerId: string, options?: ReadOptions) => Promise<wire.Balances>;
        /** List the entries of a Customer's balance, newest first. */
        listBalanceEntries: (customerId: string, params?: wire.ListCustomerBalanceEntriesParams, options?: ReadOptions) => List<wire.BalanceEntry>;
        /** Add to a Customer's balance or take from it. Later renewals, changes and purchases may use the balance. */
        adjustBalance: (customerId: string, params: wire.AdjustBalanceParams, options?: CallOptions) => Promise<wire.BalanceEntry>;
        /** Make a link that signs a Customer in to the portal once. */
        createPortalSession: (customerId: string, params?: wire.CreateCustomerPortalSessionParams, options?: CallOptions) => Promise<wire.PortalSession>;
        /** List the cards of a Customer that may be charged, newest first. */
        listPaymentMethods: (customerId: string, params?: wire.ListCustomerPaymentMethodsParams, options?: ReadOptions) => List<wire.PaymentMethod>;
        /** Pay credit of a Customer's balance out to the cards that the credit came from. */
        payOutBalance: (customerId: string, params: wire.PayOutBalanceParams, options?: CallOptions) => Promise<wire.BalanceRefunds>;
    };
    readonly portalSessions: {
        /** Make a link that signs in to the portal once, for a Customer named by id or `externalId`. */
        create: (params: wire.CreatePortalSessionParams, options?: CallOptions) => Promise<wire.PortalSession>;
    };
    readonly checkouts: {
        /** List Checkouts, newest first. */
        list: (params?: wire.ListCheckoutsParams, options?: ReadOptions) => List<wire.Checkout>;
        /** Read a Checkout. */
        get: (checkoutId: string, options?: ReadOptions) => Promise<wire.Checkout>;
    };
    readonly subscriptions: {
        /** Create a Subscription without a Checkout: complimentary, sold by hand, or begun elsewhere. */
        create: (params: wire.CreateSubscriptionParams, options?: CallOptions) => Promise<wire.Subscription>;
        /** List Subscriptions, newest first. */
        list: (params?: wire.ListSubscriptionsParams, options?: ReadOptions) => List<wire.Subscription>;
        /** Read a Subscription. */
        get: (subscriptionId: string, options?: ReadOptions) => Promise<wire.Subscription>;
        /** Preview a PATCH of the Subscription, line by line. No data is changed. */
        preview: (subscriptionId: string, params: wire.UpdateSubscriptionParams, options?: CallOptions) => Promise<wire.ChangePreview>;
        /** End a Subscription at once. Billow makes no refund by itself. */
        cancelNow: (subscriptionId: string, params?: wire.CancelSubscriptionParams, options?: CallOptions) => Promise<wire.Subscription>;
        /** Preview the last invoice of `cancel-now`, line by line. No data is changed. */
        previewCancellation: (subscriptionId: string, params?: wire.CancelSubscriptionParams, options?: CallOptions) => Promise<wire.ChangePreview>;
        /** Read the history of a Subscription, its invoices, payments and grants, in order and in words. */
        listTimeline: (subscriptionId: string, params?: wire.ListSubscriptionTimelineParams, options?: ReadOptions) => List<wire.TimelineEntry>;
    };
    readonly invoices: {
        /** List Invoices, newest first. */
        list: (params?: wire.ListInvoicesParams, options?: ReadOptions) => List<wire.Invoice>;
        /** Read an Invoice. */
        get: (invoiceId: string, options?: ReadOptions) => Promise<wire.Invoice>;
        /** Read an Invoice as a PDF, in its present state. */
        getPdf: (invoiceId: string, options?: ReadOptions) => Promise<Uint8Array>;
        /** Charge an open Invoice now. The schedule of its retries does not change. */
        pay: (invoiceId: string, options?: CallOptions) => Promise<wire.Invoice>;
        /** Void an open Invoice. The Invoice needs no payment any more. */
        void: (invoiceId: string, params?: {
            /** For your records. The Invoice shows this text as `voidReason`. */
            reason?: string | null;
        }, options?: CallOptions) => Promise<wire.Invoice>;
        /** Mark an open Invoice as paid outside Billow, for example by bank transfer. */
        markPaid: (invoiceId: string, params?: {
            /** For example the reference of a bank transfer. The Invoice shows this text as `paymentNote`. */
            reason?: string | null;
        }, options?: CallOptions) => Promise<wire.Invoice>;
        /** Explain each amount of an Invoice: the rule, the inputs, and the arithmetic in words. */
        explain: (invoiceId: string, options?: ReadOptions) => Promise<wire.Explanation>;
        /** Refund a part or all of the paid amount. A refund to a card is `pending` until the provider has answered. */
        refund: (invoiceId: string, params?: wire.CreateRefundParams, options?: CallOptions) => Promise<wire.Refund>;
    };
    readonly payments: {
        /** List Payments, newest first. */
        list: (params?: wire.ListPaymentsParams, options?: ReadOptions) => List<wire.Payment>;
        /** Read a Payment. */
        get: (paymentId: string, options?: ReadOptions) => Promise<wire.Payment>;
    };
    readonly paymentMethods: {
        /** Read a card on file, also after it was detached. */
        get: (paymentMethodId: string, options?: ReadOptions) => Promise<wire.PaymentMethod>;
    };
    readonly sandbox: {
        /** Let the bank replace a card: another expiry, and another number if `last4` is given. */
        updatePaymentMethod: (paymentMethodId: string, params: wire.UpdateCardParams, options?: CallOptions) => Promise<wire.PaymentMethod>;
        /** Let the provider detach a card, so that the card can't be charged any more. */
        detachPaymentMethod: (paymentMethodId: string, options?: CallOptions) => Promise<wire.PaymentMethod>;
        /** Refund a charge at the payment provider, as an operator does in the provider's dashboard. */
        refundPayment: (paymentId: string, params?: wire.RefundPaymentParams, options?: CallOptions) => Promise<wire.Refund>;
        /** Let a refund to a card fail, as a bank does days or weeks after its success. */
        failRefund: (refundId: string, params?: wire.FailRefundParams, options?: CallOptions) => Promise<wire.Refund>;
        /** Dispute a charge, as a buyer does at their bank. */
        disputePayment: (paymentId: string, params?: wire.DisputePaymentParams, options?: CallOptions) => Promise<wire.Dispute>;
        /** Take the money of an inquiry back, as the bank does. */
        escalateDispute: (disputeId: string, options?: CallOptions) => Promise<wire.Dispute>;
        /** Decide a Dispute, as the bank does. */
        closeDispute: (disputeId: string, params: wire.CloseDisputeParams, options?: CallOptions) => Promise<wire.Dispute>;
        /** Read the clock and the progress of its advance. */
        getClock: (options?: ReadOptions) => Promise<wire.Clock>;
        /** Set the clock to any instant, before the first Customer and Checkout. */
        setClock: (params: wire.SetClockParams, options?: ReadOptions) => Promise<wire.Clock>;
        /** Advance the clock and do all due work on the way. 202: the advance continues by itself, read the clock. */
        advanceClock: (params: wire.AdvanceClockParams, options?: CallOptions) => Promise<wire.ClockAdvance | wire.ClockAdvancing>;
        /** Stop the advance of the clock, if one is under way. The clock stays at its present time. */
        stopClock: (options?: ReadOptions) => Promise<wire.Clock>;
        /** Pay a Checkout as its page does. The answer is the Checkout after the attempt, also after a decline. */
        payCheckout: (checkoutId: string, params: wire.PayCheckoutParams, options?: CallOptions) => Promise<wire.PaidCheckout>;
        /** Let the built-in provider take charges again. Charges that waited are made before the answer. */
        resumePayments: (options?: CallOptions) => Promise<wire.OrganizationPayments>;
        /** Give a Customer a new default card. */
        setCard: (customerId: string, params: wire.SetCardParams, options?: CallOptions) => Promise<wire.PaymentMethod>;
    };
    readonly refunds: {
        /** List Refunds, newest first. */
        list: (params?: wire.ListRefundsParams, options?: ReadOptions) => List<wire.Refund>;
        /** Read a Refund. */
        get: (refundId: string, options?: ReadOptions) => Promise<wire.Refund>;
    };
    readonly creditNotes: {
        /** List credit notes, newest first. */
        list: (params?: wire.ListCreditNotesParams, options?: ReadOptions) => List<wire.CreditNote>;
        /** Read a credit note. */
        get: (creditNoteId: string, options?: ReadOptions) => Promise<wire.CreditNote>;
        /** Read a credit note as a PDF. */
        getPdf: (creditNoteId: string, options?: ReadOptions) => Promise<Uint8Array>;
    };
    readonly disputes: {
        /** List Disputes, newest first. */
        list: (params?: wire.ListDisputesParams, options?: ReadOptions) => List<wire.Dispute>;
        /** Read a Dispute. */
        get: (disputeId: string, options?: ReadOptions) => Promise<wire.Dispute>;
    };
    readonly providerNotices: {
        /** List the notices of payment providers, newest first. */
        list: (params?: wire.ListProviderNoticesParams, options?: ReadOptions) => List<wire.ProviderNotice>;
    };
    readonly benefitGrants: {
        /** List BenefitGrants, also revoked ones, newest first. */
        list: (params?: wire.ListManagedBenefitGrantsParams, options?: ReadOptions) => List<wire.ManagedBenefitGrant>;
        /** List the devices on which a granted license key is used, newest first. */
        listLicenseActivations: (benefitGrantId: string, params?: wire.ListLicenseActivationsParams, options?: ReadOptions) => List<wire.LicenseActivation>;
        /** End the use of a license key on a device that its owner no longer has. */
        removeLicenseActivation: (benefitGrantId: string, activationId: string, options?: ReadOptions) => Promise<void>;
    };
    readonly events: {
        /** List events in the order they happened. */
        list: (params?: wire.ListEventsParams, options?: ReadOptions) => List<wire.Event>;
        /** Read an event. */
        get: (eventId: string, options?: ReadOptions) => Promise<wire.Event>;
    };
    readonly webhookEndpoints: {
        /** Create a webhook endpoint that receives events. Only this answer shows its secret. */
        create: (params: wire.CreateWebhookEndpointParams, options?: CallOptions) => Promise<wire.WebhookEndpointWithSecret>;
        /** List webhook endpoints, newest first. */
        list: (params?: wire.ListWebhookEndpointsParams, options?: ReadOptions) => List<wire.WebhookEndpoint>;
        /** Read a webhook endpoint. */
        get: (endpointId: string, options?: ReadOptions) => Promise<wire.WebhookEndpoint>;
        /** Change, disable or enable a webhook endpoint. */
        update: (endpointId: string, params: wire.UpdateWebhookEndpointParams, options?: CallOptions) => Promise<wire.WebhookEndpoint>;
        /** Delete a webhook endpoint. The endpoint gets no deliveries any more. */
        delete: (endpointId: string, options?: ReadOptions) => Promise<void>;
        /** Make a new secret. Only this answer shows it. The old secret also signs during the overlap. */
        rotateSecret: (endpointId: string, params?: wire.RotateSecretParams, options?: CallOptions) => Promise<wire.WebhookEndpointWithSecret>;
        /** Send a `webhook_endpoint.test` event to this endpoint alone. */
        test: (endpointId: string, options?: CallOptions) => Promise<wire.Delivery>;
        /** Send deliveries again: those that did not arrive, or all deliveries of a span of time. */
        redeliver: (endpointId: string, params?: wire.RedeliverParams, options?: CallOptions) => Promise<wire.Redelivered>;
        /** List the deliveries to an endpoint in the last 30 days, newest first. */
        listDeliveries: (endpointId: string, params?: wire.ListDeliveriesParams, options?: ReadOptions) => List<wire.Delivery>;
    };
    readonly deliveries: {
        /** Read a delivery. */
        get: (deliveryId: string, options?: ReadOptions) => Promise<wire.Delivery>;
        /** Send a delivery again, in any status. */
        redeliver: (deliveryId: string, options?: CallOptions) => Promise<wire.Delivery>;
    };
    readonly emails: {
        /** List the e-mails to Customers, newest first. E-mails are kept for 30 days. */
        list: (params?: wire.ListEmailsParams, options?: ReadOptions) => List<wire.Email>;
        /** Read an e-mail as it was sent or kept. */
        get: (emailId: string, options?: ReadOptions) => Promise<wire.EmailWithBody>;
    };
    readonly auditLog: {
        /** List the changes by people, management keys and commands, newest first. */
        list: (params?: wire.ListAuditLogParams, options?: ReadOptions) => List<wire.AuditEntry>;
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
        }, options?: ReadOptions) => Promise<wire.Metrics>;
    };
}
