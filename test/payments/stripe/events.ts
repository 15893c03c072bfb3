import { createHmac, randomBytes } from "node:crypto";
import { find, type Book } from "./book.ts";
import { invalid, noSuch } from "./errors.ts";
import { isWithin } from "./form.ts";
import type { StripeEvent, WebhookEndpoint } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

/** Events can be read for 30 days. */
const RETENTION = 30 * 86_400;

const readable = (book: Book): StripeEvent[] => book.events.filter(({ created }) => created > book.now() - RETENTION);

const wants = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => pattern === "*" || pattern === type || type.startsWith(pattern.replace(/\*$/, ".")));

export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString("base64url").replaceAll(/[-_]/g, "w")}`;

/** The header `Stripe-Signature` of a body: an HMAC-SHA256 of `seconds.body` for each secret. */
export function signatureOf(body: string, secrets: readonly string[], seconds: number): string {
  const signed = secrets.map((secret) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
  return [`t=${seconds}`, ...signed.map((each) => `v1=${each}`), "v0=6ffbb59b2300aae63f272406069a9788598b792a"].join(
    ",",
  );
}

const eventRoutes: readonly Route[] = [
  route("GET /v1/events/:id", "event_read", {}, ({ book, id }) => {
    const found = readable(book).find((event) => event.id === id);
    if (found === undefined) throw noSuch("event", id);
    return found;
  }),
  listRoute(
    "/v1/events",
    "event_read",
    { created: "range", delivery_success: "boolean", type: "string", types: "strings" },
    ({ book, params: { created, type, types } }) =>
      readable(book).filter(
        (event) =>
          isWithin(created, event.created) &&
          (type === undefined || wants([type.replace(/\.\*$/, "*")], event.type)) &&
          (types === undefined || types.includes(event.type)),
      ),
  ),
];

const ENDPOINT = { description: "text", enabled_events: "strings", metadata: "metadata", url: "string" } as const;

function checkUrl(book: Book, url: string): void {
  const local = /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(url);
  if (/^https?:\/\/[^/]/.test(url) && (!book.livemode || url.startsWith("https://") || local)) return;
  throw invalid(`Invalid URL: ${url}`, { code: "url_invalid", param: "url" });
}

const endpointRoutes: readonly Route[] = [
  route(
    "POST /v1/webhook_endpoints",
    "webhook_write",
    { ...ENDPOINT, api_version: "string", enabled_events: "strings!", url: "string!" },
    ({ book, params }) => {
      checkUrl(book, params.url);
      const made: WebhookEndpoint = {
        id: book.newId("we"),
        object: "webhook_endpoint",
        api_version: params.api_version ?? null,
        application: null,
        created: book.now(),
        description: params.description ?? null,
        enabled_events: params.enabled_events,
        livemode: book.livemode,
        metadata: params.metadata ?? {},
        status: "enabled",
        url: params.url,
      };
      const secret = newWebhookSecret();
      book.endpoints.set(made.id, made);
      book.endpointSecrets.set(made.id, secret);
      // Only the answer to the creation shows the secret.
      return { ...made, secret };
    },
  ),
  route("GET /v1/webhook_endpoints/:id", "webhook_read", {}, ({ book, id }) =>
    find(book, book.endpoints, "webhook endpoint", id),
  ),
  route(
    "POST /v1/webhook_endpoints/:id",
    "webhook_write",
    { ...ENDPOINT, disabled: "boolean" },
    ({ book, id, params: { disabled, url, ...params } }) => {
      const endpoint = find(book, book.endpoints, "webhook endpoint", id);
      if (url !== undefined) {
        checkUrl(book, url);
        endpoint.url = url;
      }
      if (disabled !== undefined) endpoint.status = disabled ? "disabled" : "enabled";
      for (const [name, value] of Object.entries(params)) if (value !== undefined) endpoint[name] = value;
      return endpoint;
    },
  ),
  route("DELETE /v1/webhook_endpoints/:id", "webhook_write", {}, ({ book, id }) => {
    find(book, book.endpoints, "webhook endpoint", id);
    book.endpoints.delete(id);
    book.endpointSecrets.delete(id);
    return { id, object: "webhook_endpoint", deleted: true };
  }),
  listRoute("/v1/webhook_endpoints", "webhook_read", {}, ({ book }) => book.endpoints.values()),
];

export const eventsAndEndpoints: readonly Route[] = [...eventRoutes, ...endpointRoutes];

/**
 * How notices arrive. `random`: numbers from 0 to below 1 that decide; without them the notices are reversed, each one
 * is repeated, and every other one is missing.
 */
export type Delivery = {
  shuffled?: boolean;
  repeated?: boolean;
  missing?: boolean;
  random?: () => number;
  /** The signatures' time in milliseconds, if the receiver's clock is not the server's. */
  signedAt?: number;
  /** Secrets to sign with; two while a secret is being rotated. */
  secrets?: readonly string[];
};

export type Delivered = { event: StripeEvent; status: number };

/** The notices of these events in the order in which they arrive. */
export function arrivals(
  events: readonly StripeEvent[],
  { shuffled, repeated, missing, random }: Delivery,
): StripeEvent[] {
  const isChosen = (n: number) => (random === undefined ? n % 2 === 1 : random() < 0.3);
  let list = [...events];
  if (missing === true) list = list.filter((_, n) => !isChosen(n));
  if (repeated === true)
    list = list.flatMap((event, n) => (random === undefined || isChosen(n) ? [event, event] : [event]));
  if (shuffled !== true) return list;
  if (random === undefined) return list.reverse();
  for (let n = list.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1));
    [list[n], list[other]] = [list[other]!, list[n]!];
  }
  return list;
}

/** Sends one signed notice and answers the receiver's status; 0: the receiver did not answer. */
export async function sendNotice(
  to: URL,
  event: StripeEvent,
  secrets: readonly string[],
  now: number,
): Promise<number> {
  const body = JSON.stringify(event, null, 2);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": signatureOf(body, secrets, now),
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
  };
  try {
    const answer = await fetch(to, { method: "POST", body, headers, redirect: "manual" });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
