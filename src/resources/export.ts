import * as z from "zod";
import type { LicenseActivation } from "../domain/model/license-key.ts";
import type { BalanceEntry } from "../domain/model/balance.ts";
import type { Benefit } from "../domain/model/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import type { RepricedSubscription } from "../domain/model/price-change.ts";
import { presentRepriced } from "./price-change.ts";
import type { Customer } from "../domain/model/customer.ts";
import type { Discount } from "../domain/model/discount.ts";
import type { InvoiceLine } from "../domain/model/invoice.ts";
import type { Payment, PaymentMethod } from "../domain/model/payment.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import { BalanceEntryResource, BalancesResource, presentBalanceEntry } from "./balance.ts";
import { ManagedBenefitGrantResource } from "./benefit-grant.ts";
import { presentBenefit } from "./benefit.ts";
import { CheckoutResource } from "./checkout.ts";
import { CreditNoteResource } from "./credit-note.ts";
import { CustomerResource, presentCustomer } from "./customer.ts";
import { DisputeResource } from "./dispute.ts";
import { presentDiscount } from "./discount.ts";
import { EmailWithBodyResource } from "./email.ts";
import { EventResource } from "./event.ts";
import { id, time, timestamp } from "./fields.ts";
import { InvoiceLineResource, InvoiceResource, presentInvoiceLine } from "./invoice.ts";
import { LicenseActivationResource, presentLicenseActivation } from "./license.ts";
import { PaymentMethodResource, presentPaymentMethod, type Standing } from "./payment-method.ts";
import { PaymentResource, presentPayment } from "./payment.ts";
import { RefundResource } from "./refund.ts";
import { presentSubscription, SubscriptionResource } from "./subscription.ts";

// The resources of an export. An exported resource is that of the API, and some have fields more that a seller needs
// elsewhere: the provider's own ids, and the rows that the API does not list.

const provider = z.string().meta({ description: "`stripe` or `sandbox`." });
const account = z.string().meta({ description: "The account at the provider, such as `acct_…`." });

const ExportedCustomer = CustomerResource.extend({
  defaultPaymentMethodId: id("pm").nullable(),
  providerCustomers: z
    .array(z.object({ provider, account, ref: z.string() }))
    .meta({ description: "The Customer at each account of a provider, such as `cus_…` of Stripe." }),
}).meta({ id: "ExportedCustomer" });

const ExportedPaymentMethod = PaymentMethodResource.extend({
  provider,
  providerAccount: account,
  providerRef: z.string().meta({ description: "The card at the provider, such as `pm_…` of Stripe." }),
}).meta({ id: "ExportedPaymentMethod" });

const ExportedSubscription = SubscriptionResource.extend({
  paymentMethodId: id("pm").nullable().meta({ description: "A card of its own; null: the Customer's default card." }),
}).meta({ id: "ExportedSubscription" });

const ExportedPayment = PaymentResource.extend({
  provider,
  providerAccount: account,
  providerRef: z
    .string()
    .nullable()
    .meta({ description: "The charge at the provider, such as `pi_…` of Stripe. Null: the provider has no own id." }),
}).meta({ id: "ExportedPayment" });

const ExportedBalanceEntry = BalanceEntryResource.extend({ customerId: id("cus") }).meta({
  id: "ExportedBalanceEntry",
});

const ExportedActivation = LicenseActivationResource.extend({ benefitGrantId: id("bgr") }).meta({
  id: "ExportedLicenseActivation",
});

const WaitingLine = InvoiceLineResource.extend({ customerId: id("cus"), subscriptionId: id("sub") }).meta({
  id: "WaitingLine",
  description: "A line that is on no invoice yet. The next invoice of the Subscription takes the line.",
});

/** A price of a unit with its time in the catalogue. `until` null: the price is in the catalogue. */
export type ProductPrice = {
  productId: string;
  currency: string;
  amount: number;
  from: Instant;
  until: Instant | null;
};

/** The format of the export of one Customer. */
export const CUSTOMER_EXPORT = "billow-customer-export";
export const CUSTOMER_EXPORT_VERSION = 1;

export const CustomerExportResource = z
  .object({
    format: z.literal(CUSTOMER_EXPORT),
    formatVersion: z.literal(CUSTOMER_EXPORT_VERSION),
    exportedAt: timestamp.meta({ description: "The instant of the state, in real time." }),
    seller: z.object({ id: id("org"), name: z.string(), legalName: z.string().nullable() }),
    customer: ExportedCustomer,
    balances: BalancesResource.shape.data,
    paymentMethods: z.array(ExportedPaymentMethod),
    subscriptions: z.array(ExportedSubscription),
    checkouts: z.array(CheckoutResource),
    invoices: z.array(InvoiceResource),
    waitingLines: z.array(WaitingLine),
    creditNotes: z.array(CreditNoteResource),
    payments: z.array(ExportedPayment),
    refunds: z.array(RefundResource),
    disputes: z.array(DisputeResource),
    balanceEntries: z.array(ExportedBalanceEntry),
    benefitGrants: z.array(ManagedBenefitGrantResource),
    licenseActivations: z.array(ExportedActivation),
    emails: z.array(EmailWithBodyResource),
    events: z.array(EventResource),
  })
  .meta({ id: "CustomerExport" });
export type CustomerExportResource = z.infer<typeof CustomerExportResource>;
/** The lists of a Customer's export. */
export type CustomerExportList = Exclude<
  keyof CustomerExportResource,
  "format" | "formatVersion" | "exportedAt" | "seller" | "customer" | "balances"
>;

export const presentWaitingLine = (line: InvoiceLine & { customerId: string }): z.infer<typeof WaitingLine> => ({
  ...presentInvoiceLine(line),
  customerId: line.customerId,
  // Only a line of an invoice may have no Subscription.
  subscriptionId: line.subscriptionId!,
});

export const presentProductPrice = ({ from, until, ...price }: ProductPrice) => ({
  ...price,
  from: time(from),
  until: time(until),
});

export const presentRepricedLine = (row: RepricedSubscription) => ({
  priceChangeId: row.priceChangeId,
  ...presentRepriced(row),
});

type ProviderCustomers = z.infer<typeof ExportedCustomer>["providerCustomers"];

export const presentExportedCustomer = (
  customer: Customer,
  providerCustomers: ProviderCustomers,
): z.infer<typeof ExportedCustomer> => ({
  ...presentCustomer(customer),
  defaultPaymentMethodId: customer.defaultPaymentMethodId,
  providerCustomers,
});

/** A line of `customers.jsonl`. `deletedAt`: from then on the row has no personal data. */
export const presentCustomerLine = (customer: Customer, providerCustomers: ProviderCustomers) => ({
  ...presentExportedCustomer(customer, providerCustomers),
  deletedAt: time(customer.deletedAt),
});

export const presentBenefitLine = (benefit: Benefit) => ({
  ...presentBenefit(benefit),
  deletedAt: time(benefit.deletedAt),
});

export const presentDiscountLine = (discount: Discount) => ({
  ...presentDiscount(discount),
  deletedAt: time(discount.deletedAt),
});

export const presentExportedCard = (card: PaymentMethod & Standing): z.infer<typeof ExportedPaymentMethod> => ({
  ...presentPaymentMethod(card, card),
  provider: card.provider,
  providerAccount: card.providerAccount,
  providerRef: card.providerRef,
});

export const presentExportedSubscription = (
  subscription: Subscription,
  externalCustomerId: string | null,
): z.infer<typeof ExportedSubscription> => ({
  ...presentSubscription(subscription, externalCustomerId),
  paymentMethodId: subscription.paymentMethodId,
});

export const presentExportedPayment = (
  payment: Payment,
  providerRef: string | null,
): z.infer<typeof ExportedPayment> => ({
  ...presentPayment(payment),
  provider: payment.provider,
  providerAccount: payment.providerAccount,
  providerRef,
});

export const presentExportedEntry = (entry: BalanceEntry): z.infer<typeof ExportedBalanceEntry> => ({
  ...presentBalanceEntry(entry),
  customerId: entry.customerId,
});

export const presentExportedActivation = (activation: LicenseActivation): z.infer<typeof ExportedActivation> => ({
  ...presentLicenseActivation(activation),
  benefitGrantId: activation.grantId,
});
