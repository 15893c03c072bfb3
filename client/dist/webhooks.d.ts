import type { WebhookEventData } from "./types.ts";
export type { WebhookEventData } from "./types.ts";
interface EventOf<Type extends string, Data> {
    /** The same however often the event is delivered. */
    id: string;
    type: Type;
    /** When it happened: RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** Counts the events of its resource: 1, 2, 3, … One below what you have seen is older news. */
    sequence: number;
    /** The resource as it was then. */
    data: Data;
}
type KnownEvent = {
    [Type in keyof WebhookEventData]: EventOf<Type, WebhookEventData[Type]>;
}[keyof WebhookEventData];
/**
 * What a request tells, by its `type`. A newer server may send types that this version does not list, so a `switch` needs a
 * `default`. Their `data` is `never` only so that it can't be mistaken for that of another type.
 */
export type WebhookEvent = KnownEvent | EventOf<string, never>;
/** Those of a web `Request`, or of `node:http`. */
export type WebhookHeaders = {
    get(name: string): string | null;
} | Record<string, string | readonly string[] | undefined>;
export type WebhookErrorCode = "header_missing" | "timestamp_invalid" | "timestamp_too_old" | "timestamp_too_new" | "signature_mismatch" | "body_invalid";
/** The request is not from Billow, is not as Billow sent it, or is not of today. Answer 400 and do nothing. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
    /** Stable. */
    readonly code: WebhookErrorCode;
    constructor(code: WebhookErrorCode, message: string);
}
export interface VerifyOptions {
    /** How far the time of sending may be from now, either way. Default 300. */
    toleranceSeconds?: number | undefined;
    now?: Date | undefined;
}
export interface SignOptions {
    /** The event's id. */
    id?: string | undefined;
    now?: Date | undefined;
}
/**
 * The event of a request whose signature (Standard Webhooks, `v1`) was made with one of the secrets.
 * `body` is the raw body, before any parser: its very bytes were signed. During a rotation give both secrets.
 * @throws WebhookVerificationError when the request is not to be trusted, TypeError when it was called wrongly
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], { toleranceSeconds, now }?: VerifyOptions): Promise<WebhookEvent>;
/** The headers that Billow would send with this body, one signature for each secret: for tests of your own handler. */
export declare function signWebhook(body: string | Uint8Array, secret: string | readonly string[], { id, now }?: SignOptions): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;
