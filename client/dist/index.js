import { mergeFeatures } from "./features.js";
import { Transport } from "./transport.js";
export { ApiError, AuthenticationError, BillowError, ConnectionError, PaymentError, ValidationError, } from "./errors.js";
/** The public API v2, for servers. Calls reject with a `BillowError`. */
export class Billow {
    #transport;
    constructor(options) {
        if ("document" in globalThis)
            throw new TypeError("A Billow API key is a secret: call the API from a server, not from a page");
        this.#transport = new Transport(options);
    }
    /** After a 401, the client sends again once it has a key that was not refused. */
    setApiKey(apiKey) {
        this.#transport.setApiKey(apiKey);
    }
    customers = {
        /** `customer_exists` (409) names the Customer that has this `externalId` or, without one, this e-mail. */
        create: (params, options) => this.#write("POST", "/customers", params, options),
    };
    checkouts = {
        create: (params, options) => this.#write("POST", "/checkouts", params, options),
        get: (id, options) => this.#read(`/checkouts/${encodeURIComponent(id)}`, options),
    };
    subscriptions = {
        get: (id, options) => this.#read(`/subscriptions/${encodeURIComponent(id)}`, options),
        /** Rejects with `PaymentError` if the change must be paid at once and was not paid. */
        update: (id, params, options) => this.#write("PATCH", `/subscriptions/${encodeURIComponent(id)}`, params, options),
    };
    benefitGrants = {
        /** The Customer's active grants, newest first. */
        list: (params, options) => {
            const page = (cursor = params.cursor) => this.#read(`/benefit-grants?${query({ ...params, cursor })}`, options);
            const first = page();
            return Object.assign(first, {
                async *[Symbol.asyncIterator]() {
                    for (let current = await first;; current = await page(current.nextCursor)) {
                        yield* current.data;
                        if (!current.nextCursor)
                            return;
                    }
                },
            });
        },
    };
    /** The Customer's active `feature` grants, merged into one value for each feature: `{ sso: true, seats: 50 }`. */
    async features(customer, options) {
        const grants = [];
        for await (const grant of this.benefitGrants.list({ ...customer, type: "feature" }, options))
            grants.push(grant);
        return mergeFeatures(grants);
    }
    #read(path, { signal } = {}) {
        return this.#transport.send({
            method: "GET",
            path,
            headers: { Accept: "application/json" },
            body: null,
            signal,
        });
    }
    async #write(method, path, params, options = {}) {
        const { signal, idempotencyKey = randomKey() } = options;
        if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
            throw new TypeError("idempotencyKey must be 1 to 255 printable ASCII characters");
        const headers = {
            Accept: "application/json",
            "Content-Type": "application/json",
            "Idempotency-Key": idempotencyKey,
        };
        return this.#transport.send({ method, path, headers, body: JSON.stringify(params), signal });
    }
}
function query(params) {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
/** The key must be unique but not secret. Node 18 has no global `crypto`. */
function randomKey() {
    return globalThis.crypto?.randomUUID() ?? `${Date.now()}-${Math.random()}-${Math.random()}`;
}
