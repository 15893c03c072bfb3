import { MOST_BYTES, receive, warnOfUnusable } from "./receive.ts";
import type { WebhookHandlers, WebhookSecret } from "./receive.ts";
import type { WebhookHeaders } from "./webhooks.ts";

export type { WebhookHandlers, WebhookSecret };

/** The parts of Fastify that the plugin needs. */
interface FastifyInstance {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}
interface FastifyRequest {
  headers: WebhookHeaders;
  body: unknown;
}
interface FastifyReply {
  code(status: number): { send(text: string): unknown };
}

/**
 * A plugin of Fastify: `app.register(webhooks(secret, handlers), { prefix: "/webhooks/billow" })`. Within the plugin,
 * bodies are not parsed. The rest of the application keeps its parsers.
 */
export function webhooks(
  secret: WebhookSecret,
  handlers: WebhookHandlers,
): (instance: FastifyInstance) => Promise<void> {
  warnOfUnusable(secret);
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MOST_BYTES }, (_, body, done) =>
      done(null, body),
    );
    instance.post("/", async ({ headers, body }, reply) => {
      const { status, text } = await receive((body ?? "") as Uint8Array, headers, secret, handlers);
      return reply.code(status).send(text);
    });
  };
}
