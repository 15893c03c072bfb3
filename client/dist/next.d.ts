import type { WebhookHandlers, WebhookSecret } from "./receive.ts";
export type { WebhookHandlers, WebhookSecret };
/**
 * A Route Handler of Next.js: `export const POST = webhooks(secret, handlers)`. It suits any framework with web
 * `Request`s.
 */
export declare function webhooks(secret: WebhookSecret, handlers: WebhookHandlers): (request: Request) => Promise<Response>;
