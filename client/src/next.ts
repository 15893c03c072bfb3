import { bytesOf, respond, warnOfUnusable } from "./receive.ts";
import type { WebhookHandlers, WebhookSecret } from "./receive.ts";

export type { WebhookHandlers, WebhookSecret };

/**
 * A Route Handler of Next.js: `export const POST = webhooks(secret, handlers)`. It suits any framework with web
 * `Request`s.
 */
export function webhooks(secret: WebhookSecret, handlers: WebhookHandlers): (request: Request) => Promise<Response> {
  warnOfUnusable(secret);
  return async (request) => {
    if (request.bodyUsed)
      throw new TypeError("The body was read before the webhook handler, so its signature can't be checked");
    return respond(await bytesOf(request), request, secret, handlers);
  };
}
