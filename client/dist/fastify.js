import { MOST_BYTES, receive, warnOfUnusable } from "./receive.js";
/**
 * A plugin of Fastify: `app.register(webhooks(secret, handlers), { prefix: "/webhooks/billow" })`. Within the plugin,
 * bodies are not parsed. The rest of the application keeps its parsers.
 */
export function webhooks(secret, handlers) {
    warnOfUnusable(secret);
    return async (instance) => {
        instance.removeAllContentTypeParsers();
        instance.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body));
        instance.post("/", async ({ headers, body }, reply) => {
            const { status, text } = await receive((body ?? ""), headers, secret, handlers);
            return reply.code(status).send(text);
        });
    };
}
