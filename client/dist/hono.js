import { bytesOf, respond, warnOfUnusable } from "./receive.js";
/** A handler of Hono: `app.post("/webhooks/billow", webhooks(secret, handlers))`. */
export function webhooks(secret, handlers) {
    warnOfUnusable(secret);
    return async ({ req }) => {
        // Hono keeps a body that a middleware has read.
        const body = req.raw.bodyUsed ? new Uint8Array(await req.arrayBuffer()) : await bytesOf(req.raw);
        return respond(body, req.raw, secret, handlers);
    };
}
