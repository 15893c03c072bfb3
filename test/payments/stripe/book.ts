import { randomBytes } from "node:crypto";
import { holdObject } from "./description.ts";
import { noSuch } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type * as stripe from "./objects.ts";

/** The only version of the API that this server speaks. */
export const API_VERSION = "2026-08-26.dahlia";

/** The secret keys of an account. `permissions`: of a restricted key, such as `payment_intent_write`. */
export type Key = { key: string; permissions: "all" | Set<string>; isRevoked: boolean };

/** Facts that the account's objects do not show. */
export type Hidden = {
  /** The test card behind a PaymentMethod: its number. */
  numbers: Map<string, string>;
  /** The network's advice with each decline of a PaymentMethod, such as `do_not_try_again`. */
  advice: Map<string, string>;
  /** PaymentMethods that were authenticated for later charges without the buyer. */
  setUp: Set<string>;
  /** PaymentMethods of banks that trust in the buyer's presence. */
  trusting: Set<string>;
  /** PaymentMethods that were used or detached without a Customer, with the intent that used them. */
  usedUp: Map<string, string>;
  /** The running authentication of an intent. */
  attempts: Map<string, { paymentMethod: string; returnUrl: string | null }>;
  /** The Session that an intent belongs to. */
  sessionOf: Map<string, string>;
  /** Charges whose balance transaction is still to come. */
  unbooked: Set<string>;
  /**
   * The effect of an expiry on the Session's intent, on which Stripe's documents are silent. `holds`: the intent goes
   * on, and is not canceled by a request either.
   */
  expiry: "cancels" | "leaves" | "holds";
  /** The number of payments to come that stay `processing`. */
  toProcess: number;
  /** The fields that a Session gives to its intent. */
  intentData: Map<string, JsonObject>;
  /** Ids that exist in the other mode (live or test) alone. */
  elsewhere: Set<string>;
  /** Coupons that were deleted. Their discounts go on. */
  deletedCoupons: Map<string, stripe.Coupon>;
  /** The rate of Stripe Tax for each buyer; null: no tax. */
  automaticTax: stripe.TaxRate | null;
};

/** The account at Stripe, with everything in it. Objects are kept as the API shows them, unexpanded. */
export type Book = {
  readonly url: () => string;
  readonly livemode: boolean;
  /** The account has words that Stripe may add later. Else each object and request is held against the description. */
  readonly isLater: boolean;
  readonly account: JsonObject & { id: string; charges_enabled: boolean };
  readonly keys: Key[];
  readonly customers: Map<string, stripe.Customer>;
  readonly deletedCustomers: Set<string>;
  readonly paymentMethods: Map<string, stripe.PaymentMethod>;
  readonly paymentIntents: Map<string, stripe.PaymentIntent>;
  readonly setupIntents: Map<string, stripe.SetupIntent>;
  readonly sessions: Map<string, stripe.Session>;
  readonly charges: Map<string, stripe.Charge>;
  readonly refunds: Map<string, stripe.Refund>;
  readonly disputes: Map<string, stripe.Dispute>;
  readonly balance: Map<string, stripe.BalanceTransaction>;
  readonly endpoints: Map<string, stripe.WebhookEndpoint>;
  readonly products: Map<string, stripe.Product>;
  readonly prices: Map<string, stripe.Price>;
  readonly coupons: Map<string, stripe.Coupon>;
  readonly discounts: Map<string, stripe.Discount>;
  readonly subscriptions: Map<string, stripe.Subscription>;
  readonly schedules: Map<string, stripe.Schedule>;
  readonly invoices: Map<string, stripe.Invoice>;
  readonly invoiceItems: Map<string, stripe.InvoiceItem>;
  /** Movements of the balances of Customers, oldest first. */
  readonly customerBalance: Map<string, stripe.CustomerBalanceTransaction>;
  /** Cards and other sources from before PaymentMethods, and the tax ids of Customers. */
  readonly sources: Map<string, JsonObject>;
  readonly taxIds: Map<string, JsonObject>;
  readonly endpointSecrets: Map<string, string>;
  /** Oldest first. */
  readonly events: stripe.StripeEvent[];
  readonly hidden: Hidden;
  /** The request that is being carried out: its events name it. */
  request: { id: string; idempotency_key: string | null } | null;
  /** Whole seconds since 1970. */
  readonly now: () => number;
  readonly clock: Clock;
  /** Ids differ between servers, and within a server their order is that of their making. */
  readonly newId: (prefix: string) => string;
};

/** `during`: does work as of an instant, in seconds. `reach`: from now on the time is this instant or later. */
export type Clock = { during(at: number, work: () => void): void; reach(at: number): void };

function createClock(now: () => number): Clock & { now: () => number } {
  let [reached, within]: [number, number | null] = [0, null];
  return {
    now: () => within ?? Math.max(reached, Math.floor(now() / 1000)),
    during(at, work) {
      within = at;
      try {
        work();
      } finally {
        within = null;
      }
    },
    reach: (at) => void (reached = Math.max(reached, at)),
  };
}

export type NewBook = { now: () => number; livemode: boolean; isLater: boolean; url: () => string };

export function createBook({ now, livemode, isLater, url }: NewBook): Book {
  const own = randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "Z");
  const clock = createClock(now);
  let count = 0;
  const newId = (prefix: string) => `${prefix}_${own}${(count++).toString(36).padStart(6, "0")}`;
  return {
    url,
    livemode,
    isLater,
    account: newAccount(newId("acct")),
    keys: [],
    customers: new Map(),
    deletedCustomers: new Set(),
    paymentMethods: new Map(),
    paymentIntents: new Map(),
    setupIntents: new Map(),
    sessions: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    balance: new Map(),
    endpoints: new Map(),
    products: new Map(),
    prices: new Map(),
    coupons: new Map(),
    discounts: new Map(),
    subscriptions: new Map(),
    schedules: new Map(),
    invoices: new Map(),
    invoiceItems: new Map(),
    customerBalance: new Map(),
    sources: new Map(),
    taxIds: new Map(),
    endpointSecrets: new Map(),
    events: [],
    hidden: {
      numbers: new Map(),
      advice: new Map(),
      setUp: new Set(),
      trusting: new Set(),
      usedUp: new Map(),
      attempts: new Map(),
      sessionOf: new Map(),
      unbooked: new Set(),
      expiry: "cancels",
      toProcess: 0,
      intentData: new Map(),
      elsewhere: new Set(),
      deletedCoupons: new Map(),
      automaticTax: null,
    },
    request: null,
    now: clock.now,
    clock,
    newId,
  };
}

/** The prefix of the account's statement descriptor; a suffix has the rest of 22 characters, less `* `. */
export const STATEMENT_PREFIX = "BILLOW";

const newAccount = (id: string) => ({
  id,
  object: "account",
  business_type: "company",
  capabilities: { card_payments: "active", transfers: "active" },
  charges_enabled: true,
  country: "DE",
  default_currency: "eur",
  details_submitted: true,
  email: "owner@example.com",
  payouts_enabled: true,
  requirements: {
    alternatives: [],
    current_deadline: null,
    currently_due: [],
    disabled_reason: null,
    errors: [],
    eventually_due: [],
    past_due: [],
    pending_verification: [],
  },
  settings: {
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_payments: {
      statement_descriptor_prefix: STATEMENT_PREFIX,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: "Example", timezone: "Etc/UTC" },
    payments: {
      statement_descriptor: "EXAMPLE",
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
    },
  },
  type: "standard",
});

/**
 * Records an event with a copy of the object as the object is now. `previous`: the fields that changed, as they were.
 */
export function emit(book: Book, type: string, object: JsonObject, previous?: JsonObject): void {
  if (!book.isLater) holdObject(object);
  book.events.push({
    id: book.newId("evt"),
    object: "event",
    api_version: API_VERSION,
    created: book.now(),
    data: { object: structuredClone(object), ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: book.livemode,
    pending_webhooks: 1,
    request: book.request ?? { id: null, idempotency_key: null },
    type,
  });
}

/** The object with this id. Throws 404, or 400 if a parameter names the id. */
export function find<T>(book: Book, map: ReadonlyMap<string, T>, kind: string, id: string, param?: string): T {
  const found = map.get(id);
  if (found !== undefined) return found;
  const [there, here] = book.livemode ? ["test", "live"] : ["live", "test"];
  const ref = `; a similar object exists in ${there} mode, but a ${here} mode key was used to make this request.`;
  throw noSuch(kind, id, param, book.hidden.elsewhere.has(id) ? ref : "");
}
