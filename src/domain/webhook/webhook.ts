import type { Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";

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

/** The most endpoints of an Organization: each event is spread to all of them. */
export const MOST_ENDPOINTS = 50;

/** Whether an endpoint wants events of this type. */
export function wants(endpoint: Pick<WebhookEndpoint, "events">, type: EventType): boolean {
  return endpoint.events.includes("*") || endpoint.events.includes(type);
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
