import type { Config } from "../config.ts";
import type { ApiKeyScope } from "../domain/organization/api-key.ts";
import type { Endpoint } from "./endpoint.ts";
import { licenseEndpoints } from "./licenses/licenses.ts";
import { apiKeyEndpoints } from "./management/api-keys.ts";
import { auditLogEndpoints } from "./management/audit-log.ts";
import { benefitGrantEndpoints as managedBenefitGrantEndpoints } from "./management/benefit-grants.ts";
import { benefitEndpoints } from "./management/benefits.ts";
import { catalogueEndpoints } from "./management/catalogue.ts";
import { checkoutEndpoints as managedCheckoutEndpoints } from "./management/checkouts.ts";
import { creditNoteEndpoints } from "./management/credit-notes.ts";
import { customerExportEndpoints } from "./management/customer-export.ts";
import { customerEndpoints as managedCustomerEndpoints } from "./management/customers.ts";
import { disputeEndpoints } from "./management/disputes.ts";
import { discountEndpoints } from "./management/discounts.ts";
import { emailEndpoints } from "./management/emails.ts";
import { eventEndpoints } from "./management/events.ts";
import { explanationEndpoints } from "./management/explanations.ts";
import { invoiceEndpoints } from "./management/invoices.ts";
import { metricsEndpoints } from "./management/metrics.ts";
import { reportEndpoints } from "./management/reports.ts";
import { organizationEndpoints } from "./management/organization.ts";
import { paymentLinkEndpoints } from "./management/payment-links.ts";
import { paymentEndpoints } from "./management/payments.ts";
import { priceChangeEndpoints } from "./management/price-changes.ts";
import { productEndpoints } from "./management/products.ts";
import { providerNoticeEndpoints } from "./management/provider-notices.ts";
import { paymentMethodEndpoints } from "./management/payment-methods.ts";
import { refundEndpoints } from "./management/refunds.ts";
import { webhookEndpoints } from "./management/webhooks.ts";
import { sandboxEndpoints } from "./management/sandbox.ts";
import { subscriptionEndpoints as managedSubscriptionEndpoints } from "./management/subscriptions.ts";
import { benefitGrantEndpoints } from "./public/benefit-grants.ts";
import { checkoutEndpoints } from "./public/checkouts.ts";
import { customerEndpoints } from "./public/customers.ts";
import { subscriptionEndpoints } from "./public/subscriptions.ts";

/** Operations under one path and one kind of key. */
export type Surface = {
  /** In file names and in paths of the documentation. */
  name: string;
  title: string;
  description: string;
  version: string;
  /**
   * Each path starts with `/` and does not end with `/`. The documentation lists all paths, the preferred one first.
   */
  basePaths: readonly string[];
  /**
   * The scope for operations that name no scopes of their own. Null: the callers have no API key. Such callers are sold
   * programs, including pages of any origin. Each body names the Organization and its license key (`Licensed`).
   */
  scope: ApiKeyScope | null;
  endpoints: readonly Endpoint[];
};

/** Exactly these six operations. All other operations for billing are on the management surface. */
export const PUBLIC_ENDPOINTS: readonly Endpoint[] = [
  ...customerEndpoints,
  ...checkoutEndpoints,
  ...subscriptionEndpoints,
  ...benefitGrantEndpoints,
];

export const MANAGEMENT_ENDPOINTS: readonly Endpoint[] = [
  ...organizationEndpoints,
  ...apiKeyEndpoints,
  ...productEndpoints,
  ...priceChangeEndpoints,
  ...benefitEndpoints,
  ...discountEndpoints,
  ...catalogueEndpoints,
  ...paymentLinkEndpoints,
  ...managedCustomerEndpoints,
  ...managedCheckoutEndpoints,
  ...managedSubscriptionEndpoints,
  ...invoiceEndpoints,
  ...explanationEndpoints,
  ...paymentEndpoints,
  ...paymentMethodEndpoints,
  ...refundEndpoints,
  ...creditNoteEndpoints,
  ...disputeEndpoints,
  ...providerNoticeEndpoints,
  ...managedBenefitGrantEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...emailEndpoints,
  ...auditLogEndpoints,
  ...metricsEndpoints,
  ...reportEndpoints,
  ...sandboxEndpoints,
  // Last, because it refers to the resources of all operations before.
  ...customerExportEndpoints,
];

type Surfaces = [publicApi: Surface, management: Surface, licenses: Surface];

export function surfacesOf({ publicBasePaths }: Pick<Config, "publicBasePaths">): Surfaces {
  return [
    {
      name: "public",
      title: "Billow public API",
      description: "For the backend of an Organization. Authenticate with an API key of scope `public`.",
      version: "2",
      basePaths: publicBasePaths,
      scope: "public",
      endpoints: PUBLIC_ENDPOINTS,
    },
    {
      name: "management",
      title: "Billow management API",
      description: "For operators' scripts and tools. Authenticate with an API key of scope `manage`.",
      version: "1",
      basePaths: ["/manage/v1"],
      scope: "manage",
      endpoints: MANAGEMENT_ENDPOINTS,
    },
    {
      name: "licenses",
      title: "Billow license API",
      description:
        "For sold programs, from any origin and without an API key. A program needs only the license key of its user.",
      version: "1",
      basePaths: ["/licenses/v1"],
      scope: null,
      endpoints: licenseEndpoints,
    },
  ];
}
