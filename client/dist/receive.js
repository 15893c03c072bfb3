import { secretsOf } from "./secrets.js";
import { verifyWebhook, WebhookVerificationError } from "./webhooks.js";
/** Warns on the console of a missing or malformed secret. A build may go on: only requests need the secret. */
export function warnOfUnusable(secret) {
    try {
        secretsOf(secret);
    }
    catch (error) {
        console.warn(`@billow/client: ${error.message}. A build needs no secret, but a running application answers ` +
            "each webhook with an error until the secret is right.");
    }
}
/** More than any event. The limit keeps strangers from filling the memory. */
export const MOST_BYTES = 1_048_576;
export const TOO_LARGE = { status: 413, text: "body_too_large" };
export const CUT_OFF = { status: 400, text: "body_incomplete" };
/** Verifies a request and calls the handler of its event. @throws errors of the handler, TypeError for a bad secret */
export async function receive(body, headers, secret, handlers) {
    const event = await verifyWebhook(body, headers, secret ?? []).catch((error) => {
        if (error instanceof WebhookVerificationError)
            return error;
        throw error;
    });
    if (event instanceof WebhookVerificationError)
        return { status: 400, text: event.code };
    await handlerOf(handlers, event)?.(event);
    return { status: 204, text: "" };
}
function handlerOf(handlers, { type }) {
    if (typeof handlers === "function")
        return handlers;
    if (!Object.hasOwn(handlers, type))
        return undefined;
    return handlers[type];
}
/** The bytes of a request. The rest of a body that is too large is not read. */
export async function bytesOf({ body }) {
    const chunks = [];
    let size = 0;
    try {
        const reader = body?.getReader();
        for (let read = await reader?.read(); read && !read.done; read = await reader.read()) {
            size += read.value.length;
            if (size > MOST_BYTES) {
                await reader.cancel();
                return TOO_LARGE;
            }
            chunks.push(read.value);
        }
    }
    catch {
        return CUT_OFF;
    }
    return joined(chunks);
}
export function joined(chunks) {
    const all = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
    let position = 0;
    for (const chunk of chunks) {
        all.set(chunk, position);
        position += chunk.length;
    }
    return all;
}
/** Answers a web `Request`. */
export async function respond(body, { headers }, secret, handlers) {
    const answer = "status" in body ? body : await receive(body, headers, secret, handlers);
    return new Response(answer.text || null, { status: answer.status });
}
