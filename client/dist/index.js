import { at, Calls } from "./calls.js";
import { mergeFeatures } from "./features.js";
import { Manage } from "./manage.js";
import { Transport } from "./transport.js";
export { ApiError, AuthenticationError, BillowError, ConnectionError, PaymentError, ValidationError, } from "./errors.js";
const API_KEY = { name: "apiKey", scope: "public" };
const MANAGE_KEY = { name: "manageKey", scope: "manage" };
/** For a client without `manageKey`. */
const NEEDS_MANAGE_KEY = "Pass the option manageKey, a key with the scope manage. Make one in Billow's folder: " +
    "node bin/billow.mjs keys create --scope manage";
/**
 * The public API v2 and, as `manage`, the management API, for servers. Calls reject with a `BillowError`. A wrong
 * option is a `TypeError` here. A missing key or address is a `TypeError` of each call, because a build may load the
 * modules of an application without its variables.
 */
export class Billow {
    #transport;
    #calls;
    /** Every operation of the management API. */
    manage;
    constructor(options) {
        if ("document" in globalThis)
            throw new TypeError("A Billow API key is a secret: call the API from a server, not from a page");
        const { apiKey, baseUrl, manageKey, manageUrl } = options;
        const publicApi = addressOf("baseUrl", baseUrl, "/public/v2");
        const manageApi = manageUrl === undefined
            ? () => publicApi().replace(/\/public\/v2$/, "/manage/v1")
            : addressOf("manageUrl", manageUrl, "/manage/v1");
        this.#transport = new Transport(apiKey, API_KEY, options);
        this.#calls = new Calls(this.#transport, publicApi);
        this.manage = new Manage(manageKey === undefined && apiKey
            ? new Calls(this.#transport, manageApi, NEEDS_MANAGE_KEY)
            : new Calls(new Transport(manageKey ?? "", MANAGE_KEY, options), manageApi));
    }
    /** After a 401, the client sends again once it has a key that was not refused. */
    setApiKey(apiKey) {
        this.#transport.setApiKey(apiKey);
    }
    customers = {
        /** `customer_exists` (409) names the Customer that has this `externalId` or, without one, this e-mail. */
        create: (params, options) => this.#calls.write("POST", "/customers", params, options),
    };
    checkouts = {
        create: (params, options) => this.#calls.write("POST", "/checkouts", params, options),
        get: (id, options) => this.#calls.read(at `/checkouts/${id}`, options),
    };
    subscriptions = {
        get: (id, options) => this.#calls.read(at `/subscriptions/${id}`, options),
        /** Rejects with `PaymentError` if the change must be paid at once and was not paid. */
        update: (id, params, options) => this.#calls.write("PATCH", at `/subscriptions/${id}`, params, options),
    };
    benefitGrants = {
        /** The Customer's active grants, newest first. */
        list: (params, options) => this.#calls.list("/benefit-grants", checked(params), options),
    };
    /** The Customer's active `feature` grants, merged into one value for each feature: `{ sso: true, seats: 50 }`. */
    async features(customer, options) {
        const grants = [];
        for await (const grant of this.benefitGrants.list({ ...checked(customer), type: "feature" }, options))
            grants.push(grant);
        return mergeFeatures(grants);
    }
}
/** @throws TypeError for an id that is not in an object */
function checked(customer) {
    if (typeof customer === "object")
        return customer;
    throw new TypeError(`A Customer is an object: pass { externalCustomerId: ${JSON.stringify(customer)} }`);
}
/** The address of an API. An address that was made from a missing variable is refused only when it is read. */
function addressOf(name, given, end) {
    // The variable of the server's address may end in a slash.
    const url = given && given.replaceAll(/(?<!:)\/{2,}/g, "/");
    const isMissing = !url || /^(?:undefined|null)?\//.test(url);
    if (!isMissing)
        checkUrl(name, url, end);
    return () => {
        if (isMissing)
            checkUrl(name, url, end);
        return url;
    };
}
/** @throws TypeError */
function checkUrl(name, url, end) {
    const example = `such as https://billing.example.com${end}`;
    if (!url)
        throw new TypeError(`${name} is missing. Pass the address of your Billow server with ${end}, ${example}`);
    const given = `not ${JSON.stringify(url)}`;
    if (!isUrl(url))
        throw new TypeError(`${name} must be a URL, ${example}, ${given}. Is a variable such as BILLOW_URL not set?`);
    if (!/^https?:\/\/[^?#@]+$/.test(url) || !url.endsWith(end))
        throw new TypeError(`${name} must end in ${end}, ${example}, ${given}`);
}
/** Node 18 has no `URL.canParse`. */
function isUrl(text) {
    try {
        return new URL(text).href !== "";
    }
    catch {
        return false;
    }
}
