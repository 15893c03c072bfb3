import { at, Calls } from "./calls.ts";
import type { List, Page, ReadOptions } from "./calls.ts";
import type { Features } from "./catalogue.ts";
import { mergeFeatures } from "./features.ts";
import { Manage } from "./manage.ts";
import { Transport } from "./transport.ts";
import type { ApiKey, CallOptions, KeyOption, TransportOptions } from "./transport.ts";
import type { BenefitGrant, ListBenefitGrantsParams } from "./types/benefit-grants.ts";
import type { Checkout, CreateCheckoutParams } from "./types/checkouts.ts";
import type { CreateCustomerParams, Customer } from "./types/customers.ts";
import type { Subscription, UpdateSubscriptionParams } from "./types/subscriptions.ts";

export {
  ApiError,
  AuthenticationError,
  BillowError,
  ConnectionError,
  PaymentError,
  ValidationError,
} from "./errors.ts";
export type * from "./catalogue.ts";
export type * from "./types/api-keys.ts";
export type * from "./types/audit-log.ts";
export type * from "./types/benefit-grants.ts";
export type * from "./types/benefits.ts";
export type * from "./types/catalogue.ts";
export type * from "./types/checkouts.ts";
export type * from "./types/credit-notes.ts";
export type * from "./types/customers.ts";
export type * from "./types/discounts.ts";
export type * from "./types/disputes.ts";
export type * from "./types/emails.ts";
export type * from "./types/events.ts";
export type * from "./types/exports.ts";
export type * from "./types/invoices.ts";
export type * from "./types/metrics.ts";
export type * from "./types/organization.ts";
export type * from "./types/payment-links.ts";
export type * from "./types/payments.ts";
export type * from "./types/portal-sessions.ts";
export type * from "./types/price-changes.ts";
export type * from "./types/problems.ts";
export type * from "./types/products.ts";
export type * from "./types/provider-notices.ts";
export type * from "./types/refunds.ts";
export type * from "./types/reports.ts";
export type * from "./types/sandbox.ts";
export type * from "./types/subscriptions.ts";
export type * from "./types/webhook-endpoints.ts";
export type { ApiKey, CallOptions, List, Manage, Page, ReadOptions };

export interface BillowOptions extends TransportOptions {
  /**
   * A key with the scope `public`. A function is called before every attempt. The key may be missing in a build, which
   * loads an application without its variables, and if only `manage` is used.
   */
  apiKey?: ApiKey | undefined;
  /** Ends in `/public/v2`. */
  baseUrl: string;
  /** For `manage`: a key with the scope `manage`. Default: `apiKey`, which may do only a few calls of `manage`. */
  manageKey?: ApiKey | undefined;
  /** For `manage`. Ends in `/manage/v1`. Default: `baseUrl` with this end. */
  manageUrl?: string | undefined;
}

export type CustomerReference = { customerId: string } | { externalCustomerId: string };

export type BenefitGrantList = List<BenefitGrant>;

const API_KEY: KeyOption = { name: "apiKey", scope: "public" };
const MANAGE_KEY: KeyOption = { name: "manageKey", scope: "manage" };
/** For a client without `manageKey`. */
const NEEDS_MANAGE_KEY =
  "Pass the option manageKey, a key with the scope manage. Make one in Billow's folder: " +
  "node bin/billow.mjs keys create --scope manage";

/**
 * The public API v2 and, as `manage`, the management API, for servers. Calls reject with a `BillowError`. A wrong
 * option is a `TypeError` here. A missing key or address is a `TypeError` of each call, because a build may load the
 * modules of an application without its variables.
 */
export class Billow {
  readonly #transport: Transport;
  readonly #calls: Calls;
  /** Every operation of the management API. */
  readonly manage: Manage;

  constructor(options: BillowOptions) {
    if ("document" in globalThis)
      throw new TypeError("A Billow API key is a secret: call the API from a server, not from a page");
    const { apiKey, baseUrl, manageKey, manageUrl } = options;
    const publicApi = addressOf("baseUrl", baseUrl, "/public/v2");
    const manageApi =
      manageUrl === undefined
        ? () => publicApi().replace(/\/public\/v2$/, "/manage/v1")
        : addressOf("manageUrl", manageUrl, "/manage/v1");
    this.#transport = new Transport(apiKey, API_KEY, options);
    this.#calls = new Calls(this.#transport, publicApi);
    this.manage = new Manage(
      manageKey === undefined && apiKey
        ? new Calls(this.#transport, manageApi, NEEDS_MANAGE_KEY)
        : new Calls(new Transport(manageKey ?? "", MANAGE_KEY, options), manageApi),
    );
  }

  /** After a 401, the client sends again once it has a key that was not refused. */
  setApiKey(apiKey: ApiKey): void {
    this.#transport.setApiKey(apiKey);
  }

  readonly customers = {
    /** `customer_exists` (409) names the Customer that has this `externalId` or, without one, this e-mail. */
    create: (params: CreateCustomerParams, options?: CallOptions): Promise<Customer> =>
      this.#calls.write("POST", "/customers", params, options),
  };

  readonly checkouts = {
    create: (params: CreateCheckoutParams, options?: CallOptions): Promise<Checkout> =>
      this.#calls.write("POST", "/checkouts", params, options),
    get: (id: string, options?: ReadOptions): Promise<Checkout> => this.#calls.read(at`/checkouts/${id}`, options),
  };

  readonly subscriptions = {
    get: (id: string, options?: ReadOptions): Promise<Subscription> =>
      this.#calls.read(at`/subscriptions/${id}`, options),
    /** Rejects with `PaymentError` if the change must be paid at once and was not paid. */
    update: (id: string, params: UpdateSubscriptionParams, options?: CallOptions): Promise<Subscription> =>
      this.#calls.write("PATCH", at`/subscriptions/${id}`, params, options),
  };

  readonly benefitGrants = {
    /** The Customer's active grants, newest first. */
    list: (params: CustomerReference & ListBenefitGrantsParams, options?: ReadOptions): BenefitGrantList =>
      this.#calls.list("/benefit-grants", checked(params), options),
  };

  /** The Customer's active `feature` grants, merged into one value for each feature: `{ sso: true, seats: 50 }`. */
  async features(customer: CustomerReference, options?: ReadOptions): Promise<Features> {
    const grants: BenefitGrant[] = [];
    for await (const grant of this.benefitGrants.list({ ...checked(customer), type: "feature" }, options))
      grants.push(grant);
    return mergeFeatures(grants);
  }
}

/** @throws TypeError for an id that is not in an object */
function checked<Reference extends CustomerReference>(customer: Reference): Reference {
  if (typeof customer === "object") return customer;
  throw new TypeError(`A Customer is an object: pass { externalCustomerId: ${JSON.stringify(customer)} }`);
}

/** The address of an API. An address that was made from a missing variable is refused only when it is read. */
function addressOf(name: string, given: string, end: string): () => string {
  // The variable of the server's address may end in a slash.
  const url = given && given.replaceAll(/(?<!:)\/{2,}/g, "/");
  const isMissing = !url || /^(?:undefined|null)?\//.test(url);
  if (!isMissing) checkUrl(name, url, end);
  return () => {
    if (isMissing) checkUrl(name, url, end);
    return url;
  };
}

/** @throws TypeError */
function checkUrl(name: string, url: string, end: string): void {
  const example = `such as https://billing.example.com${end}`;
  if (!url) throw new TypeError(`${name} is missing. Pass the address of your Billow server with ${end}, ${example}`);
  const given = `not ${JSON.stringify(url)}`;
  if (!isUrl(url))
    throw new TypeError(`${name} must be a URL, ${example}, ${given}. Is a variable such as BILLOW_URL not set?`);
  if (!/^https?:\/\/[^?#@]+$/.test(url) || !url.endsWith(end))
    throw new TypeError(`${name} must end in ${end}, ${example}, ${given}`);
}

/** Node 18 has no `URL.canParse`. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== "";
  } catch {
    return false;
  }
}
