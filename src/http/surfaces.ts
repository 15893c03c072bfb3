import type { Config } from "../config.ts";
import type { ApiKeyScope } from "../domain/organization/api-key.ts";
import type { Endpoint } from "./endpoint.ts";
import { licenseEndpoints } from "./licenses/licenses.ts";
import { apiKeyEndpoints } from "./management/api-keys.ts";
import { benefitGrantEndpoints as managedBenefitGrantEndpoints } from "./management/benefit-grants.ts";
import { benefitEndpoints } from "./management/benefits.ts";
import { checkoutEndpoints as managedCheckoutEndpoints } from "./management/checkouts.ts";
import { creditNoteEndpoints } from "./management/credit-notes.ts";
import { customerEndpoints as managedCustomerEndpoints } from "./management/customers.ts";
import { disputeEndpoints } from "./management/disputes.ts";
import { discountEndpoints } from "./management/discounts.ts";
import { emailEndpoints } from "./management/emails.ts";
import { eventEndpoints } from "./management/events.ts";
import { explanationEndpoints } from "./management/explanations.ts";
import { invoiceEndpoints } from "./management/invoices.ts";
import { organizationEndpoints } from "./management/organization.ts";
import { paymentEndpoints } from "./management/payments.ts";
import { productEndpoints } from "./management/products.ts";
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
  title: string;
  description: string;
  version: string;
  /** Each starts with `/` and does not end with one; the first is the documented one. */
  basePaths: readonly string[];
  /**
   * What a key needs for operations that don't say otherwise. Null: there is no key, but a program in anybody's hands, in pages of any
   * origin, whose every body says which Organization's license key it is about (`Licensed`).
   */
  scope: ApiKeyScope | null;
  endpoints: readonly Endpoint[];
};

/** Exactly these six operations: what else billing needs is on the management surface. */
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
  ...benefitEndpoints,
  ...discountEndpoints,
  ...managedCustomerEndpoints,
  ...managedCheckoutEndpoints,
  ...managedSubscriptionEndpoints,
  ...invoiceEndpoints,
  ...explanationEndpoints,
  ...paymentEndpoints,
  ...refundEndpoints,
  ...creditNoteEndpoints,
  ...disputeEndpoints,
  ...managedBenefitGrantEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...emailEndpoints,
  ...sandboxEndpoints,
];

type Surfaces = [publicApi: Surface, management: Surface, licenses: Surface];

export function surfacesOf({ publicBasePaths }: Pick<Config, "publicBasePaths">): Surfaces {
  return [
    {
      title: "Billow public API",
      description: "What an Organization's backend calls. Authenticate with an API key of scope `public`.",
      version: "2",
      basePaths: publicBasePaths,
      scope: "public",
      endpoints: PUBLIC_ENDPOINTS,
    },
    {
      title: "Billow management API",
      description: "For operators' scripts and tools. Authenticate with an API key of scope `manage`.",
      version: "1",
      basePaths: ["/manage/v1"],
      scope: "manage",
      endpoints: MANAGEMENT_ENDPOINTS,
    },
    {
      title: "Billow license API",
      description: "What a sold program calls, from any origin and without an API key: the license key that its user has is all it needs.",
      version: "1",
      basePaths: ["/licenses/v1"],
      scope: null,
      endpoints: licenseEndpoints,
    },
  ];
}
