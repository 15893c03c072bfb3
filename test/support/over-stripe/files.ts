/** Scenarios that can't be played over Stripe's adapter, with the reason. */
const LEFT_OUT = {
  "card-for-plans": "has a connection to Stripe of its own",
  "cards-at-the-provider": "has a connection to Stripe of its own",
  "connect-stripe": "has a connection to Stripe of its own",
  crowd: "counts the batches and transactions of the built-in provider, whose cards it writes into the tables",
  "earlier-order": "types cards on our page, which Stripe's page takes in its place",
  "highest-price": "charges more than the largest amount of Stripe",
  "hosted-entry": "is about the pages of the built-in provider",
  "portal-claim-refused": "types cards on our page, which Stripe's page takes in its place",
};

/** Scenarios in which the provider's answers matter little. `OVER_STRIPE=all` plays them too. */
const BY_HAND = [
  "bad-month",
  "bad-month-emails",
  "benefit-changed",
  "benefit-races",
  "benefits-edited",
  "calendar",
  "cancel-now",
  "cancellation",
  "change-checkouts",
  "checkout-balance",
  "credit-and-its-source",
  "customer-changed",
  "discount-for-months",
  "discounts-and-tax",
  "downtime",
  "groups",
  "invoices-by-hand",
  "meanwhile",
  "mrr",
  "notices",
  "previews",
  "scheduled-changes",
  "unmatched",
  "suspended",
  "international-domains",
  "tax-ids",
  "tax-regions",
];

const isAll = process.env["OVER_STRIPE"] === "all";

/**
 * The tests of the adapter within Billow, and the tests that are played again over Stripe's adapter and the local
 * Stripe server.
 */
export const OVER_STRIPE = {
  include: [
    "test/over-stripe/*.test.ts",
    "test/scenarios/*.test.ts",
    `test/faults/${isAll ? "{notices,races,steps,table}" : "table"}.test.ts`,
  ],
  exclude: [...Object.keys(LEFT_OUT), ...(isAll ? [] : BY_HAND)].map((name) => `test/scenarios/${name}.test.ts`),
};
