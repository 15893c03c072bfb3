import type { Context } from "../../context.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { arrived, type DeliveryAnswer } from "../../domain/webhook/answer.ts";
import { traced } from "../../tracing/tracing.ts";
import { liveSecrets, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { PostPolicy } from "../../outbound/addresses.ts";
import { post } from "../../outbound/post.ts";
import { SENDER_HEADERS, signatureHeaders } from "../../outbound/signature.ts";
import type { DueDelivery } from "../../store/webhook-queue.ts";

/** The body of an event, made of stored values: the same bytes at each attempt. */
function eventBody({ eventId, eventType, eventCreatedAt, sequence, data }: DueDelivery): string {
  const createdAt = formatInstant(eventCreatedAt);
  return `{"id":"${eventId}","type":"${eventType}","createdAt":"${createdAt}","sequence":${sequence},"data":${data}}`;
}

const spanOf = (endpoint: WebhookEndpoint, { id, eventId, eventType, attempts, organizationId }: DueDelivery) =>
  ({
    name: "webhook",
    kind: "internal",
    within: "new",
    attributes: {
      "billow.organization.id": organizationId,
      "billow.event.id": eventId,
      "billow.event.type": eventType,
      "billow.webhook.endpoint.id": endpoint.id,
      "billow.webhook.delivery.id": id,
      "billow.attempts": attempts,
    },
    causes: [eventId],
  }) as const;

/**
 * Posts a claimed delivery at `now`, with no transaction open, and returns the answer. The headers are those of
 * Standard Webhooks, with a signature by each live secret.
 */
export function sendTo(
  { webhooks: { timeoutMilliseconds, resolve } }: Context,
  endpoint: WebhookEndpoint,
  due: DueDelivery,
  now: Instant,
  policy: PostPolicy,
): Promise<DeliveryAnswer> {
  const body = eventBody(due);
  const signatures = signatureHeaders(liveSecrets(endpoint, now), due.eventId, Math.floor(now / 1000), body);
  const headers = { ...SENDER_HEADERS, ...signatures };
  const options = { headers, body, now, timeoutMilliseconds, policy, ...(resolve && { resolve }) };
  return traced(
    () => spanOf(endpoint, due),
    async (span) => {
      const answer = await post(endpoint.url, options);
      if (!arrived(answer)) span.fail("error" in answer ? answer.error : String(answer.status));
      return answer;
    },
  );
}
