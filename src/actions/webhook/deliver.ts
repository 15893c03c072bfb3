import type { Context } from "../../context.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import {
  arrived,
  HOLDING_ATTEMPTS,
  isAnswered,
  isNobodyThere,
  liveSecrets,
  planDelivery,
  planListenerDelivery,
  type DeliveryAnswer,
  type DisabledReason,
  type FailedAttempt,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "../../domain/webhook/webhook.ts";
import type { PostPolicy } from "../../outbound/addresses.ts";
import { post } from "../../outbound/post.ts";
import { SENDER_HEADERS, signatureHeaders } from "../../outbound/signature.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { skipDeliveries } from "../../store/webhook-backlogs.ts";
import { bringForward, releaseNext, type DueDelivery } from "../../store/webhook-queue.ts";
import { deliveries, endpoints } from "../../store/webhooks.ts";
import { recordEndpoint } from "./record-endpoint.ts";

const MOST_BODY = 2_048;

/** The body of an event, made of stored values: the same bytes at each attempt. */
function eventBody({ eventId, eventType, eventCreatedAt, sequence, data }: DueDelivery): string {
  const createdAt = formatInstant(eventCreatedAt);
  return `{"id":"${eventId}","type":"${eventType}","createdAt":"${createdAt}","sequence":${sequence},"data":${data}}`;
}

/** The headers of Standard Webhooks for one attempt at `now`, with a signature by each live secret. */
function signedHeaders(endpoint: WebhookEndpoint, eventId: string, body: string, now: Instant): Record<string, string> {
  return { ...SENDER_HEADERS, ...signatureHeaders(liveSecrets(endpoint, now), eventId, Math.floor(now / 1000), body) };
}

/** The state of a delivery that was under way when its endpoint was disabled: no further attempt follows. */
const SKIPPED = { status: "skipped", attemptAt: null, notBefore: null } as const;

/** The failed attempts that a delivery remembers. More attempts need redeliveries. */
const MOST_FAILURES = 20;

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

/** The reason why sending stops: the endpoint is disabled, or its receiver has asked for a pause. */
export type Stopped = DisabledReason | "paused";

/** Posts a claimed delivery at `now`, with no transaction open. Answers the outcome. */
export async function sendTo(
  { webhooks: { timeoutMilliseconds, resolve } }: Context,
  endpoint: WebhookEndpoint,
  due: DueDelivery,
  now: Instant,
  policy: PostPolicy,
): Promise<DeliveryAnswer> {
  const body = eventBody(due);
  const headers = signedHeaders(endpoint, due.eventId, body, now);
  return post(endpoint.url, { headers, body, now, timeoutMilliseconds, policy, ...(resolve && { resolve }) });
}

/**
 * Records the outcome of a claimed delivery that was sent to `url`. Reads the rows again, because the endpoint may have
 * been disabled or changed meanwhile, and another process may have sent the delivery. An arrival always counts. A
 * failure counts only if its claim is still the delivery's present claim. Answers the reason why sending to the
 * endpoint has to stop, or null if sending goes on.
 */
export async function keepAnswer(
  tx: Tx,
  due: WebhookDelivery,
  answer: DeliveryAnswer,
  url: string,
): Promise<Stopped | null> {
  const found = await endpoints.find(tx, due.organizationId, due.endpointId);
  // An arrival leaves a healthy endpoint unchanged, so answers need not queue for its row.
  const isWell = arrived(answer) && found?.failingSince === null;
  const endpoint = isWell ? found : await endpoints.lock(tx, due.organizationId, due.endpointId);
  const [delivery, { realNow: now }] = await Promise.all([
    deliveries.lock(tx, due.organizationId, due.id),
    readOrganization(tx, due.organizationId),
  ]);
  if (!endpoint || !delivery || delivery.status === "succeeded") return null;
  if (!arrived(answer) && delivery.attemptAt !== due.attemptAt) return null;
  const again = endpoint.status === "enabled" ? { attemptAt: now } : SKIPPED;
  // The URL of the endpoint has changed since, so the failure does not count.
  if (!arrived(answer) && endpoint.url !== url) {
    deliveries.update(tx, { ...delivery, ...again, claimed: false, updatedAt: now });
    return null;
  }
  const isListener = endpoint.kind === "listener";
  const plan = isListener
    ? planListenerDelivery(delivery, endpoint, answer, now)
    : planDelivery(delivery, endpoint, answer, now, Math.random());
  const answered = "status" in answer;
  deliveries.update(tx, {
    ...delivery,
    ...(plan.delivery.attemptAt !== null && endpoint.status === "disabled" ? SKIPPED : plan.delivery),
    claimed: false,
    attempts: isListener && isNobodyThere(answer) ? delivery.attempts : delivery.attempts + 1,
    responseStatus: answered ? answer.status : null,
    responseBody: answered ? answer.body.slice(0, MOST_BODY) : null,
    error: answered ? null : answer.error,
    durationMs: answer.durationMs,
    failures: isListener ? delivery.failures : failuresAfter(delivery.failures, answer, now),
    updatedAt: now,
  });
  // A delivery to a listener is given up before `attempts` reaches `HOLDING_ATTEMPTS`, so the second condition concerns
  // only other endpoints.
  if (plan.delivery.attemptAt === null || delivery.attempts + 1 === HOLDING_ATTEMPTS) releaseNext(tx, [delivery]);
  const { disable, ...known } = plan.endpoint;
  if (disable && endpoint.status === "enabled") {
    await disableEndpoint(tx, { ...endpoint, ...known }, disable, now);
    return disable;
  }
  const isNews = (Object.keys(known) as (keyof typeof known)[]).some((name) => known[name] !== endpoint[name]);
  if (isNews) endpoints.update(tx, { ...endpoint, ...known });
  if (isAnswered(answer) && known.recoveredAt !== null) await bringForward(tx, [delivery]);
  return known.pausedUntil !== endpoint.pausedUntil ? "paused" : null;
}

/**
 * Stops all deliveries to an endpoint until the endpoint is enabled by hand. The other endpoints get an event about
 * this.
 */
async function disableEndpoint(
  tx: Tx,
  endpoint: WebhookEndpoint,
  disabledReason: DisabledReason,
  now: Instant,
): Promise<void> {
  await recordEndpoint(
    tx,
    { ...endpoint, status: "disabled", disabledReason, disabledAt: now, version: endpoint.version },
    "webhook_endpoint.disabled",
    now,
  );
  await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
}
