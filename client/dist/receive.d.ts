import type { WebhookEvent, WebhookEventType, WebhookHeaders } from "./webhooks.ts";
/**
 * One secret, or several during a rotation. A missing or malformed secret is a warning when the handler is made, and an
 * error at each request: a build imports the handler without the secret.
 */
export type WebhookSecret = string | readonly string[] | undefined;
/**
 * One function for all events, or a function for each type that matters. The answer waits for the function. If the
 * function throws, the answer is 500, and Billow sends the event again.
 */
export type WebhookHandlers = ((event: WebhookEvent) => unknown) | {
    [Type in WebhookEventType]?: (event: WebhookEvent<Type>) => unknown;
};
/** Warns on the console of a missing or malformed secret. A build may go on: only requests need the secret. */
export declare function warnOfUnusable(secret: WebhookSecret): void;
export interface Answer {
    status: 204 | 400 | 413;
    /** The code of a refusal. */
    text: string;
}
/** More than any event. The limit keeps strangers from filling the memory. */
export declare const MOST_BYTES = 1048576;
export declare const TOO_LARGE: Answer;
export declare const CUT_OFF: Answer;
/** Verifies a request and calls the handler of its event. @throws errors of the handler, TypeError for a bad secret */
export declare function receive(body: string | Uint8Array, headers: WebhookHeaders, secret: WebhookSecret, handlers: WebhookHandlers): Promise<Answer>;
/** The bytes of a request. The rest of a body that is too large is not read. */
export declare function bytesOf({ body }: Request): Promise<Uint8Array | Answer>;
export declare function joined(chunks: readonly Uint8Array[]): Uint8Array;
/** Answers a web `Request`. */
export declare function respond(body: Uint8Array | Answer, { headers }: Request, secret: WebhookSecret, handlers: WebhookHandlers): Promise<Response>;
