import { keysOf } from "./secrets.ts";
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
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

export type WebhookErrorCode =
  | "header_missing"
  | "timestamp_invalid"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "signature_mismatch"
  | "body_invalid";

/** The request is not from Billow, was changed on the way, or is too old or too new. Answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  /** Stable. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
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

const VERSION = "v1,";

/**
 * Verifies a request and answers its event. One of the secrets must have made the signature (Standard Webhooks,
 * `v1`). `body` is the raw body before any parser, since its exact bytes were signed. During a rotation, pass both
 * secrets.
 * @throws WebhookVerificationError if the request can't be trusted, TypeError if the arguments are wrong
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = await keysOf(secret);
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  checkTimestamp(timestamp, toleranceSeconds, now);
  const expected = await Promise.all(keys.map((key) => signatureOf(key, id, timestamp, body)));
  if (!signatures.some((signature) => expected.some((own) => isSame(own, signature)))) {
    throw new WebhookVerificationError("signature_mismatch", "No signature is of this body and one of these secrets");
  }
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("body_invalid", "The body is signed, but it is not JSON");
  }
}

/**
 * The headers that Billow would send with this body, for tests of your own handler: one signature for each secret.
 */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string | readonly string[],
  { id = "evt_test", now = new Date() }: SignOptions = {},
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = String(secondsOf(now));
  const keys = await keysOf(secret);
  const signatures = await Promise.all(keys.map((key) => signatureOf(key, id, timestamp, body)));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError("header_missing", `There is no header ${name}`);
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000);

function checkTimestamp(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError("timestamp_invalid", "webhook-timestamp is not in seconds");
  const age = secondsOf(now) - Number(timestamp);
  // Not `age > toleranceSeconds`, which would accept every request if the tolerance were NaN.
  if (Math.abs(age) <= toleranceSeconds) return;
  const [code, side] = age > 0 ? (["timestamp_too_old", "ago"] as const) : (["timestamp_too_new", "ahead"] as const);
  throw new WebhookVerificationError(
    code,
    `It was sent ${Math.abs(age)} seconds ${side}: more than ${toleranceSeconds}`,
  );
}

async function signatureOf(key: CryptoKey, id: string, timestamp: string, body: string | Uint8Array): Promise<string> {
  if (typeof body !== "string" && !ArrayBuffer.isView(body)) {
    throw new TypeError("The body must be the raw one, as text or bytes: not what a parser made of it");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return VERSION + btoa(String.fromCharCode(...mac));
}

/** Takes the same time for every position of a difference, so that a signature can't be guessed byte by byte. */
function isSame(own: string, given: string): boolean {
  let difference = own.length ^ given.length;
  for (let index = 0; index < own.length; index += 1) difference |= own.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
}
