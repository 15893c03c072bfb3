// Generated from the OpenAPI document of the management API: npm run gen.
import { at } from "./calls.js";
/** The management API, by resource. */
export class Manage {
    #calls;
    constructor(calls) {
        this.#calls = calls;
    }
    organization = {
        /** Read the Organization of the key. */
        get: (options) => this.#calls.read("/organization", options),
        /** Change the settings. Objects within them are replaced as a whole, except `emails` and `portal`. */
        update: (params, options) => this.#calls.write("PATCH", "/organization", params, options),
    };
    apiKeys = {
        /** Create an API key. Only this answer shows its secret. */
        create: (params, options) => this.#calls.write("POST", "/api-keys", params, options),
        /** List the API keys, with the expired and revoked keys, newest first. */
        list: (params = {}, options) => this.#calls.list("/api-keys", params, options),
        /** Create the successor of an API key. The old key stays valid for an overlap. */
        rotate: (keyId, params, options) => this.#calls.write("POST", at `/api-keys/${keyId}/rotate`, params, options),
        /** Revoke an API key for good. The revocation takes effect within a second. */
        revoke: (keyId, options) => this.#calls.remove(at `/api-keys/${keyId}`, {}, options),
    };
    products = {
        /** Create a Product. */
        create: (params, options) => this.#calls.write("POST", "/products", params, options),
        /** List Products, newest first. */
        list: (params = {}, options) => this.#calls.list("/products", params, options),
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key, options) => this.#calls.byKey("/products", key, options),
        /** Read a Product. */
        get: (productId, options) => this.#calls.read(at `/products/${productId}`, options),
        /** Change a Product. Sold Subscriptions keep their price. */
        update: (productId, params, options) => this.#calls.write("PATCH", at `/products/${productId}`, params, options),
        /** Bring the present prices of a Product to present Subscriptions. */
        createPriceChange: (productId, params, options) => this.#calls.write("POST", at `/products/${productId}/price-changes`, params, options),
        /** List the price changes of a Product, newest first. */
        listPriceChanges: (productId, params = {}, options) => this.#calls.list(at `/products/${productId}/price-changes`, params, options),
        /** Preview a price change: the Subscriptions that would move, and their MRR. No data is changed. */
        previewPriceChange: (productId, params, options) => this.#calls.write("POST", at `/products/${productId}/price-changes/preview`, params, options),
        /** Read the prices of a Product with their time in the catalogue, and how many pay each. */
        getPrices: (productId, options) => this.#calls.read(at `/products/${productId}/prices`, options),
    };
    priceChanges = {
        /** Read a price change and its progress. */
        get: (priceChangeId, options) => this.#calls.read(at `/price-changes/${priceChangeId}`, options),
        /** List the Subscriptions of a price change by their ids. */
        listSubscriptions: (priceChangeId, params = {}, options) => this.#calls.list(at `/price-changes/${priceChangeId}/subscriptions`, params, options),
        /** Pause a price change: no further notice is given. */
        pause: (priceChangeId, options) => this.#calls.write("POST", at `/price-changes/${priceChangeId}/pause`, null, options),
        /** Go on with a paused price change. */
        resume: (priceChangeId, options) => this.#calls.write("POST", at `/price-changes/${priceChangeId}/resume`, null, options),
        /** Stop a price change for good. */
        stop: (priceChangeId, options) => this.#calls.write("POST", at `/price-changes/${priceChangeId}/stop`, null, options),
        /** Withdraw a price change: the prices that wait are taken back. */
        withdraw: (priceChangeId, options) => this.#calls.write("POST", at `/price-changes/${priceChangeId}/withdraw`, null, options),
    };
    benefits = {
        /** Create a Benefit. */
        create: (params, options) => this.#calls.write("POST", "/benefits", params, options),
        /** List Benefits, newest first. */
        list: (params = {}, options) => this.#calls.list("/benefits", params, options),
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key, options) => this.#calls.byKey("/benefits", key, options),
        /** Read a Benefit. */
        get: (benefitId, options) => this.#calls.read(at `/benefits/${benefitId}`, options),
        /** Change a Benefit. Existing grants change too. */
        update: (benefitId, params, options) => this.#calls.write("PATCH", at `/benefits/${benefitId}`, params, options),
        /** Delete a Benefit. Products and their Subscriptions lose the Benefit. One-time purchases keep it. */
        delete: (benefitId, options) => this.#calls.remove(at `/benefits/${benefitId}`, {}, options),
    };
    discounts = {
        /** Create a Discount. */
        create: (params, options) => this.#calls.write("POST", "/discounts", params, options),
        /** List Discounts, newest first. */
        list: (params = {}, options) => this.#calls.list("/discounts", params, options),
        /** Read a Discount. */
        get: (discountId, options) => this.#calls.read(at `/discounts/${discountId}`, options),
        /** Change the code of a Discount or the limits of its use. */
        update: (discountId, params, options) => this.#calls.write("PATCH", at `/discounts/${discountId}`, params, options),
        /** Delete a Discount. Its code can't be used any more. Subscriptions with the Discount keep it. */
        delete: (discountId, options) => this.#calls.remove(at `/discounts/${discountId}`, {}, options),
    };
    catalogue = {
        /** Read the whole catalogue: Benefits, Products and Discounts by key. */
        get: (options) => this.#calls.read("/catalogue", options),
        /** Make and change Benefits, Products and Discounts by key, all or none. */
        push: (params, options) => this.#calls.replace("/catalogue", params, options),
        /** Preview the changes of a catalogue. No data is changed. */
        preview: (params, options) => this.#calls.write("POST", "/catalogue/preview", params, options),
    };
    paymentLinks = {
        /** Create a payment link: a public page that sells up to ten Products. */
        create: (params, options) => this.#calls.write("POST", "/payment-links", params, options),
        /** List payment links with their counts, newest first. */
        list: (params = {}, options) => this.#calls.list("/payment-links", params, options),
        /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
        getByKey: (key, options) => this.#calls.byKey("/payment-links", key, options),
        /** Read a payment link with its counts. */
        get: (paymentLinkId, options) => this.#calls.read(at `/payment-links/${paymentLinkId}`, options),
        /** Change a payment link for later visits, or switch its page off or on. */
        update: (paymentLinkId, params, options) => this.#calls.write("PATCH", at `/payment-links/${paymentLinkId}`, params, options),
    };
    customers = {
        /** List Customers, newest first. */
        list: (params = {}, options) => this.#calls.list("/customers", params, options),
        /** Read a Customer. */
        get: (customerId, options) => this.#calls.read(at `/customers/${customerId}`, options),
        /** Change a Customer. Issued documents keep the earlier data of the Customer. */
        update: (customerId, params, options) => this.#calls.write("PATCH", at `/customers/${customerId}`, params, options),
        /** Delete a Customer. All that the Customer has ends at once. Only issued documents keep the Customer's personal data. */
        delete: (customerId, params = {}, options) => this.#calls.remove(at `/customers/${customerId}`, params, options),
        /** Read a Customer's balance in each currency. */
        getBalance: (customerId, options) => this.#calls.read(at `/customers/${customerId}/balance`, options),
        /** List the entries of a Customer's balance, newest first. */
        listBalanceEntries: (customerId, params = {}, options) => this.#calls.list(at `/customers/${customerId}/balance-entries`, params, options),
        /** Add to a Customer's balance or take from it. Later renewals, changes and purchases may use the balance. */
        adjustBalance: (customerId, params, options) => this.#calls.write("POST", at `/customers/${customerId}/balance-adjustments`, params, options),
        /** Make a link that signs a Customer in to the portal once. */
        createPortalSession: (customerId, params = {}, options) => this.#calls.write("POST", at `/customers/${customerId}/portal-sessions`, params, options),
        /** List the cards of a Customer that may be charged, newest first. */
        listPaymentMethods: (customerId, params = {}, options) => this.#calls.list(at `/customers/${customerId}/payment-methods`, params, options),
        /** Pay credit of a Customer's balance out to the cards that the credit came from. */
        payOutBalance: (customerId, params, options) => this.#calls.write("POST", at `/customers/${customerId}/balance-refunds`, params, options),
        /** Export all data of a Customer as one JSON document, such as for a request under the GDPR. */
        export: (customerId, options) => this.#calls.read(at `/customers/${customerId}/export`, options),
    };
    portalSessions = {
        /** Make a link that signs in to the portal once, for a Customer named by id or `externalId`. */
        create: (params, options) => this.#calls.write("POST", "/portal-sessions", params, options),
    };
    checkouts = {
        /** List Checkouts, newest first. */
        list: (params = {}, options) => this.#calls.list("/checkouts", params, options),
        /** Read a Checkout. */
        get: (checkoutId, options) => this.#calls.read(at `/checkouts/${checkoutId}`, options),
    };
    subscriptions = {
        /** Create a Subscription without a Checkout: complimentary, sold by hand, or begun elsewhere. */
        create: (params, options) => this.#calls.write("POST", "/subscriptions", params, options),
        /** List Subscriptions, newest first. */
        list: (params = {}, options) => this.#calls.list("/subscriptions", params, options),
        /** Read a Subscription. */
        get: (subscriptionId, options) => this.#calls.read(at `/subscriptions/${subscriptionId}`, options),
        /** Preview a PATCH of the Subscription, line by line. No data is changed. */
        preview: (subscriptionId, params, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/preview`, params, options),
        /** Pause a Subscription from the end of its period or trial on. */
        pause: (subscriptionId, params, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/pause`, params, options),
        /** Resume a paused Subscription, or undo a pause that has not begun. */
        resume: (subscriptionId, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/resume`, null, options),
        /** Preview the invoice that `resume` would make now, line by line. No data is changed. */
        previewResume: (subscriptionId, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/resume/preview`, null, options),
        /** Give a Subscription another discount from its next period on, or take its discount off. */
        changeDiscount: (subscriptionId, params, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/discount`, params, options),
        /** Preview the next invoice before and after another discount. No data is changed. */
        previewDiscount: (subscriptionId, params, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/discount/preview`, params, options),
        /** Move the end of a trial to a later time. */
        extendTrial: (subscriptionId, params, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/trial`, params, options),
        /** Preview the next invoice before and after a longer trial. No data is changed. */
        previewTrial: (subscriptionId, params, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/trial/preview`, params, options),
        /** End a Subscription at once. Billow makes no refund by itself. */
        cancelNow: (subscriptionId, params = {}, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/cancel-now`, params, options),
        /** Preview the last invoice of `cancel-now`, line by line. No data is changed. */
        previewCancellation: (subscriptionId, params = {}, options) => this.#calls.write("POST", at `/subscriptions/${subscriptionId}/cancel-now/preview`, params, options),
        /** Read the history of a Subscription, its invoices, payments and grants, in order and in words. */
        listTimeline: (subscriptionId, params = {}, options) => this.#calls.list(at `/subscriptions/${subscriptionId}/timeline`, params, options),
    };
    invoices = {
        /** List Invoices, newest first. */
        list: (params = {}, options) => this.#calls.list("/invoices", params, options),
        /** Read an Invoice. */
        get: (invoiceId, options) => this.#calls.read(at `/invoices/${invoiceId}`, options),
        /** Read an Invoice as a PDF, in its present state. */
        getPdf: (invoiceId, options) => this.#calls.file(at `/invoices/${invoiceId}/pdf`, options),
        /** Charge an open Invoice now. The schedule of its retries does not change. */
        pay: (invoiceId, options) => this.#calls.write("POST", at `/invoices/${invoiceId}/pay`, null, options),
        /** Void an open Invoice. The Invoice needs no payment any more. */
        void: (invoiceId, params = {}, options) => this.#calls.write("POST", at `/invoices/${invoiceId}/void`, params, options),
        /** Mark an open Invoice as paid outside Billow, for example by bank transfer. */
        markPaid: (invoiceId, params = {}, options) => this.#calls.write("POST", at `/invoices/${invoiceId}/mark-paid`, params, options),
        /** Explain each amount of an Invoice: the rule, the inputs, and the arithmetic in words. */
        explain: (invoiceId, options) => this.#calls.read(at `/invoices/${invoiceId}/explanation`, options),
        /** Refund a part or all of the paid amount. A refund to a card is `pending` until the provider has answered. */
        refund: (invoiceId, params = {}, options) => this.#calls.write("POST", at `/invoices/${invoiceId}/refunds`, params, options),
    };
    payments = {
        /** List Payments, newest first. */
        list: (params = {}, options) => this.#calls.list("/payments", params, options),
        /** Read a Payment. */
        get: (paymentId, options) => this.#calls.read(at `/payments/${paymentId}`, options),
    };
    paymentMethods = {
        /** Read a card on file, also after it was detached. */
        get: (paymentMethodId, options) => this.#calls.read(at `/payment-methods/${paymentMethodId}`, options),
    };
    sandbox = {
        /** Let the bank replace a card: another expiry, and another number if `last4` is given. */
        updatePaymentMethod: (paymentMethodId, params, options) => this.#calls.write("POST", at `/sandbox/payment-methods/${paymentMethodId}/update`, params, options),
        /** Let the provider detach a card, so that the card can't be charged any more. */
        detachPaymentMethod: (paymentMethodId, options) => this.#calls.write("POST", at `/sandbox/payment-methods/${paymentMethodId}/detach`, null, options),
        /** Refund a charge at the payment provider, as an operator does in the provider's dashboard. */
        refundPayment: (paymentId, params = {}, options) => this.#calls.write("POST", at `/sandbox/payments/${paymentId}/refund`, params, options),
        /** Let a refund to a card fail, as a bank does days or weeks after its success. */
        failRefund: (refundId, params = {}, options) => this.#calls.write("POST", at `/sandbox/refunds/${refundId}/fail`, params, options),
        /** Dispute a charge, as a buyer does at their bank. */
        disputePayment: (paymentId, params = {}, options) => this.#calls.write("POST", at `/sandbox/payments/${paymentId}/dispute`, params, options),
        /** Take the money of an inquiry back, as the bank does. */
        escalateDispute: (disputeId, options) => this.#calls.write("POST", at `/sandbox/disputes/${disputeId}/escalate`, null, options),
        /** Decide a Dispute, as the bank does. */
        closeDispute: (disputeId, params, options) => this.#calls.write("POST", at `/sandbox/disputes/${disputeId}/close`, params, options),
        /** Read the clock and the progress of its advance. */
        getClock: (options) => this.#calls.read("/sandbox/clock", options),
        /** Set the clock to any instant, before the first Customer and Checkout. */
        setClock: (params, options) => this.#calls.replace("/sandbox/clock", params, options),
        /** Advance the clock and do all due work on the way. 202: the advance continues by itself, read the clock. */
        advanceClock: (params, options) => this.#calls.write("POST", "/sandbox/clock/advance", params, options),
        /** Stop the advance of the clock, if one is under way. The clock stays at its present time. */
        stopClock: (options) => this.#calls.remove("/sandbox/clock/advance", {}, options),
        /** Pay a Checkout as its page does. The answer is the Checkout after the attempt, also after a decline. */
        payCheckout: (checkoutId, params, options) => this.#calls.write("POST", at `/sandbox/checkouts/${checkoutId}/pay`, params, options),
        /** Let the built-in provider take charges again. Charges that waited are made before the answer. */
        resumePayments: (options) => this.#calls.write("POST", "/sandbox/payments/resume", null, options),
        /** Give a Customer a new default card. */
        setCard: (customerId, params, options) => this.#calls.write("POST", at `/sandbox/customers/${customerId}/card`, params, options),
    };
    refunds = {
        /** List Refunds, newest first. */
        list: (params = {}, options) => this.#calls.list("/refunds", params, options),
        /** Read a Refund. */
        get: (refundId, options) => this.#calls.read(at `/refunds/${refundId}`, options),
    };
    creditNotes = {
        /** List credit notes, newest first. */
        list: (params = {}, options) => this.#calls.list("/credit-notes", params, options),
        /** Read a credit note. */
        get: (creditNoteId, options) => this.#calls.read(at `/credit-notes/${creditNoteId}`, options),
        /** Read a credit note as a PDF. */
        getPdf: (creditNoteId, options) => this.#calls.file(at `/credit-notes/${creditNoteId}/pdf`, options),
    };
    disputes = {
        /** List Disputes, newest first. */
        list: (params = {}, options) => this.#calls.list("/disputes", params, options),
        /** Read a Dispute. */
        get: (disputeId, options) => this.#calls.read(at `/disputes/${disputeId}`, options),
    };
    providerNotices = {
        /** List the notices of payment providers, newest first. */
        list: (params = {}, options) => this.#calls.list("/provider-notices", params, options),
    };
    benefitGrants = {
        /** List BenefitGrants, also revoked ones, newest first. */
        list: (params = {}, options) => this.#calls.list("/benefit-grants", params, options),
        /** List the devices on which a granted license key is used, newest first. */
        listLicenseActivations: (benefitGrantId, params = {}, options) => this.#calls.list(at `/benefit-grants/${benefitGrantId}/activations`, params, options),
        /** End the use of a license key on a device that its owner no longer has. */
        removeLicenseActivation: (benefitGrantId, activationId, options) => this.#calls.remove(at `/benefit-grants/${benefitGrantId}/activations/${activationId}`, {}, options),
    };
    events = {
        /** List events in the order they happened. */
        list: (params = {}, options) => this.#calls.list("/events", params, options),
        /** Read an event. */
        get: (eventId, options) => this.#calls.read(at `/events/${eventId}`, options),
    };
    webhookEndpoints = {
        /** Create a webhook endpoint that receives events. Only this answer shows its secret. */
        create: (params, options) => this.#calls.write("POST", "/webhook-endpoints", params, options),
        /** List webhook endpoints, newest first. */
        list: (params = {}, options) => this.#calls.list("/webhook-endpoints", params, options),
        /** Read a webhook endpoint. */
        get: (endpointId, options) => this.#calls.read(at `/webhook-endpoints/${endpointId}`, options),
        /** Change, disable or enable a webhook endpoint. */
        update: (endpointId, params, options) => this.#calls.write("PATCH", at `/webhook-endpoints/${endpointId}`, params, options),
        /** Delete a webhook endpoint. The endpoint gets no deliveries any more. */
        delete: (endpointId, options) => this.#calls.remove(at `/webhook-endpoints/${endpointId}`, {}, options),
        /** Make a new secret. Only this answer shows it. The old secret also signs during the overlap. */
        rotateSecret: (endpointId, params = {}, options) => this.#calls.write("POST", at `/webhook-endpoints/${endpointId}/rotate-secret`, params, options),
        /** Send a `webhook_endpoint.test` event to this endpoint alone. */
        test: (endpointId, options) => this.#calls.write("POST", at `/webhook-endpoints/${endpointId}/test`, null, options),
        /** Send deliveries again: those that did not arrive, or all deliveries of a span of time. */
        redeliver: (endpointId, params = {}, options) => this.#calls.write("POST", at `/webhook-endpoints/${endpointId}/redeliver`, params, options),
        /** List the deliveries to an endpoint, newest first. They are kept for 30 days, or as the operator sets. */
        listDeliveries: (endpointId, params = {}, options) => this.#calls.list(at `/webhook-endpoints/${endpointId}/deliveries`, params, options),
    };
    deliveries = {
        /** Read a delivery. */
        get: (deliveryId, options) => this.#calls.read(at `/deliveries/${deliveryId}`, options),
        /** Send a delivery again, in any status. */
        redeliver: (deliveryId, options) => this.#calls.write("POST", at `/deliveries/${deliveryId}/redeliver`, null, options),
    };
    emails = {
        /** List the e-mails to Customers, newest first. E-mails are kept for 30 days, or as the operator sets. */
        list: (params = {}, options) => this.#calls.list("/emails", params, options),
        /** Read an e-mail as it was sent or kept. */
        get: (emailId, options) => this.#calls.read(at `/emails/${emailId}`, options),
    };
    auditLog = {
        /** List the changes by people, management keys and commands, newest first. */
        list: (params = {}, options) => this.#calls.list("/audit-log", params, options),
    };
    metrics = {
        /** Read MRR, its changes, revenue and the number of Subscriptions, by day or month. */
        get: (params, options) => this.#calls.find("/metrics", params, options),
    };
    reports = {
        /** Read the revenue of each month and currency, by the ledger. */
        getRevenue: (params, options) => this.#calls.find("/reports/revenue", params, options),
        /** Read the tax of each month, by currency, country, region and rate. */
        getTax: (params, options) => this.#calls.find("/reports/tax", params, options),
        /** Read the amounts of open invoices by age, now or at the end of a day. */
        getReceivables: (params = {}, options) => this.#calls.find("/reports/receivables", params, options),
    };
}
