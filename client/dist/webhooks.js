import { keysOf } from "./secrets.js";
/** The request is not from Billow, was changed on the way, or is too old or too new. Answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
    name = "WebhookVerificationError";
    /** Stable. */
    code;
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}
const VERSION = "v1,";
/**
 * Verifies a request and answers its event. One of the secrets must have made the signature (Standard Webhooks,
 * `v1`). `body` is the raw body before any parser, since its exact bytes were signed. During a rotation, pass both
 * secrets.
 * @throws WebhookVerificationError if the request can't be trusted, TypeError if the arguments are wrong
 */
export async function verifyWebhook(body, headers, secret, { toleranceSeconds = 300, now = new Date() } = {}) {
    const keys = await keysOf(secret);
    const id = headerOf(headers, "webhook-id");
    const timestamp = headerOf(headers, "webhook-timestamp");
    const signatures = headerOf(headers, "webhook-signature").split(" ");
    checkTimestamp(timestamp, toleranceSeconds, now);
    const expected = await Promise.all(keys.map((key) => signatureOf(key, id, timestamp, body)));
    if (!signatures.some((signature) => expected.some((own) => isSame(own, signature)))) {
        throw new WebhookVerificationError("signature_mismatch", "No signature is of this body and one of these secrets");
    }
    try {
        return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    }
    catch {
        throw new WebhookVerificationError("body_invalid", "The body is signed, but it is not JSON");
    }
}
/**
 * The headers that Billow would send with this body, for tests of your own handler: one signature for each secret.
 */
export async function signWebhook(body, secret, { id = "evt_test", now = new Date() } = {}) {
    const timestamp = String(secondsOf(now));
    const keys = await keysOf(secret);
    const signatures = await Promise.all(keys.map((key) => signatureOf(key, id, timestamp, body)));
    return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
function headerOf(headers, name) {
    const value = isGetter(headers)
        ? headers.get(name)
        : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    if (typeof value === "string" && value !== "")
        return value;
    throw new WebhookVerificationError("header_missing", `There is no header ${name}`);
}
function isGetter(headers) {
    return typeof headers["get"] === "function";
}
const secondsOf = (date) => Math.floor(date.getTime() / 1000);
function checkTimestamp(timestamp, toleranceSeconds, now) {
    if (!/^\d{1,12}$/.test(timestamp))
        throw new WebhookVerificationError("timestamp_invalid", "webhook-timestamp is not in seconds");
    const age = secondsOf(now) - Number(timestamp);
    // Not `age > toleranceSeconds`, which would accept every request if the tolerance were NaN.
    if (Math.abs(age) <= toleranceSeconds)
        return;
    const [code, side] = age > 0 ? ["timestamp_too_old", "ago"] : ["timestamp_too_new", "ahead"];
    throw new WebhookVerificationError(code, `It was sent ${Math.abs(age)} seconds ${side}: more than ${toleranceSeconds}`);
}
async function signatureOf(key, id, timestamp, body) {
    if (typeof body !== "string" && !ArrayBuffer.isView(body)) {
        throw new TypeError("The body must be the raw one, as text or bytes: not what a parser made of it");
    }
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const head = new TextEncoder().encode(`${id}.${timestamp}.`);
    const signed = new Uint8Array(head.length + bytes.length);
    signed.set(head);
    signed.set(bytes, head.length);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
    return VERSION + btoa(String.fromCharCode(...mac));
}
/** Takes the same time for every position of a difference, so that a signature can't be guessed byte by byte. */
function isSame(own, given) {
    let difference = own.length ^ given.length;
    for (let index = 0; index < own.length; index += 1)
        difference |= own.charCodeAt(index) ^ given.charCodeAt(index);
    return difference === 0;
}
