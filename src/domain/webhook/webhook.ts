import { HOUR, instant, MINUTE, SECOND, type Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import { jittered } from "../jitter.ts";

export type EndpointKind = "http" | "listener";
export type DisabledReason = "by_hand" | "gone" | "failing";
export type DeliveryStatus = "pending" | "retrying" | "succeeded" | "failed" | "skipped";

/** A receiver of an Organization's events. Instants are in real time. */
export type WebhookEndpoint = {
  organizationId: string;
  id: string;
  kind: EndpointKind;
  url: string;
  description: string | null;
  /** `*`, or the types that the endpoint wants. */
  events: ("*" | EventType)[];
  /** Base64, without the prefix that callers see. */
  secret: string;
  /** The earlier secrets, newest first. Each also signs until its time is over. */
  previousSecrets: { secret: string; until: Instant }[];
  status: "enabled" | "disabled";
  disabledReason: DisabledReason | null;
  disabledAt: Instant | null;
  /** Every attempt since this instant has failed. */
  failingSince: Instant | null;
  /** When an attempt last failed, to the minute. */
  failedAt: Instant | null;
  /** The receiver asked for a pause of all deliveries until this instant. */
  pausedUntil: Instant | null;
  /** The end of the last outage: deliveries that had failed by this instant are brought forward. */
  recoveredAt: Instant | null;
  expiresAt: Instant | null;
  deletedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** An attempt that failed: the status of the answer, or the reason why there was no answer. */
export type FailedAttempt = { at: Instant; status: number | null; error: string | null; durationMs: number };

/** One event on its way to one endpoint; `sequence` counts the events of the resource. */
export type WebhookDelivery = {
  organizationId: string;
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  resourceId: string;
  sequence: number;
  status: DeliveryStatus;
  /** Whether a caller asked for the event again; such a delivery holds back no later event. */
  repeated: boolean;
  /** Attempts with and without an answer. */
  attempts: number;
  attemptAt: Instant | null;
  /** Whether a process is sending the delivery; the claim ends at `attemptAt`. */
  claimed: boolean;
  /** The receiver does not want this delivery again before this instant. */
  notBefore: Instant | null;
  /** The planned instant of a delivery that was brought forward. */
  plannedAt: Instant | null;
  /** The number of times that the delivery was brought forward; these attempts are outside the schedule. */
  brought: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number | null;
  /** Oldest first. */
  failures: readonly FailedAttempt[];
  createdAt: Instant;
  updatedAt: Instant;
};

/** The answer of an endpoint, or the reason why there was no answer. `retryAfter` is in seconds. */
export type DeliveryAnswer =
  | { status: number; body: string; retryAfter: number | null; durationMs: number }
  | { error: string; durationMs: number };

/** The delay after each failed attempt. The delivery is given up after the last attempt. Three days in all. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR];
/** The most endpoints of an Organization: each event is spread to all of them. */
export const MOST_ENDPOINTS = 50;
export const MAX_ATTEMPTS = DELAYS.length + 1;
const LONGEST_DELAY = 24 * HOUR;
/** The longest pause of all deliveries at a receiver's request. After the pause the next delivery is tried. */
const LONGEST_PAUSE = HOUR;
/** With these statuses the receiver asks for a pause of all deliveries, not of one event (RFC 6585, RFC 9110). */
const PAUSING = [429, 503];
/** A run of failures for this long is an outage of the receiver, not a fault of one delivery. */
const OUTAGE_MILLISECONDS = MINUTE;
/** An endpoint is disabled after failing for this long without a success. */
const FAILING_MILLISECONDS = 5 * 24 * HOUR;
/**
 * A failing endpoint is tried again within a day. After twice that time without an attempt, the receiver's state in
 * between is unknown, so the run of failures starts anew.
 */
const QUIET_MILLISECONDS = 2 * LONGEST_DELAY;
/** An event holds back the next events of its resource until the delivery has failed this many times. */
export const HOLDING_ATTEMPTS = 3;

/** Whether an endpoint wants events of this type. */
export function wants(endpoint: Pick<WebhookEndpoint, "events">, type: EventType): boolean {
  return endpoint.events.includes("*") || endpoint.events.includes(type);
}

/**
 * The endpoint's fields after the receiver has recovered or was replaced. Deliveries that failed in an outage are
 * brought forward.
 */
export function recovered(
  { failingSince, recoveredAt }: Pick<WebhookEndpoint, "failingSince" | "recoveredAt">,
  now: Instant,
): Pick<WebhookEndpoint, "failingSince" | "recoveredAt"> {
  const wasOut = failingSince !== null && now - failingSince >= OUTAGE_MILLISECONDS;
  return { failingSince: null, recoveredAt: wasOut ? now : recoveredAt };
}

/** Whether the receiver is up and has decided about the event, even with a refusal: other events need not wait. */
export function isAnswered(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status < 500 && !PAUSING.includes(answer.status);
}

/** Whether the answer is any 2xx. */
export function arrived(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status >= 200 && answer.status < 300;
}

type Known = Pick<WebhookEndpoint, "failingSince" | "failedAt" | "pausedUntil" | "recoveredAt">;

export type DeliveryPlan = {
  delivery: Pick<WebhookDelivery, "status" | "attemptAt" | "notBefore">;
  /** The endpoint's new columns. */
  endpoint: Known & { disable: DisabledReason | null };
};

const DONE = { status: "succeeded", attemptAt: null, notBefore: null } as const;
const GIVEN_UP = { status: "failed", attemptAt: null, notBefore: null } as const;

/**
 * Plans a delivery after an answer. Any 2xx ends the delivery, and 410 disables the endpoint. After any other answer
 * the next attempt follows after a growing delay, jittered by a fifth either way (`random` in [0, 1)). The delay is no
 * shorter than `Retry-After`, of which at most a day counts. With 429 and 503 `Retry-After` pauses all deliveries, for
 * at most an hour. If a delivery that was brought forward fails, the planned instant and the position in the schedule
 * stay as they were. Five days of failures disable the endpoint. Failures before a quiet time of two days don't count.
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
  // The longer of two concurrent pauses counts.
  const pausedUntil = isPause
    ? instant(Math.max(now + Math.min(asked, LONGEST_PAUSE), known.pausedUntil ?? 0))
    : known.pausedUntil;
  const endpoint = { ...known, failingSince, failedAt: sinceLast < MINUTE ? known.failedAt : now, pausedUntil };
  if ("status" in answer && answer.status === 410)
    return { delivery: GIVEN_UP, endpoint: { ...endpoint, disable: "gone" } };
  const disable = now - failingSince >= FAILING_MILLISECONDS ? "failing" : null;
  const delay = DELAYS[attempts - brought];
  if (delay === undefined || disable) return { delivery: GIVEN_UP, endpoint: { ...endpoint, disable } };
  const notBefore = asked > 0 ? instant(now + Math.min(asked, LONGEST_DELAY)) : null;
  const own = plannedAt !== null && plannedAt > now ? plannedAt : now + jittered(delay, random);
  const attemptAt = instant(Math.max(own, notBefore ?? 0));
  return { delivery: { status: "retrying", attemptAt, notBefore }, endpoint: { ...endpoint, disable } };
}

/** A listener is kept for this long after its client has left, in case the client comes back. */
export const LISTENER_KEPT_MILLISECONDS = 5 * MINUTE;
/**
 * The user of a listener sees the failure. So only one more attempt follows, after this delay, and the listener is not
 * disabled.
 */
const LISTENER_DELAY = 2 * SECOND;
/** Within this time a program that restarts with each saved file accepts connections again. */
const LISTENER_PATIENCE = 30 * SECOND;

/** Whether the connection was refused or broken off, as while a receiver restarts. */
export function isNobodyThere(answer: DeliveryAnswer): boolean {
  return "error" in answer && answer.error === "connection_failed";
}

/**
 * As `planDelivery`, for a listener. While connections fail, the delivery is tried every 2 seconds. The tries end when
 * half a minute has passed both since the first failed connection and since the event. These tries do not count as
 * attempts, so the event goes on holding back the next events of its resource.
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
  const hasAnother =
    failingSince === null ? attempts === 0 : attemptAt <= Math.max(failingSince, createdAt) + LISTENER_PATIENCE;
  return { delivery: hasAnother ? { status: "retrying", attemptAt, notBefore: null } : GIVEN_UP, endpoint };
}

/** A limit is needed because each rotation adds one more signature to every request. */
const MOST_PREVIOUS_SECRETS = 5;

/** The secrets that sign at this moment: the present one, and earlier ones with time left. */
export function liveSecrets(
  { secret, previousSecrets }: Pick<WebhookEndpoint, "secret" | "previousSecrets">,
  now: Instant,
): string[] {
  return [secret, ...previousSecrets.filter(({ until }) => now < until).map((previous) => previous.secret)];
}

/**
 * Rotates the secret. The replaced secret signs until `until`, and earlier secrets sign until their own end. So a
 * second rotation after a lost answer cuts no receiver off. If `until` is not after `now`, only the new secret signs
 * from now on.
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
