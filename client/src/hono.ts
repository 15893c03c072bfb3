import { bytesOf, respond, warnOfUnusable } from "./receive.ts";
import type { WebhookHandlers, WebhookSecret } from "./receive.ts";

export type { WebhookHandlers, WebhookSecret };

/** The part of Hono's context that the handler needs. */
interface HonoContext {
  req: { raw: Request; arrayBuffer(): Promise<ArrayBuffer> };
}

/** A handler of Hono: `app.post("/webhooks/billow", webhooks(secret, handlers))`. */
export function webhooks(secret: WebhookSecret, handlers: WebhookHandlers): (c: HonoContext) => Promise<Response> {
  warnOfUnusable(secret);
  return async ({ req }) => {
    // Hono keeps a body that a middleware has read.
    const body = req.raw.bodyUsed ? new Uint8Array(await req.arrayBuffer()) : await bytesOf(req.raw);
    return respond(body, req.raw, secret, handlers);
  };
}
