import { instant, type Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";

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
  /** Those before it, newest first: each signs, too, until its time is over. */
  previousSecrets: { secret: string; until: Instant }[];
  status: "enabled" | "disabled";
  disabledReason: DisabledReason | null;
  disabledAt: Instant | null;
  /** Since when every attempt has failed. */
  failingSince: Instant | null;
  /** When an attempt last failed, to the minute. */
  failedAt: Instant | null;
  /** Before then the receiver wants nothing at all. */
  pausedUntil: Instant | null;
  /** When it was well again after an outage: what had failed by then is brought forward. */
  recoveredAt: Instant | null;
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
  /** Somebody is sending it, until `attemptAt`. */
  claimed: boolean;
  /** Before then the receiver does not want to see it again. */
  notBefore: Instant | null;
  /** It was brought forward: when it would have come. */
  plannedAt: Instant | null;
  /** How often that was: those attempts are beside the schedule. */
  brought: number;
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
/** Nothing at all is sent for so long at most to whoever asks for a pause: then it is looked whether that is still so. */
const LONGEST_PAUSE = HOUR;
/** They ask all senders to wait, not the sender of one event (RFC 6585, RFC 9110). */
const PAUSING = [429, 503];
/** So many receivers fail for the same cause at the same moment: they are not to be asked again at the same moment. */
const JITTER = 0.2;
/** Nothing but failures for so long: it was the receiver, not what was sent to it. */
const OUTAGE_MILLISECONDS = MINUTE;
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

/** The receiver is well, or another one: after an outage, what had failed by now is brought forward. */
export function recovered(
  { failingSince, recoveredAt }: Pick<WebhookEndpoint, "failingSince" | "recoveredAt">,
  now: Instant,
): Pick<WebhookEndpoint, "failingSince" | "recoveredAt"> {
  const wasOut = failingSince !== null && now - failingSince >= OUTAGE_MILLISECONDS;
  return { failingSince: null, recoveredAt: wasOut ? now : recoveredAt };
}

/** Somebody is there and says what is thought of it, be it refused: others need not wait. */
export function isAnswered(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status < 500 && !PAUSING.includes(answer.status);
}

/** Any 2xx. */
export function arrived(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status >= 200 && answer.status < 300;
}

type Known = Pick<WebhookEndpoint, "failingSince" | "failedAt" | "pausedUntil" | "recoveredAt">;

export type DeliveryPlan = {
  delivery: Pick<WebhookDelivery, "status" | "attemptAt" | "notBefore">;
  /** What becomes of the endpoint by it. */
  endpoint: Known & { disable: DisabledReason | null };
};

const DONE = { status: "succeeded", attemptAt: null, notBefore: null } as const;
const GIVEN_UP = { status: "failed", attemptAt: null, notBefore: null } as const;

/**
 * What follows from an answer: done for any 2xx; 410 ends the endpoint; else the next attempt after a delay that grows, is jittered by a
 * fifth either way (`random` in [0, 1)) and is no shorter than `Retry-After`, up to a day. With 429 and 503 that is for everything, up to
 * an hour. One that was brought forward, and failed, comes when it was to come, and as often. Five days of failures end the endpoint;
 * those before a quiet time of two days don't count.
 */
export function planDelivery(
  { attempts, plannedAt, brought }: Pick<WebhookDelivery, "attempts" | "plannedAt" | "brought">,
  known: Known,
  answer: DeliveryAnswer,
  now: Instant,
  random: number,
): DeliveryPlan {
  if (arrived(answer)) {
    return { delivery: DONE, endpoint: { ...known, ...recovered(known, now), disable: null } };
  }
  const sinceLast = known.failedAt === null ? Infinity : now - known.failedAt;
  const failingSince = (sinceLast < QUIET_MILLISECONDS ? known.failingSince : null) ?? now;
  const asked = "status" in answer ? (answer.retryAfter ?? 0) * SECOND : 0;
  const isPause = "status" in answer && PAUSING.includes(answer.status) && asked > 0;
  // Of two that ask for it at the same time, whoever asks for longer.
  const pausedUntil = isPause ? instant(Math.max(now + Math.min(asked, LONGEST_PAUSE), known.pausedUntil ?? 0)) : known.pausedUntil;
  const endpoint = { ...known, failingSince, failedAt: sinceLast < MINUTE ? known.failedAt : now, pausedUntil };
  if ("status" in answer && answer.status === 410) return { delivery: GIVEN_UP, endpoint: { ...endpoint, disable: "gone" } };
  const disable = now - failingSince >= FAILING_MILLISECONDS ? "failing" : null;
  const delay = DELAYS[attempts - brought];
  if (delay === undefined || disable) return { delivery: GIVEN_UP, endpoint: { ...endpoint, disable } };
  const jittered = Math.round(delay * (1 + JITTER * (2 * random - 1)));
  const notBefore = asked > 0 ? instant(now + Math.min(asked, LONGEST_DELAY)) : null;
  const own = plannedAt !== null && plannedAt > now ? plannedAt : now + jittered;
  const attemptAt = instant(Math.max(own, notBefore ?? 0));
  return { delivery: { status: "retrying", attemptAt, notBefore }, endpoint: { ...endpoint, disable } };
}

/** For so long after it was left, a listener is kept for whoever comes back. */
export const LISTENER_KEPT_MILLISECONDS = 5 * MINUTE;
/** Whoever sits before a listener sees that it failed: one more attempt, soon, and the listener itself stays as it is. */
const LISTENER_DELAY = 2 * SECOND;
/** A program that is started anew with each file that is saved is there again by then. */
const LISTENER_PATIENCE = 30 * SECOND;

/** Nobody took the connection, or they broke it off: as while a receiver is started anew. */
export function isNobodyThere(answer: DeliveryAnswer): boolean {
  return "error" in answer && answer.error === "connection_failed";
}

/**
 * As `planDelivery`, for a listener. Where nobody is there it is tried every 2 seconds, until that has been so for half a minute, both in
 * all and since the event came; this counts as no attempt, so that the event goes on holding back its resource's next ones.
 */
export function planListenerDelivery(
  { attempts, createdAt }: Pick<WebhookDelivery, "attempts" | "createdAt">,
  known: Known,
  answer: DeliveryAnswer,
  now: Instant,
): DeliveryPlan {
  const failingSince = isNobodyThere(answer) ? (known.failingSince ?? now) : null;
  const endpoint = { ...known, failingSince, disable: null };
  if (arrived(answer)) return { delivery: DONE, endpoint };
  const attemptAt = instant(now + LISTENER_DELAY);
  const hasAnother = failingSince === null ? attempts === 0 : attemptAt <= Math.max(failingSince, createdAt) + LISTENER_PATIENCE;
  return { delivery: hasAnother ? { status: "retrying", attemptAt, notBefore: null } : GIVEN_UP, endpoint };
}

/** Each rotation adds one that signs, and a signature to each request. */
const MOST_PREVIOUS_SECRETS = 5;

/** The secrets that sign at this moment: the present one, and those before whose time is not over. */
export function liveSecrets({ secret, previousSecrets }: Pick<WebhookEndpoint, "secret" | "previousSecrets">, now: Instant): string[] {
  return [secret, ...previousSecrets.filter(({ until }) => now < until).map((previous) => previous.secret)];
}

/**
 * A rotation. The one replaced signs until `until`, and so do those before it until their own end: whoever rotates anew, as an answer
 * was lost, cuts nobody off. `until` no later than `now`: only the new one signs from now on.
 */
export function rotated(
  { secret, previousSecrets }: Pick<WebhookEndpoint, "secret" | "previousSecrets">,
  next: string,
  until: Instant,
  now: Instant,
): Pick<WebhookEndpoint, "secret" | "previousSecrets"> {
  if (until <= now) return { secret: next, previousSecrets: [] };
  const live = previousSecrets.filter((previous) => now < previous.until);
  return { secret: next, previousSecrets: [{ secret, until }, ...live].slice(0, MOST_PREVIOUS_SECRETS) };
}
