import { HOUR, instant, MINUTE, SECOND, type Instant } from "../calendar.ts";
import { jittered } from "../jitter.ts";
import type { DisabledReason, FailedAttempt, WebhookDelivery, WebhookEndpoint } from "./webhook.ts";

/** The answer of an endpoint, or the reason why there was no answer. `retryAfter` is in seconds. */
export type DeliveryAnswer =
  | { status: number; body: string; retryAfter: number | null; durationMs: number }
  | { error: string; durationMs: number };

/** The delay after each failed attempt (rule W4a). After the last attempt the delivery is given up. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR];
export const MAX_ATTEMPTS = DELAYS.length + 1;
const LONGEST_DELAY = 24 * HOUR;
/**
 * The longest pause of all deliveries at a receiver's request. After the pause the next delivery is tried (rule W5).
 */
const LONGEST_PAUSE = HOUR;
/** With these statuses the receiver asks for a pause of all deliveries, not of one event (RFC 6585, RFC 9110). */
const PAUSING = [429, 503];
/** A run of failures for this long is an outage of the receiver, not a fault of one delivery (rule W6). */
const OUTAGE_MILLISECONDS = MINUTE;
/** An endpoint is disabled after failing for this long without a success (rule W7b). */
const FAILING_MILLISECONDS = 5 * 24 * HOUR;
/**
 * A failing endpoint is tried again within a day. After twice that time without an attempt, the receiver's state in
 * between is unknown, so the run of failures starts anew (rule W7c).
 */
const QUIET_MILLISECONDS = 2 * LONGEST_DELAY;
/** An event holds back the next events of its resource until the delivery has failed this many times (rule W3b). */
export const HOLDING_ATTEMPTS = 3;
/** The beginning of the receiver's answer that is stored, in characters. */
const MOST_BODY = 2_048;
/** The failed attempts that a delivery remembers. More attempts need redeliveries. */
const MOST_FAILURES = 20;

/** Whether the answer is any 2xx (rule W2a). */
export function arrived(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status >= 200 && answer.status < 300;
}

/** Whether the receiver is up and has decided about the event, even with a refusal: other events need not wait. */
export function isAnswered(answer: DeliveryAnswer): boolean {
  return "status" in answer && answer.status < 500 && !PAUSING.includes(answer.status);
}

/** Whether the connection was refused or broken off, as while a receiver restarts. */
export function isConnectionFailure(answer: DeliveryAnswer): boolean {
  return "error" in answer && answer.error === "connection_failed";
}

/** The delivery as it was sent: the end of its claim, and the URL of that attempt. */
export type Attempt = Pick<WebhookDelivery, "attemptAt"> & { url: string };

/**
 * The rows after an answer. `endpoint`: the same object if the endpoint has not changed. `releasesNext`: the delivery
 * no longer holds back the next one of its resource.
 */
export type AnswerEffect = { delivery: WebhookDelivery; endpoint: WebhookEndpoint; releasesNext: boolean };

// The waiting deliveries of a disabled endpoint (rule W7d).
const SKIPPED = { status: "skipped", attemptAt: null, notBefore: null } as const;

/**
 * Decides the effect of an answer on the rows as they are now: the endpoint may have been disabled or changed since the
 * attempt, and another process may have sent the delivery. An arrival always counts. A failure counts only if its claim
 * is still the delivery's present claim, and the endpoint still has the URL of the attempt (rules W2b, W2c and W2d).
 * Null: the answer has no effect. `random`: in [0, 1).
 */
export function applyAnswer(
  { delivery, endpoint }: { delivery: WebhookDelivery; endpoint: WebhookEndpoint },
  attempt: Attempt,
  answer: DeliveryAnswer,
  now: Instant,
  random: number,
): AnswerEffect | null {
  const isFailure = !arrived(answer);
  if (delivery.status === "succeeded" || (isFailure && delivery.attemptAt !== attempt.attemptAt)) return null;
  const isDisabled = endpoint.status === "disabled";
  if (isFailure && endpoint.url !== attempt.url) {
    const again = { ...delivery, ...(isDisabled ? SKIPPED : { attemptAt: now }), claimed: false, updatedAt: now };
    return { delivery: again, endpoint, releasesNext: false };
  }
  const isListener = endpoint.kind === "listener";
  const plan = isListener
    ? planListenerDelivery(delivery, endpoint, answer, now)
    : planDelivery(delivery, endpoint, answer, now, random);
  const response =
    "status" in answer
      ? { responseStatus: answer.status, responseBody: answer.body.slice(0, MOST_BODY), error: null }
      : { responseStatus: null, responseBody: null, error: answer.error };
  const attempts = delivery.attempts + (isListener && isConnectionFailure(answer) ? 0 : 1);
  const isOver = plan.delivery.attemptAt === null;
  return {
    delivery: {
      ...delivery,
      ...(isDisabled && !isOver ? SKIPPED : plan.delivery),
      ...response,
      claimed: false,
      attempts,
      durationMs: answer.durationMs,
      failures: isListener ? delivery.failures : failuresAfter(delivery.failures, answer, now),
      updatedAt: now,
    },
    endpoint: endpointAfter(endpoint, plan.endpoint, now),
    // A delivery to a listener is given up before it reaches `HOLDING_ATTEMPTS`.
    releasesNext: isOver || attempts === HOLDING_ATTEMPTS,
  };
}

/** The failed attempts of a delivery after an answer. An arrival adds none. */
function failuresAfter(
  failures: readonly FailedAttempt[],
  answer: DeliveryAnswer,
  at: Instant,
): readonly FailedAttempt[] {
  if (arrived(answer)) return failures;
  const outcome = "status" in answer ? { status: answer.status, error: null } : { status: null, error: answer.error };
  return [...failures, { at, ...outcome, durationMs: answer.durationMs }].slice(-MOST_FAILURES);
}

function endpointAfter(
  endpoint: WebhookEndpoint,
  { disable, ...known }: DeliveryPlan["endpoint"],
  now: Instant,
): WebhookEndpoint {
  if (disable && endpoint.status === "enabled")
    return { ...endpoint, ...known, status: "disabled", disabledReason: disable, disabledAt: now };
  const isNews = (Object.keys(known) as (keyof Known)[]).some((name) => known[name] !== endpoint[name]);
  return isNews ? { ...endpoint, ...known } : endpoint;
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

type Known = Pick<WebhookEndpoint, "failingSince" | "failedAt" | "pausedUntil" | "recoveredAt">;

export type DeliveryPlan = {
  delivery: Pick<WebhookDelivery, "status" | "attemptAt" | "notBefore">;
  /** The endpoint's new columns. */
  endpoint: Known & { disable: DisabledReason | null };
};

const DONE = { status: "succeeded", attemptAt: null, notBefore: null } as const;
const GIVEN_UP = { status: "failed", attemptAt: null, notBefore: null } as const;

/**
 * Plans a delivery after an answer. Any 2xx ends the delivery, and 410 disables the endpoint (rule W7a). After any
 * other answer the next attempt follows after a growing delay, jittered by a fifth either way (`random` in [0, 1)). The
 * delay is no shorter than `Retry-After`, of which at most a day counts (rule W4b). With 429 and 503 `Retry-After`
 * pauses all deliveries, for at most an hour. If a delivery that was brought forward fails, the planned instant and the
 * position in the schedule stay as they were. Five days of failures disable the endpoint. Failures before a quiet time
 * of two days don't count.
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
const LISTENER_RESTART = 30 * SECOND;

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
  const failingSince = isConnectionFailure(answer) ? (known.failingSince ?? now) : null;
  const endpoint = { ...known, failingSince, disable: null };
  if (arrived(answer)) return { delivery: DONE, endpoint };
  const attemptAt = instant(now + LISTENER_DELAY);
  const hasAnother =
    failingSince === null ? attempts === 0 : attemptAt <= Math.max(failingSince, createdAt) + LISTENER_RESTART;
  return { delivery: hasAnother ? { status: "retrying", attemptAt, notBefore: null } : GIVEN_UP, endpoint };
}
