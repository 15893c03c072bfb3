import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import type { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { VERSION } from "../version.ts";
import { problemAnswer, type Answer, type LargeFile } from "./answer.ts";
import type { Key } from "./authentication.ts";
import { clientOf } from "./client-address.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** The rate limits of requests: by API key or, until the key is known, by client address. */
export type Limits = {
  enabled: boolean;
  keys: RateLimiter;
  addresses: RateLimiter;
  keyPolicy: string;
  addressPolicy: string;
};

/** The headers of every answer, also of pages and of refusals. */
export const STANDARD_HEADERS = {
  "Billow-Version": VERSION,
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** An answer with its final body, which may be a file. */
export type Content = Omit<Answer, "body"> & { body: string | Uint8Array | LargeFile };

const isLarge = (body: Content["body"]): body is LargeFile => typeof body === "object" && "open" in body;

const STANDARD = Object.entries(STANDARD_HEADERS).flat();

/** Lets pages of any origin read an answer (Fetch, 3.2.3). Requests from such pages carry no cookie and no API key. */
const ANY_ORIGIN = Object.entries({
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Request-Id, Billow-Version, RateLimit-Policy, RateLimit, Retry-After, Idempotency-Replayed",
}).flat();

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clientAddress: string;
  /** The key by which rate limits count this client. */
  readonly client: string;
  readonly requestId = newId("req");
  /** Milliseconds of `performance.now()`. */
  readonly startedAt = performance.now();
  /** Null until the caller is known. */
  key: Key | null = null;
  /** The look-up of the key, if it began before the operation. */
  lookUp: Promise<Key> | null = null;
  /** The name of the operation in metrics and logs. */
  operation = "unknown";
  /** The path with names in the place of its values: `/checkout/:token`. Null until the path is known. */
  route: string | null = null;
  /** Whether the operation changes the Organization. */
  isChange = false;
  /** Whether any origin may read the answer, as on a surface without API keys. */
  isOpen = false;

  constructor(request: IncomingMessage, response: ServerResponse, clientAddress: string) {
    this.request = request;
    this.response = response;
    this.clientAddress = clientAddress;
    this.client = clientOf(clientAddress);
  }

  send({ status, headers, body, replayed }: Content, limits: Limits): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    const lines = ["Request-Id", this.requestId, ...STANDARD];
    if (this.isOpen) lines.push(...ANY_ORIGIN);
    if (this.key?.clock) lines.push("Billow-Clock", this.key.clock);
    if (limits.enabled) this.#addLimitHeaders(lines, limits);
    if (replayed) lines.push("Idempotency-Replayed", "true");
    const hasContent = status !== 204 && status !== 304;
    if (hasContent && headers["Content-Type"] === undefined) lines.push("Content-Type", "application/json");
    for (const name in headers) lines.push(name, headers[name] as string);
    if (!hasContent) return void response.writeHead(status, lines).end();
    lines.push("Content-Length", String(isLarge(body) ? body.bytes : Buffer.byteLength(body)));
    response.writeHead(status, lines);
    if (this.request.method === "HEAD") response.end();
    else if (isLarge(body)) this.#stream(body);
    else response.end(body);
  }

  /** Sends a large file at the pace of its reader. A reader that leaves is no error. */
  #stream({ open }: LargeFile): void {
    pipeline(open(), this.response, () => undefined);
  }

  refuse(error: AppError, docs: string, limits: Limits): void {
    this.send(problemAnswer(error, docs, this.requestId), limits);
  }

  /**
   * Adds the headers of the rate limit. `t=1`: the limit refills continuously, so more requests are possible within a
   * second (draft-ietf-httpapi-ratelimit-headers-11).
   */
  #addLimitHeaders(lines: string[], limits: Limits): void {
    if (this.key) {
      const left = limits.keys.remaining(this.key.keyId, this.startedAt);
      lines.push("RateLimit-Policy", limits.keyPolicy, "RateLimit", `"key";r=${left};t=1`);
    } else {
      const left = limits.addresses.remaining(this.client, this.startedAt);
      lines.push("RateLimit-Policy", limits.addressPolicy, "RateLimit", `"address";r=${left};t=1`);
    }
  }
}
