import type { Config } from "../config.ts";
import type { ApiKeyScope } from "../domain/api-key.ts";
import type { Endpoint } from "./endpoint.ts";
import { apiKeyEndpoints } from "./management/api-keys.ts";
import { benefitGrantEndpoints as managedBenefitGrantEndpoints } from "./management/benefit-grants.ts";
import { benefitEndpoints } from "./management/benefits.ts";
import { checkoutEndpoints as managedCheckoutEndpoints } from "./management/checkouts.ts";
import { customerEndpoints as managedCustomerEndpoints } from "./management/customers.ts";
import { eventEndpoints } from "./management/events.ts";
import { invoiceEndpoints } from "./management/invoices.ts";
import { organizationEndpoints } from "./management/organization.ts";
import { paymentEndpoints } from "./management/payments.ts";
import { productEndpoints } from "./management/products.ts";
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
  /** What a key needs for operations that don't say otherwise. */
  scope: ApiKeyScope;
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
  ...managedCustomerEndpoints,
  ...managedCheckoutEndpoints,
  ...managedSubscriptionEndpoints,
  ...invoiceEndpoints,
  ...paymentEndpoints,
  ...managedBenefitGrantEndpoints,
  ...eventEndpoints,
  ...sandboxEndpoints,
];

export function surfacesOf({ publicBasePaths }: Pick<Config, "publicBasePaths">): [publicApi: Surface, management: Surface] {
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
  ];
}
