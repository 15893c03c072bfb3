import type { WebhookHandlers, WebhookSecret } from "./receive.ts";
export type { WebhookHandlers, WebhookSecret };
/** The part of Hono's context that the handler needs. */
interface HonoContext {
    req: {
        raw: Request;
        arrayBuffer(): Promise<ArrayBuffer>;
    };
}
/** A handler of Hono: `app.post("/webhooks/billow", webhooks(secret, handlers))`. */
export declare function webhooks(secret: WebhookSecret, handlers: WebhookHandlers): (c: HonoContext) => Promise<Response>;
