const PORTAL = "/portal/:organizationId";
const SUBSCRIPTION = `${PORTAL}/subscriptions/:subscriptionId`;

/** For every address that answers with a page: the name of a picture that is taken there. */
export const PICTURES: Record<string, string> = {
  "/": "home",
  "/buy/:link": "buy",
  "/buy/:link/table": "buy-table",
  "/checkout/:checkoutId/:secret": "checkout",
  "/return/:name": "message-return",
  "/sandbox/challenge/:organizationId/:token": "sandbox-bank",
  "/sandbox/pay/:organizationId/:token": "sandbox-pay",
  "/sandbox/emails/:secret": "emails",
  "/sandbox/emails/:secret/:id": "email-viewer",
  "/sandbox/emails/:secret/:id/html": "email-receipt",
  "/sandbox/try/portal/:secret": "try-portal",
  "/downloads/:organizationId/:grantId/:file": "message-410",
  "/invoices/:id/:secret": "invoice-paid",
  "/credit-notes/:id/:secret": "credit-note",
  [PORTAL]: "portal",
  [`${PORTAL}/sign-in/:secret`]: "portal-confirm",
  [`${PORTAL}/card`]: "portal-card",
  [`${PORTAL}/details`]: "portal-details",
  [`${PORTAL}/email`]: "portal-email",
  [`${PORTAL}/export`]: "portal-export",
  [`${PORTAL}/email/confirm/:secret`]: "portal-email-confirm",
  [`${PORTAL}/email/undo/:secret`]: "portal-email-undo",
  [`${PORTAL}/purchases/:checkoutId`]: "portal-purchase",
  [`${PORTAL}/licences/:grantId`]: "portal-licence",
  [`${PORTAL}/licences/:grantId/devices/:activationId`]: "portal-device",
  [`${SUBSCRIPTION}/cancel`]: "portal-cancel",
  [`${SUBSCRIPTION}/disown`]: "portal-disown",
  [`${SUBSCRIPTION}/pause`]: "portal-pause",
  [`${SUBSCRIPTION}/resume`]: "portal-resume",
  [`${SUBSCRIPTION}/price`]: "portal-price",
  [`${SUBSCRIPTION}/plan`]: "portal-plan",
  [`${SUBSCRIPTION}/plan/:productId`]: "portal-change",
  [`${SUBSCRIPTION}/plan/:productId/figures`]: "portal-plan-quantity-change",
  [`${SUBSCRIPTION}/quantity`]: "portal-quantity",
  [`${SUBSCRIPTION}/quantity/figures`]: "portal-quantity-change",
};

/** The addresses that answer with no page, and their answers. */
export const NO_PICTURES: Record<string, string> = {
  "/*": "steps before every page",
  "/static/:file": "styles, scripts and the icon",
  "/favicon.ico": "the icon",
  "/robots.txt": "lines for crawlers",
  "/buy/:link/table.js": "a script",
  "/checkout/:checkoutId/:secret/status": "a word",
  "/invoices/:id/:secret/status": "a word",
  "/invoices/:id/:secret/pdf": "a PDF",
  "/credit-notes/:id/:secret/pdf": "a PDF",
  "/sandbox/try/checkout/:secret": "a redirect to a Checkout",
  [`${PORTAL}/sign-out`]: "a redirect to the portal",
  [`${PORTAL}/email/withdraw`]: "a redirect to the portal",
  [`${PORTAL}/purchases/:checkoutId/status`]: "a word",
  [`${PORTAL}/export/file`]: "a file",
  [`${PORTAL}/downloads/:grantId/:file`]: "a redirect to a file",
  [`${SUBSCRIPTION}/card`]: "a redirect to the portal",
  [`${SUBSCRIPTION}/keep`]: "a redirect to the portal",
  [`${SUBSCRIPTION}/plan/keep`]: "a redirect to the portal",
  [`${SUBSCRIPTION}/quantity/keep`]: "a redirect to the portal",
};

/** The form of the addresses at which this picture has to be taken; null: the picture stands for no route. */
export function patternOf(name: string): RegExp | null {
  const route = Object.keys(PICTURES).find((each) => PICTURES[each] === name);
  if (route === undefined || name.startsWith("message-")) return null;
  return new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`);
}
