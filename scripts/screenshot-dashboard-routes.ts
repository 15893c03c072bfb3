const DASHBOARD = "/dashboard/:organizationId";

/** The addresses of the dashboard without a picture, and their answers. */
export const NO_DASHBOARD_PICTURES: Record<string, string> = {
  "/dashboard/sign-out": "a redirect to the sign-in",
  "/dashboard/sign-in/code": "one field, as the page of the second factor has it",
  "/dashboard/open-id": "a redirect to the OpenID provider",
  "/dashboard/open-id/callback": "a redirect to the dashboard",
  "/dashboard/open-id/confirm": "a redirect to the OpenID provider",
  "/dashboard/open-id/connect": "a redirect to the OpenID provider",
  "/dashboard/open-id/invitations/:secret": "a redirect to the OpenID provider",
  "/dashboard/open-id/set-up/:secret": "a redirect to the OpenID provider",
  "/dashboard/account/open-id": "only with an OpenID provider",
  [`${DASHBOARD}/metrics/revenue.csv`]: "a CSV file",
  [`${DASHBOARD}/reports`]: "a redirect to the first report",
  [`${DASHBOARD}/reports/revenue.csv`]: "a CSV file",
  [`${DASHBOARD}/reports/tax.csv`]: "a CSV file",
  [`${DASHBOARD}/reports/receivables.csv`]: "a CSV file",
  [`${DASHBOARD}/imports.csv`]: "a CSV file",
  [`${DASHBOARD}/imports.json`]: "a file",
  [`${DASHBOARD}/imports/subscription`]: "only with the account of another billing system",
  [`${DASHBOARD}/invoices/:invoiceId/pdf`]: "a PDF",
  [`${DASHBOARD}/credit-notes/:creditNoteId/pdf`]: "a PDF",
  [`${DASHBOARD}/customers/:customerId/export`]: "a file",
  [`${DASHBOARD}/price-changes/:priceChangeId/status`]: "a word",
  [`${DASHBOARD}/payment-links/:paymentLinkId/qr.svg`]: "a picture to download",
  [`${DASHBOARD}/sandbox/progress`]: "the figures of the page of the sandbox",
  [`${DASHBOARD}/sandbox/stop`]: "only while the clock is being advanced",
  ...Object.fromEntries(
    [
      "customers",
      "subscriptions",
      "invoices",
      "payments",
      "refunds",
      "disputes",
      "checkouts",
      "discounts",
      "payment-links",
      "benefits",
    ].map((list) => [`${DASHBOARD}/${list}.csv`, "a CSV file"]),
  ),
};

/** The resources that the pages show. */
export const SUBJECTS = [
  "organizationId",
  "customerId",
  "subscriptionId",
  "invoiceId",
  "creditNoteId",
  "emailId",
  "grantId",
  "checkoutId",
  "productId",
  "priceChangeId",
  "benefitId",
  "discountId",
  "paymentLinkId",
  "keyId",
  "endpointId",
  "deliveryId",
  "eventId",
  "requestId",
  "invitationId",
  "userId",
  "kind",
] as const;

/** Names of other resources, for the pages that are not about the usual ones. */
export type Others = Record<string, string>;

const INVOICE = `${DASHBOARD}/customers/:customerId/invoices/:invoiceId`;
const SUBSCRIPTION = `${DASHBOARD}/customers/:customerId/subscriptions/:subscriptionId`;
const OWING: Others = { customerId: "owing", invoiceId: "owed" };

/** The pages about another resource than the usual one, by a name of `CompanyView`. */
export const OTHER_SUBJECTS: Record<string, Others> = {
  [`${INVOICE}/charge`]: OWING,
  [`${INVOICE}/void`]: OWING,
  [`${INVOICE}/mark-paid`]: OWING,
  [`${DASHBOARD}/customers/:customerId/balance/pay-out`]: { customerId: "credited" },
  [`${DASHBOARD}/customers/:customerId/access/:grantId/key`]: { customerId: "licensed" },
  [`${DASHBOARD}/products/:productId/prices`]: { productId: "repriced" },
  [`${DASHBOARD}/products/:productId/price-changes/new`]: { productId: "repriced" },
  [`${SUBSCRIPTION}/undo-cancellation`]: { customerId: "leaving", subscriptionId: "leavingSubscription" },
  [`${SUBSCRIPTION}/trial`]: { customerId: "trying", subscriptionId: "tryingSubscription" },
  [`${SUBSCRIPTION}/resume`]: { customerId: "pausing", subscriptionId: "pausingSubscription" },
  [`${SUBSCRIPTION}/keep-plan`]: { customerId: "shrinking", subscriptionId: "shrinkingSubscription" },
};

/** Addresses that need a query to show rows. */
export const QUERIES: Record<string, string> = {
  [`${DASHBOARD}/metrics/subscriptions`]: "?status=active",
  [`${DASHBOARD}/metrics/movements`]: "?from=2026-06-01&to=2026-06-30",
  [`${DASHBOARD}/metrics/revenue`]: "?from=2026-06-01&to=2026-06-30",
  [`${DASHBOARD}/metrics/recovered`]: "?from=2026-01-01&to=2026-06-30",
  [`${DASHBOARD}/search`]: "?q=Lena",
};

/** Pages that are opened before the sign-in, or of no Organization, by their names. */
export const OUTER_PICTURES: Record<string, string> = {
  "/dashboard": "dashboard-choice",
  "/dashboard/set-up/:secret": "dashboard-set-up",
  "/dashboard/sign-in": "dashboard-sign-in",
  "/dashboard/confirm": "dashboard-confirm",
  "/dashboard/forgotten-password": "dashboard-forgotten-password",
  "/dashboard/new-password/:secret": "dashboard-new-password",
  "/dashboard/new-organization": "dashboard-new-organization",
  "/dashboard/account": "dashboard-account",
  "/dashboard/account/password": "dashboard-account-password",
  "/dashboard/account/second-factor": "dashboard-account-second-factor",
  "/dashboard/invitations/:secret": "dashboard-invitation",
};

/** The name of the picture of a page of an Organization: `dashboard-customers-one-balance`. */
export function dashboardPicture(route: string): string {
  const below = route.slice(DASHBOARD.length).replaceAll(/:\w+/g, "one").replaceAll("/", "-");
  return `dashboard${below === "" ? "-overview" : below}`;
}

/** The routes below an Organization that have a picture, with all their parameters in `SUBJECTS`. */
export function dashboardRoutes(routes: Iterable<string>): string[] {
  const known: readonly string[] = SUBJECTS;
  return [...new Set(routes)].filter(
    (route) =>
      route.startsWith(DASHBOARD) &&
      !Object.hasOwn(NO_DASHBOARD_PICTURES, route) &&
      [...route.matchAll(/:(\w+)/g)].every(([, name]) => known.includes(name!)),
  );
}
