import { instant, type Instant } from "./calendar.ts";
import type { EventType } from "./event.ts";

export type EndpointKind = "http" | "listener";
export type DisabledReason = "by_hand" | "gone" | "failing";
export type DeliveryStatus = "pending" | "retrying" | "succeeded" | "failed" | "skipped";

/** Who hears of an Organization's events. Instants in real time. */
export type WebhookEndpoint = {
  organizationId: string;
  id: string;
  kind: EndpointKind;
  url: string;
  description: string | null;
  /** `*`, or the types it wants. */
  events: ("*" | EventType)[];
  /** Base64, without the prefix that callers see. */
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: Instant | null;
  status: "enabled" | "disabled";
  disabledReason: DisabledReason | null;
  disabledAt: Instant | null;
  /** Since when every attempt has failed. */
  failingSince: Instant | null;
  /** When an attempt last failed, to the minute. */
  failedAt: Instant | null;
  expiresAt: Instant | null;
  deletedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** One event on its way to one endpoint; `sequence` is the event's, of its resource. */
export type WebhookDelivery = {
  organizationId: string;
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  resourceId: string;
  sequence: number;
  status: DeliveryStatus;
  /** Somebody asked for it again: it holds nothing back. */
  repeated: boolean;
  /** Attempts that were answered, or that nobody answered. */
  attempts: number;
  attemptAt: Instant | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number | null;
  createdAt: Instant;
  updatedAt: Instant;
};

/** What an endpoint answered, or why it did not. `retryAfter` in seconds. */
export type DeliveryAnswer =
  { status: number; body: string; retryAfter: number | null; durationMs: number } | { error: string; durationMs: number };

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
/** How long after each failed attempt the next one comes; after the last there is none. Three days in all. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR];
/** Endpoints that an Organization may have: each event is spread to all of them. */
export const MOST_ENDPOINTS = 50;
export const MAX_ATTEMPTS = DELAYS.length + 1;
const LONGEST_DELAY = 24 * HOUR;
/** So many receivers fail for the same cause at the same moment: they are not to be asked again at the same moment. */
const JITTER = 0.2;
/** An endpoint that did nothing but fail for so long is given up. */
const FAILING_MILLISECONDS = 5 * 24 * HOUR;
/** Whoever fails is asked again within a day: where nobody was asked for twice as long, nobody knows how the receiver was meanwhile. */
const QUIET_MILLISECONDS = 2 * LONGEST_DELAY;
/** An event holds back its resource's next ones until it has failed so often. */
export const HOLDING_ATTEMPTS = 3;

/** Whether an endpoint wants events of this type. */
export function wants(endpoint: Pick<WebhookEndpoint, "events">, type: EventType): boolean {
  return endpoint.events.includes("*") || endpoint.events.includes(type);
}

/** Any 2xx. */
export function arrived(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status >= 200 && answer.status < 300;
}

export type DeliveryPlan = {
  delivery: Pick<WebhookDelivery, "status" | "attemptAt">;
  /** What becomes of the endpoint by it. */
  endpoint: Pick<WebhookEndpoint, "failingSince" | "failedAt"> & { disable: DisabledReason | null };
};

/**
 * What follows from an answer: done for any 2xx; 410 ends the endpoint; else the next attempt after a delay that grows, is jittered by a
 * fifth either way (`random` in [0, 1)) and is no shorter than `Retry-After`, up to a day. Five days of failures end the endpoint; those
 * before a quiet time of two days don't count.
 */
export function planDelivery(
  { attempts }: Pick<WebhookDelivery, "attempts">,
  known: Pick<WebhookEndpoint, "failingSince" | "failedAt">,
  answer: DeliveryAnswer,
  now: Instant,
  random: number,
): DeliveryPlan {
  if (arrived(answer)) {
    const endpoint = { failingSince: null, failedAt: known.failedAt, disable: null };
    return { delivery: { status: "succeeded", attemptAt: null }, endpoint };
  }
  const sinceLast = known.failedAt === null ? Infinity : now - known.failedAt;
  const failingSince = (sinceLast < QUIET_MILLISECONDS ? known.failingSince : null) ?? now;
  const endpoint = { failingSince, failedAt: sinceLast < MINUTE ? known.failedAt : now };
  if ("status" in answer && answer.status === 410)
    return { delivery: { status: "failed", attemptAt: null }, endpoint: { ...endpoint, disable: "gone" } };
  const disable = now - failingSince >= FAILING_MILLISECONDS ? "failing" : null;
  const delay = DELAYS[attempts];
  if (delay === undefined || disable) return { delivery: { status: "failed", attemptAt: null }, endpoint: { ...endpoint, disable } };
  const asked = "status" in answer ? Math.min((answer.retryAfter ?? 0) * SECOND, LONGEST_DELAY) : 0;
  const jittered = Math.round(delay * (1 + JITTER * (2 * random - 1)));
  const attemptAt = instant(now + Math.max(jittered, asked));
  return { delivery: { status: "retrying", attemptAt }, endpoint: { ...endpoint, disable } };
}

/** For so long after it was left, a listener is kept for whoever comes back. */
export const LISTENER_KEPT_MILLISECONDS = 5 * MINUTE;
/** Whoever sits before a listener sees that it failed: one more attempt, soon, and the listener itself stays as it is. */
const LISTENER_DELAY = 2 * SECOND;

/** As `planDelivery`, for a listener. */
export function planListenerDelivery(
  { attempts }: Pick<WebhookDelivery, "attempts">,
  { failingSince, failedAt }: Pick<WebhookEndpoint, "failingSince" | "failedAt">,
  answer: DeliveryAnswer,
  now: Instant,
): DeliveryPlan {
  const endpoint = { failingSince, failedAt, disable: null };
  if (arrived(answer)) return { delivery: { status: "succeeded", attemptAt: null }, endpoint };
  if (attempts > 0) return { delivery: { status: "failed", attemptAt: null }, endpoint };
  return { delivery: { status: "retrying", attemptAt: instant(now + LISTENER_DELAY) }, endpoint };
}

/** The secrets that sign at this moment: after a rotation the one before, too, until its time is over. */
export function liveSecrets({ secret, previousSecret, previousSecretUntil }: WebhookEndpoint, now: Instant): string[] {
  return previousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil ? [secret, previousSecret] : [secret];
}
