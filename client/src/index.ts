import { mergeFeatures } from "./features.ts";
import type { Features } from "./features.ts";
import { Transport } from "./transport.ts";
import type { ApiKey, BillowOptions, CallOptions } from "./transport.ts";
import type * as wire from "./types.ts";

export {
  ApiError,
  AuthenticationError,
  BillowError,
  ConnectionError,
  PaymentError,
  ValidationError,
} from "./errors.ts";
export type { ApiKey, BillowOptions, CallOptions, Features };
export type * from "./types.ts";

export type CustomerReference = { customerId: string } | { externalCustomerId: string };

/** `await` the list for one page, or `for await` over the grants of all pages. */
export type BenefitGrantList = Promise<wire.ListBenefitGrantsPage> & AsyncIterable<wire.BenefitGrant>;

/** The public API v2, for servers. Calls reject with a `BillowError`. */
export class Billow {
  readonly #transport: Transport;

  constructor(options: BillowOptions) {
    if ("document" in globalThis)
      throw new TypeError("A Billow API key is a secret: call the API from a server, not from a page");
    this.#transport = new Transport(options);
  }

  /** After a 401, the client sends again once it has a key that was not refused. */
  setApiKey(apiKey: ApiKey): void {
    this.#transport.setApiKey(apiKey);
  }

  readonly customers = {
    /** `customer_exists` (409) names the Customer that has this `externalId` or, without one, this e-mail. */
    create: (params: wire.CreateCustomerParams, options?: CallOptions): Promise<wire.Customer> =>
      this.#write("POST", "/customers", params, options),
  };

  readonly checkouts = {
    create: (params: wire.CreateCheckoutParams, options?: CallOptions): Promise<wire.Checkout> =>
      this.#write("POST", "/checkouts", params, options),
    get: (id: string, options?: CallOptions): Promise<wire.Checkout> =>
      this.#read(`/checkouts/${encodeURIComponent(id)}`, options),
  };

  readonly subscriptions = {
    get: (id: string, options?: CallOptions): Promise<wire.Subscription> =>
      this.#read(`/subscriptions/${encodeURIComponent(id)}`, options),
    /** Rejects with `PaymentError` if the change must be paid at once and was not paid. */
    update: (id: string, params: wire.UpdateSubscriptionParams, options?: CallOptions): Promise<wire.Subscription> =>
      this.#write("PATCH", `/subscriptions/${encodeURIComponent(id)}`, params, options),
  };

  readonly benefitGrants = {
    /** The Customer's active grants, newest first. */
    list: (params: CustomerReference & wire.ListBenefitGrantsParams, options?: CallOptions): BenefitGrantList => {
      const page = (cursor = params.cursor) =>
        this.#read<wire.ListBenefitGrantsPage>(`/benefit-grants?${query({ ...params, cursor })}`, options);
      const first = page();
      return Object.assign(first, {
        async *[Symbol.asyncIterator]() {
          for (let current = await first; ; current = await page(current.nextCursor)) {
            yield* current.data;
            if (!current.nextCursor) return;
          }
        },
      });
    },
  };

  /** The Customer's active `feature` grants, merged into one value for each feature: `{ sso: true, seats: 50 }`. */
  async features(customer: CustomerReference, options?: CallOptions): Promise<Features> {
    const grants: wire.BenefitGrant[] = [];
    for await (const grant of this.benefitGrants.list({ ...customer, type: "feature" }, options)) grants.push(grant);
    return mergeFeatures(grants);
  }

  #read<T>(path: string, { signal }: CallOptions = {}): Promise<T> {
    return this.#transport.send({
      method: "GET",
      path,
      headers: { Accept: "application/json" },
      body: null,
      signal,
    }) as Promise<T>;
  }

  async #write<T>(method: "POST" | "PATCH", path: string, params: object, options: CallOptions = {}): Promise<T> {
    const { signal, idempotencyKey = randomKey() } = options;
    if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
      throw new TypeError("idempotencyKey must be 1 to 255 printable ASCII characters");
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "Idempotency-Key": idempotencyKey,
    };
    return this.#transport.send({ method, path, headers, body: JSON.stringify(params), signal }) as Promise<T>;
  }
}

function query(params: object): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** The key must be unique but not secret. Node 18 has no global `crypto`. */
function randomKey(): string {
  return globalThis.crypto?.randomUUID() ?? `${Date.now()}-${Math.random()}-${Math.random()}`;
}
