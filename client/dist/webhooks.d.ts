import type { WebhookEventData } from "./types/events.ts";
export type { WebhookEventData } from "./types/events.ts";
interface EventOf<Type extends string, Data> {
    /** The same in every delivery of the event. */
    id: string;
    type: Type;
    /** The time of the event: RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the events of its resource: 1, 2, 3, … After a higher number, this event is outdated. */
    sequence: number;
    /** The resource at the time of the event. */
    data: Data;
}
export type WebhookEventType = keyof WebhookEventData;
/**
 * The event of a webhook request, by its `type`. TypeScript refuses a mistyped type. A newer server may send types that
 * this version does not list, so a `switch` needs a `default` that ignores them.
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
    [Each in Type]: EventOf<Each, WebhookEventData[Each]>;
}[Type];
/** The headers of a web `Request`, or of `node:http`. */
export type WebhookHeaders = {
    get(name: string): string | null;
} | Record<string, string | readonly string[] | undefined>;
export type WebhookErrorCode = "header_missing" | "timestamp_invalid" | "timestamp_too_old" | "timestamp_too_new" | "signature_mismatch" | "body_invalid";
/** The request is not from Billow, was changed on the way, or is too old or too new. Answer 400 and ignore it. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
    /** Stable. */
    readonly code: WebhookErrorCode;
    constructor(code: WebhookErrorCode, message: string);
}
export interface VerifyOptions {
    /** The largest difference between the time of sending and now, either way. Default 300. */
    toleranceSeconds?: number | undefined;
    now?: Date | undefined;
}
export interface SignOptions {
    /** The event's id. */
    id?: string | undefined;
    now?: Date | undefined;
}
/**
 * Verifies a request and answers its event. One of the secrets must have made the signature (Standard Webhooks,
 * `v1`). `body` is the raw body before any parser, since its exact bytes were signed. During a rotation, pass both
 * secrets.
 * @throws WebhookVerificationError if the request can't be trusted, TypeError if the arguments are wrong
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], { toleranceSeconds, now }?: VerifyOptions): Promise<WebhookEvent>;
/**
 * The headers that Billow would send with this body, for tests of your own handler: one signature for each secret.
 */
export declare function signWebhook(body: string | Uint8Array, secret: string | readonly string[], { id, now }?: SignOptions): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;
