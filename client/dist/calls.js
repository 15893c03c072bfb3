import { ApiError } from "./errors.js";
/** The calls of one API. */
export class Calls {
    #transport;
    #baseUrl;
    #advice;
    /** `baseUrl`: throws if the address is missing. `advice`: added to the message of a 403. */
    constructor(transport, baseUrl, advice) {
        this.#transport = transport;
        this.#baseUrl = baseUrl;
        this.#advice = advice;
    }
    read(path, options = {}) {
        return this.#send({ method: "GET", path, options });
    }
    /** As `read`, with a query. */
    find(path, params, options) {
        return this.read(path + query(params), options);
    }
    async file(path, { signal } = {}) {
        const read = async (response) => new Uint8Array(await response.arrayBuffer());
        const call = { method: "GET", url: this.#baseUrl() + path, headers: {}, body: null, signal };
        return this.#transport.send({ ...call, read, advice: this.#advice });
    }
    list(path, params, options) {
        const page = (cursor = params.cursor) => this.read(`${path}${query({ ...params, cursor })}`, options);
        const first = page();
        return Object.assign(first, {
            async *[Symbol.asyncIterator]() {
                for (let current = await first;; current = await page(current.nextCursor ?? undefined)) {
                    yield* current.data;
                    if (!current.nextCursor)
                        return;
                }
            },
        });
    }
    /** The item of a list with this key. @throws ApiError `not_found`, as for an unknown id. */
    async byKey(path, key, options) {
        const { data } = await this.list(path, { key }, options);
        if (data[0] !== undefined)
            return data[0];
        throw new ApiError(`not_found: ${path} has no key ${JSON.stringify(key)}`, { status: 404, code: "not_found" });
    }
    async write(method, path, params, options = {}) {
        const { idempotencyKey = randomKey() } = options;
        if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
            throw new TypeError("idempotencyKey must be 1 to 255 printable ASCII characters");
        return this.#send({ method, path, params, options, headers: { "Idempotency-Key": idempotencyKey } });
    }
    replace(path, params, options = {}) {
        return this.#send({ method: "PUT", path, params, options });
    }
    /** Answers `undefined` if the answer has no body. */
    remove(path, params, options = {}) {
        return this.#send({ method: "DELETE", path: `${path}${query(params)}`, options });
    }
    async #send({ method, path, params = null, options, headers = {} }) {
        return this.#transport.send({
            method,
            url: this.#baseUrl() + path,
            headers: { Accept: "application/json", ...(params && { "Content-Type": "application/json" }), ...headers },
            body: params && JSON.stringify(params),
            signal: options.signal,
            read: readJson,
            advice: this.#advice,
        });
    }
}
async function readJson(response) {
    const text = await response.text();
    return response.status === 204 ? undefined : JSON.parse(text);
}
/** A path with its ids encoded. @throws TypeError if an id is not a text with characters */
export function at(parts, ...ids) {
    const wrong = ids.findIndex((id) => typeof id !== "string" || id === "");
    if (wrong >= 0) {
        const [, resource = ""] = parts[wrong].split("/");
        const id = ids[wrong];
        const given = typeof id === "object" && id !== null ? "an object: pass its id" : id === "" ? "empty" : String(id);
        throw new TypeError(`${String.raw({ raw: parts }, ...ids.map(() => "{id}"))}: the id of ${resource} is ${given}`);
    }
    return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}
function query(params) {
    const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
}
/** The key must be unique but not secret. Node 18 has no global `crypto`. */
function randomKey() {
    return globalThis.crypto?.randomUUID() ?? `${Date.now()}-${Math.random()}-${Math.random()}`;
}
