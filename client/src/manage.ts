// Generated from the OpenAPI document of the management API: npm run gen.

import { at } from "./calls.ts";
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
export class Manage {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly organization = {
    /** Read the Organization of the key. */
    get: (options?: ReadOptions): Promise<Organization> => this.#calls.read("/organization", options),
    /** Change the settings. Objects within them are replaced as a whole, except `emails` and `portal`. */
    update: (params: UpdateOrganizationParams, options?: CallOptions): Promise<Organization> => this.#calls.write("PATCH", "/organization", params, options),
  };

  readonly apiKeys = {
    /** Create an API key. Only this answer shows its secret. */
    create: (params: CreateApiKeyParams, options?: CallOptions): Promise<NewApiKey> => this.#calls.write("POST", "/api-keys", params, options),
    /** List the API keys, with the expired and revoked keys, newest first. */
    list: (params: ListApiKeysParams = {}, options?: ReadOptions): List<ApiKey> => this.#calls.list("/api-keys", params, options),
    /** Create the successor of an API key. The old key stays valid for an overlap. */
    rotate: (keyId: string, params: RotateApiKeyParams, options?: CallOptions): Promise<NewApiKey> => this.#calls.write("POST", at`/api-keys/${keyId}/rotate`, params, options),
    /** Revoke an API key for good. The revocation takes effect within a second. */
    revoke: (keyId: string, options?: ReadOptions): Promise<ApiKey> => this.#calls.remove(at`/api-keys/${keyId}`, {}, options),
  };

  readonly products = {
    /** Create a Product. */
    create: (params: CreateProductParams, options?: CallOptions): Promise<Product> => this.#calls.write("POST", "/products", params, options),
    /** List Products, newest first. */
    list: (params: ListProductsParams = {}, options?: ReadOptions): List<Product> => this.#calls.list("/products", params, options),
    /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
    getByKey: (key: ProductKey, options?: ReadOptions): Promise<Product> =>
      this.#calls.byKey("/products", key, options),
    /** Read a Product. */
    get: (productId: string, options?: ReadOptions): Promise<Product> => this.#calls.read(at`/products/${productId}`, options),
    /** Change a Product. Sold Subscriptions keep their price. */
    update: (productId: string, params: UpdateProductParams, options?: CallOptions): Promise<Product> => this.#calls.write("PATCH", at`/products/${productId}`, params, options),
    /** Bring the present prices of a Product to present Subscriptions. */
    createPriceChange: (productId: string, params: CreatePriceChangeParams, options?: CallOptions): Promise<PriceChange> => this.#calls.write("POST", at`/products/${productId}/price-changes`, params, options),
    /** List the price changes of a Product, newest first. */
    listPriceChanges: (productId: string, params: ListPriceChangesParams = {}, options?: ReadOptions): List<PriceChange> => this.#calls.list(at`/products/${productId}/price-changes`, params, options),
    /** Preview a price change: the Subscriptions that would move, and their MRR. No data is changed. */
    previewPriceChange: (productId: string, params: CreatePriceChangeParams, options?: CallOptions): Promise<PriceChangePreview> => this.#calls.write("POST", at`/products/${productId}/price-changes/preview`, params, options),
    /** Read the prices of a Product with their time in the catalogue, and how many pay each. */
    getPrices: (productId: string, options?: ReadOptions): Promise<ProductPrices> => this.#calls.read(at`/products/${productId}/prices`, options),
  };

  readonly priceChanges = {
    /** Read a price change and its progress. */
    get: (priceChangeId: string, options?: ReadOptions): Promise<PriceChange> => this.#calls.read(at`/price-changes/${priceChangeId}`, options),
    /** List the Subscriptions of a price change by their ids. */
    listSubscriptions: (priceChangeId: string, params: ListPriceChangeSubscriptionsParams = {}, options?: ReadOptions): List<RepricedSubscription> => this.#calls.list(at`/price-changes/${priceChangeId}/subscriptions`, params, options),
    /** Pause a price change: no further notice is given. */
    pause: (priceChangeId: string, options?: CallOptions): Promise<PriceChange> => this.#calls.write("POST", at`/price-changes/${priceChangeId}/pause`, null, options),
    /** Go on with a paused price change. */
    resume: (priceChangeId: string, options?: CallOptions): Promise<PriceChange> => this.#calls.write("POST", at`/price-changes/${priceChangeId}/resume`, null, options),
    /** Stop a price change for good. */
    stop: (priceChangeId: string, options?: CallOptions): Promise<PriceChange> => this.#calls.write("POST", at`/price-changes/${priceChangeId}/stop`, null, options),
    /** Withdraw a price change: the prices that wait are taken back. */
    withdraw: (priceChangeId: string, options?: CallOptions): Promise<PriceChange> => this.#calls.write("POST", at`/price-changes/${priceChangeId}/withdraw`, null, options),
  };

  readonly benefits = {
    /** Create a Benefit. */
    create: (params: CreateBenefitParams, options?: CallOptions): Promise<Benefit> => this.#calls.write("POST", "/benefits", params, options),
    /** List Benefits, newest first. */
    list: (params: ListBenefitsParams = {}, options?: ReadOptions): List<Benefit> => this.#calls.list("/benefits", params, options),
    /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
    getByKey: (key: string, options?: ReadOptions): Promise<Benefit> =>
      this.#calls.byKey("/benefits", key, options),
    /** Read a Benefit. */
    get: (benefitId: string, options?: ReadOptions): Promise<Benefit> => this.#calls.read(at`/benefits/${benefitId}`, options),
    /** Change a Benefit. Existing grants change too. */
    update: (benefitId: string, params: UpdateBenefitParams, options?: CallOptions): Promise<Benefit> => this.#calls.write("PATCH", at`/benefits/${benefitId}`, params, options),
    /** Delete a Benefit. Products and their Subscriptions lose the Benefit. One-time purchases keep it. */
    delete: (benefitId: string, options?: ReadOptions): Promise<void> => this.#calls.remove(at`/benefits/${benefitId}`, {}, options),
  };

  readonly discounts = {
    /** Create a Discount. */
    create: (params: CreateDiscountParams, options?: CallOptions): Promise<Discount> => this.#calls.write("POST", "/discounts", params, options),
    /** List Discounts, newest first. */
    list: (params: ListDiscountsParams = {}, options?: ReadOptions): List<Discount> => this.#calls.list("/discounts", params, options),
    /** Read a Discount. */
    get: (discountId: string, options?: ReadOptions): Promise<Discount> => this.#calls.read(at`/discounts/${discountId}`, options),
    /** Change the code of a Discount or the limits of its use. */
    update: (discountId: string, params: UpdateDiscountParams, options?: CallOptions): Promise<Discount> => this.#calls.write("PATCH", at`/discounts/${discountId}`, params, options),
    /** Delete a Discount. Its code can't be used any more. Subscriptions with the Discount keep it. */
    delete: (discountId: string, options?: ReadOptions): Promise<void> => this.#calls.remove(at`/discounts/${discountId}`, {}, options),
  };

  readonly catalogue = {
    /** Read the whole catalogue: Benefits, Products and Discounts by key. */
    get: (options?: ReadOptions): Promise<CatalogueRows> => this.#calls.read("/catalogue", options),
    /** Make and change Benefits, Products and Discounts by key, all or none. */
    push: (params: CatalogueParams, options?: ReadOptions): Promise<CatalogueResult> => this.#calls.replace("/catalogue", params, options),
    /** Preview the changes of a catalogue. No data is changed. */
    preview: (params: CatalogueParams, options?: CallOptions): Promise<CatalogueResult> => this.#calls.write("POST", "/catalogue/preview", params, options),
  };

  readonly paymentLinks = {
    /** Create a payment link: a public page that sells up to ten Products. */
    create: (params: CreatePaymentLinkParams, options?: CallOptions): Promise<PaymentLink> => this.#calls.write("POST", "/payment-links", params, options),
    /** List payment links with their counts, newest first. */
    list: (params: ListPaymentLinksParams = {}, options?: ReadOptions): List<PaymentLink> => this.#calls.list("/payment-links", params, options),
    /** Reads by `key`. An unknown key is an `ApiError` with the code `not_found`. */
    getByKey: (key: string, options?: ReadOptions): Promise<PaymentLink> =>
      this.#calls.byKey("/payment-links", key, options),
    /** Read a payment link with its counts. */
    get: (paymentLinkId: string, options?: ReadOptions): Promise<PaymentLink> => this.#calls.read(at`/payment-links/${paymentLinkId}`, options),
    /** Change a payment link for later visits, or switch its page off or on. */
    update: (paymentLinkId: string, params: UpdatePaymentLinkParams, options?: CallOptions): Promise<PaymentLink> => this.#calls.write("PATCH", at`/payment-links/${paymentLinkId}`, params, options),
  };

  readonly customers = {
    /** List Customers, newest first. */
    list: (params: ListCustomersParams = {}, options?: ReadOptions): List<Customer> => this.#calls.list("/customers", params, options),
    /** Read a Customer. */
    get: (customerId: string, options?: ReadOptions): Promise<Customer> => this.#calls.read(at`/customers/${customerId}`, options),
    /** Change a Customer. Issued documents keep the earlier data of the Customer. */
    update: (customerId: string, params: UpdateCustomerParams, options?: CallOptions): Promise<Customer> => this.#calls.write("PATCH", at`/customers/${customerId}`, params, options),
    /** Delete a Customer. All that the Customer has ends at once. Only issued documents keep the Customer's personal data. */
    delete: (customerId: string, params: {
      /** `true`: the credit of the Customer is written off. */
      forfeitBalance?: boolean;
    } = {}, options?: ReadOptions): Promise<void> => this.#calls.remove(at`/customers/${customerId}`, params, options),
    /** Read a Customer's balance in each currency. */
    getBalance: (customerId: string, options?: ReadOptions): Promise<Balances> => this.#calls.read(at`/customers/${customerId}/balance`, options),
    /** List the entries of a Customer's balance, newest first. */
    listBalanceEntries: (customerId: string, params: ListCustomerBalanceEntriesParams = {}, options?: ReadOptions): List<BalanceEntry> => this.#calls.list(at`/customers/${customerId}/balance-entries`, params, options),
    /** Add to a Customer's balance or take from it. Later renewals, changes and purchases may use the balance. */
    adjustBalance: (customerId: string, params: AdjustBalanceParams, options?: CallOptions): Promise<BalanceEntry> => this.#calls.write("POST", at`/customers/${customerId}/balance-adjustments`, params, options),
    /** Make a link that signs a Customer in to the portal once. */
    createPortalSession: (customerId: string, params: CreateCustomerPortalSessionParams = {}, options?: CallOptions): Promise<PortalSession> => this.#calls.write("POST", at`/customers/${customerId}/portal-sessions`, params, options),
    /** List the cards of a Customer that may be charged, newest first. */
    listPaymentMethods: (customerId: string, params: ListCustomerPaymentMethodsParams = {}, options?: ReadOptions): List<PaymentMethod> => this.#calls.list(at`/customers/${customerId}/payment-methods`, params, options),
    /** Pay credit of a Customer's balance out to the cards that the credit came from. */
    payOutBalance: (customerId: string, params: PayOutBalanceParams, options?: CallOptions): Promise<BalanceRefunds> => this.#calls.write("POST", at`/customers/${customerId}/balance-refunds`, params, options),
    /** Export all data of a Customer as one JSON document, such as for a request under the GDPR. */
    export: (customerId: string, options?: ReadOptions): Promise<CustomerExport> => this.#calls.read(at`/customers/${customerId}/export`, options),
  };

  readonly portalSessions = {
    /** Make a link that signs in to the portal once, for a Customer named by id or `externalId`. */
    create: (params: CreatePortalSessionParams, options?: CallOptions): Promise<PortalSession> => this.#calls.write("POST", "/portal-sessions", params, options),
  };

  readonly checkouts = {
    /** List Checkouts, newest first. */
    list: (params: ListCheckoutsParams = {}, options?: ReadOptions): List<Checkout> => this.#calls.list("/checkouts", params, options),
    /** Read a Checkout. */
    get: (checkoutId: string, options?: ReadOptions): Promise<Checkout> => this.#calls.read(at`/checkouts/${checkoutId}`, options),
  };

  readonly subscriptions = {
    /** Create a Subscription without a Checkout: complimentary, sold by hand, or begun elsewhere. */
    create: (params: CreateSubscriptionParams, options?: CallOptions): Promise<Subscription> => this.#calls.write("POST", "/subscriptions", params, options),
    /** List Subscriptions, newest first. */
    list: (params: ListSubscriptionsParams = {}, options?: ReadOptions): List<Subscription> => this.#calls.list("/subscriptions", params, options),
    /** Read a Subscription. */
    get: (subscriptionId: string, options?: ReadOptions): Promise<Subscription> => this.#calls.read(at`/subscriptions/${subscriptionId}`, options),
    /** Preview a PATCH of the Subscription, line by line. No data is changed. */
    preview: (subscriptionId: string, params: UpdateSubscriptionParams, options?: CallOptions): Promise<ChangePreview> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/preview`, params, options),
    /** Pause a Subscription from the end of its period or trial on. */
    pause: (subscriptionId: string, params: PauseSubscriptionParams, options?: CallOptions): Promise<Subscription> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/pause`, params, options),
    /** Resume a paused Subscription, or undo a pause that has not begun. */
    resume: (subscriptionId: string, options?: CallOptions): Promise<Subscription> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/resume`, null, options),
    /** Preview the invoice that `resume` would make now, line by line. No data is changed. */
    previewResume: (subscriptionId: string, options?: CallOptions): Promise<ChangePreview> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/resume/preview`, null, options),
    /** Give a Subscription another discount from its next period on, or take its discount off. */
    changeDiscount: (subscriptionId: string, params: ChangeDiscountParams, options?: CallOptions): Promise<Subscription> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/discount`, params, options),
    /** Preview the next invoice before and after another discount. No data is changed. */
    previewDiscount: (subscriptionId: string, params: ChangeDiscountParams, options?: CallOptions): Promise<NextInvoicePreview> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/discount/preview`, params, options),
    /** Move the end of a trial to a later time. */
    extendTrial: (subscriptionId: string, params: ExtendTrialParams, options?: CallOptions): Promise<Subscription> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/trial`, params, options),
    /** Preview the next invoice before and after a longer trial. No data is changed. */
    previewTrial: (subscriptionId: string, params: ExtendTrialParams, options?: CallOptions): Promise<NextInvoicePreview> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/trial/preview`, params, options),
    /** End a Subscription at once. Billow makes no refund by itself. */
    cancelNow: (subscriptionId: string, params: CancelSubscriptionParams = {}, options?: CallOptions): Promise<Subscription> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/cancel-now`, params, options),
    /** Preview the last invoice of `cancel-now`, line by line. No data is changed. */
    previewCancellation: (subscriptionId: string, params: CancelSubscriptionParams = {}, options?: CallOptions): Promise<ChangePreview> => this.#calls.write("POST", at`/subscriptions/${subscriptionId}/cancel-now/preview`, params, options),
    /** Read the history of a Subscription, its invoices, payments and grants, in order and in words. */
    listTimeline: (subscriptionId: string, params: ListSubscriptionTimelineParams = {}, options?: ReadOptions): List<TimelineEntry> => this.#calls.list(at`/subscriptions/${subscriptionId}/timeline`, params, options),
  };

  readonly invoices = {
    /** List Invoices, newest first. */
    list: (params: ListInvoicesParams = {}, options?: ReadOptions): List<Invoice> => this.#calls.list("/invoices", params, options),
    /** Read an Invoice. */
    get: (invoiceId: string, options?: ReadOptions): Promise<Invoice> => this.#calls.read(at`/invoices/${invoiceId}`, options),
    /** Read an Invoice as a PDF, in its present state. */
    getPdf: (invoiceId: string, options?: ReadOptions): Promise<Uint8Array> => this.#calls.file(at`/invoices/${invoiceId}/pdf`, options),
    /** Charge an open Invoice now. The schedule of its retries does not change. */
    pay: (invoiceId: string, options?: CallOptions): Promise<Invoice> => this.#calls.write("POST", at`/invoices/${invoiceId}/pay`, null, options),
    /** Void an open Invoice. The Invoice needs no payment any more. */
    void: (invoiceId: string, params: {
      /** For your records. The Invoice shows this text as `voidReason`. */
      reason?: string | null;
    } = {}, options?: CallOptions): Promise<Invoice> => this.#calls.write("POST", at`/invoices/${invoiceId}/void`, params, options),
    /** Mark an open Invoice as paid outside Billow, for example by bank transfer. */
    markPaid: (invoiceId: string, params: {
      /** For example the reference of a bank transfer. The Invoice shows this text as `paymentNote`. */
      reason?: string | null;
    } = {}, options?: CallOptions): Promise<Invoice> => this.#calls.write("POST", at`/invoices/${invoiceId}/mark-paid`, params, options),
    /** Explain each amount of an Invoice: the rule, the inputs, and the arithmetic in words. */
    explain: (invoiceId: string, options?: ReadOptions): Promise<Explanation> => this.#calls.read(at`/invoices/${invoiceId}/explanation`, options),
    /** Refund a part or all of the paid amount. A refund to a card is `pending` until the provider has answered. */
    refund: (invoiceId: string, params: CreateRefundParams = {}, options?: CallOptions): Promise<Refund> => this.#calls.write("POST", at`/invoices/${invoiceId}/refunds`, params, options),
  };

  readonly payments = {
    /** List Payments, newest first. */
    list: (params: ListPaymentsParams = {}, options?: ReadOptions): List<Payment> => this.#calls.list("/payments", params, options),
    /** Read a Payment. */
    get: (paymentId: string, options?: ReadOptions): Promise<Payment> => this.#calls.read(at`/payments/${paymentId}`, options),
  };

  readonly paymentMethods = {
    /** Read a card on file, also after it was detached. */
    get: (paymentMethodId: string, options?: ReadOptions): Promise<PaymentMethod> => this.#calls.read(at`/payment-methods/${paymentMethodId}`, options),
  };

  readonly sandbox = {
    /** Let the bank replace a card: another expiry, and another number if `last4` is given. */
    updatePaymentMethod: (paymentMethodId: string, params: UpdateCardParams, options?: CallOptions): Promise<PaymentMethod> => this.#calls.write("POST", at`/sandbox/payment-methods/${paymentMethodId}/update`, params, options),
    /** Let the provider detach a card, so that the card can't be charged any more. */
    detachPaymentMethod: (paymentMethodId: string, options?: CallOptions): Promise<PaymentMethod> => this.#calls.write("POST", at`/sandbox/payment-methods/${paymentMethodId}/detach`, null, options),
    /** Refund a charge at the payment provider, as an operator does in the provider's dashboard. */
    refundPayment: (paymentId: string, params: RefundPaymentParams = {}, options?: CallOptions): Promise<Refund> => this.#calls.write("POST", at`/sandbox/payments/${paymentId}/refund`, params, options),
    /** Let a refund to a card fail, as a bank does days or weeks after its success. */
    failRefund: (refundId: string, params: FailRefundParams = {}, options?: CallOptions): Promise<Refund> => this.#calls.write("POST", at`/sandbox/refunds/${refundId}/fail`, params, options),
    /** Dispute a charge, as a buyer does at their bank. */
    disputePayment: (paymentId: string, params: DisputePaymentParams = {}, options?: CallOptions): Promise<Dispute> => this.#calls.write("POST", at`/sandbox/payments/${paymentId}/dispute`, params, options),
    /** Take the money of an inquiry back, as the bank does. */
    escalateDispute: (disputeId: string, options?: CallOptions): Promise<Dispute> => this.#calls.write("POST", at`/sandbox/disputes/${disputeId}/escalate`, null, options),
    /** Decide a Dispute, as the bank does. */
    closeDispute: (disputeId: string, params: CloseDisputeParams, options?: CallOptions): Promise<Dispute> => this.#calls.write("POST", at`/sandbox/disputes/${disputeId}/close`, params, options),
    /** Read the clock and the progress of its advance. */
    getClock: (options?: ReadOptions): Promise<Clock> => this.#calls.read("/sandbox/clock", options),
    /** Set the clock to any instant, before the first Customer and Checkout. */
    setClock: (params: SetClockParams, options?: ReadOptions): Promise<Clock> => this.#calls.replace("/sandbox/clock", params, options),
    /** Advance the clock and do all due work on the way. 202: the advance continues by itself, read the clock. */
    advanceClock: (params: AdvanceClockParams, options?: CallOptions): Promise<ClockAdvance | ClockAdvancing> => this.#calls.write("POST", "/sandbox/clock/advance", params, options),
    /** Stop the advance of the clock, if one is under way. The clock stays at its present time. */
    stopClock: (options?: ReadOptions): Promise<Clock> => this.#calls.remove("/sandbox/clock/advance", {}, options),
    /** Pay a Checkout as its page does. The answer is the Checkout after the attempt, also after a decline. */
    payCheckout: (checkoutId: string, params: PayCheckoutParams, options?: CallOptions): Promise<PaidCheckout> => this.#calls.write("POST", at`/sandbox/checkouts/${checkoutId}/pay`, params, options),
    /** Let the built-in provider take charges again. Charges that waited are made before the answer. */
    resumePayments: (options?: CallOptions): Promise<OrganizationPayments> => this.#calls.write("POST", "/sandbox/payments/resume", null, options),
    /** Give a Customer a new default card. */
    setCard: (customerId: string, params: SetCardParams, options?: CallOptions): Promise<PaymentMethod> => this.#calls.write("POST", at`/sandbox/customers/${customerId}/card`, params, options),
  };

  readonly refunds = {
    /** List Refunds, newest first. */
    list: (params: ListRefundsParams = {}, options?: ReadOptions): List<Refund> => this.#calls.list("/refunds", params, options),
    /** Read a Refund. */
    get: (refundId: string, options?: ReadOptions): Promise<Refund> => this.#calls.read(at`/refunds/${refundId}`, options),
  };

  readonly creditNotes = {
    /** List credit notes, newest first. */
    list: (params: ListCreditNotesParams = {}, options?: ReadOptions): List<CreditNote> => this.#calls.list("/credit-notes", params, options),
    /** Read a credit note. */
    get: (creditNoteId: string, options?: ReadOptions): Promise<CreditNote> => this.#calls.read(at`/credit-notes/${creditNoteId}`, options),
    /** Read a credit note as a PDF. */
    getPdf: (creditNoteId: string, options?: ReadOptions): Promise<Uint8Array> => this.#calls.file(at`/credit-notes/${creditNoteId}/pdf`, options),
  };

  readonly disputes = {
    /** List Disputes, newest first. */
    list: (params: ListDisputesParams = {}, options?: ReadOptions): List<Dispute> => this.#calls.list("/disputes", params, options),
    /** Read a Dispute. */
    get: (disputeId: string, options?: ReadOptions): Promise<Dispute> => this.#calls.read(at`/disputes/${disputeId}`, options),
  };

  readonly providerNotices = {
    /** List the notices of payment providers, newest first. */
    list: (params: ListProviderNoticesParams = {}, options?: ReadOptions): List<ProviderNotice> => this.#calls.list("/provider-notices", params, options),
  };

  readonly benefitGrants = {
    /** List BenefitGrants, also revoked ones, newest first. */
    list: (params: ListManagedBenefitGrantsParams = {}, options?: ReadOptions): List<ManagedBenefitGrant> => this.#calls.list("/benefit-grants", params, options),
    /** List the devices on which a granted license key is used, newest first. */
    listLicenseActivations: (benefitGrantId: string, params: ListLicenseActivationsParams = {}, options?: ReadOptions): List<LicenseActivation> => this.#calls.list(at`/benefit-grants/${benefitGrantId}/activations`, params, options),
    /** End the use of a license key on a device that its owner no longer has. */
    removeLicenseActivation: (benefitGrantId: string, activationId: string, options?: ReadOptions): Promise<void> => this.#calls.remove(at`/benefit-grants/${benefitGrantId}/activations/${activationId}`, {}, options),
  };

  readonly events = {
    /** List events in the order they happened. */
    list: (params: ListEventsParams = {}, options?: ReadOptions): List<Event> => this.#calls.list("/events", params, options),
    /** Read an event. */
    get: (eventId: string, options?: ReadOptions): Promise<Event> => this.#calls.read(at`/events/${eventId}`, options),
  };

  readonly webhookEndpoints = {
    /** Create a webhook endpoint that receives events. Only this answer shows its secret. */
    create: (params: CreateWebhookEndpointParams, options?: CallOptions): Promise<WebhookEndpointWithSecret> => this.#calls.write("POST", "/webhook-endpoints", params, options),
    /** List webhook endpoints, newest first. */
    list: (params: ListWebhookEndpointsParams = {}, options?: ReadOptions): List<WebhookEndpoint> => this.#calls.list("/webhook-endpoints", params, options),
    /** Read a webhook endpoint. */
    get: (endpointId: string, options?: ReadOptions): Promise<WebhookEndpoint> => this.#calls.read(at`/webhook-endpoints/${endpointId}`, options),
    /** Change, disable or enable a webhook endpoint. */
    update: (endpointId: string, params: UpdateWebhookEndpointParams, options?: CallOptions): Promise<WebhookEndpoint> => this.#calls.write("PATCH", at`/webhook-endpoints/${endpointId}`, params, options),
    /** Delete a webhook endpoint. The endpoint gets no deliveries any more. */
    delete: (endpointId: string, options?: ReadOptions): Promise<void> => this.#calls.remove(at`/webhook-endpoints/${endpointId}`, {}, options),
    /** Make a new secret. Only this answer shows it. The old secret also signs during the overlap. */
    rotateSecret: (endpointId: string, params: RotateSecretParams = {}, options?: CallOptions): Promise<WebhookEndpointWithSecret> => this.#calls.write("POST", at`/webhook-endpoints/${endpointId}/rotate-secret`, params, options),
    /** Send a `webhook_endpoint.test` event to this endpoint alone. */
    test: (endpointId: string, options?: CallOptions): Promise<Delivery> => this.#calls.write("POST", at`/webhook-endpoints/${endpointId}/test`, null, options),
    /** Send deliveries again: those that did not arrive, or all deliveries of a span of time. */
    redeliver: (endpointId: string, params: RedeliverParams = {}, options?: CallOptions): Promise<Redelivered> => this.#calls.write("POST", at`/webhook-endpoints/${endpointId}/redeliver`, params, options),
    /** List the deliveries to an endpoint, newest first. They are kept for 30 days, or as the operator sets. */
    listDeliveries: (endpointId: string, params: ListDeliveriesParams = {}, options?: ReadOptions): List<Delivery> => this.#calls.list(at`/webhook-endpoints/${endpointId}/deliveries`, params, options),
  };

  readonly deliveries = {
    /** Read a delivery. */
    get: (deliveryId: string, options?: ReadOptions): Promise<Delivery> => this.#calls.read(at`/deliveries/${deliveryId}`, options),
    /** Send a delivery again, in any status. */
    redeliver: (deliveryId: string, options?: CallOptions): Promise<Delivery> => this.#calls.write("POST", at`/deliveries/${deliveryId}/redeliver`, null, options),
  };

  readonly emails = {
    /** List the e-mails to Customers, newest first. E-mails are kept for 30 days, or as the operator sets. */
    list: (params: ListEmailsParams = {}, options?: ReadOptions): List<Email> => this.#calls.list("/emails", params, options),
    /** Read an e-mail as it was sent or kept. */
    get: (emailId: string, options?: ReadOptions): Promise<EmailWithBody> => this.#calls.read(at`/emails/${emailId}`, options),
  };

  readonly auditLog = {
    /** List the changes by people, management keys and commands, newest first. */
    list: (params: ListAuditLogParams = {}, options?: ReadOptions): List<AuditEntry> => this.#calls.list("/audit-log", params, options),
  };

  readonly metrics = {
    /** Read MRR, its changes, revenue and the number of Subscriptions, by day or month. */
    get: (params: {
      /** The first day. With `interval=month`, the whole month of this day. */
      from: string;
      /** The last day. With `interval=month`, the whole month of this day. */
      to: string;
      interval?: "day" | "month";
      /** The default is the Organization's default currency. */
      currency?: string;
    }, options?: ReadOptions): Promise<Metrics> => this.#calls.find("/metrics", params, options),
  };

  readonly reports = {
    /** Read the revenue of each month and currency, by the ledger. */
    getRevenue: (params: {
      /** The first month: the whole month of this day. */
      from: string;
      /** The last month: the whole month of this day. */
      to: string;
      /** Only rows of this currency. Without it, all currencies. */
      currency?: string;
    }, options?: ReadOptions): Promise<RevenueReport> => this.#calls.find("/reports/revenue", params, options),
    /** Read the tax of each month, by currency, country, region and rate. */
    getTax: (params: {
      /** The first month: the whole month of this day. */
      from: string;
      /** The last month: the whole month of this day. */
      to: string;
      /** Only rows of this currency. Without it, all currencies. */
      currency?: string;
    }, options?: ReadOptions): Promise<TaxReport> => this.#calls.find("/reports/tax", params, options),
    /** Read the amounts of open invoices by age, now or at the end of a day. */
    getReceivables: (params: {
      /** A day in the Organization's time zone. The report is of its end. Without it, the report is of now. */
      on?: string;
      /** Only rows of this currency. Without it, all currencies. */
      currency?: string;
    } = {}, options?: ReadOptions): Promise<ReceivablesReport> => this.#calls.find("/reports/receivables", params, options),
  };
}
