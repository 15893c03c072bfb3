import { applyAnswer, arrived, isAnswered, type DeliveryAnswer } from "../../domain/webhook/answer.ts";
import type { DisabledReason, WebhookDelivery } from "../../domain/webhook/webhook.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { skipDeliveries } from "../../store/webhook-backlogs.ts";
import { bringForward, releaseNext } from "../../store/webhook-queue.ts";
import { deliveries, endpoints } from "../../store/webhooks.ts";
import { recordEndpoint } from "./record-endpoint.ts";

/** The reason why sending stops: the endpoint is disabled, or its receiver has asked for a pause. */
export type Stopped = DisabledReason | "paused";

/**
 * Records the answer to a claimed delivery that was sent to `url`, with the effect of `applyAnswer`. Returns the reason
 * why sending to the endpoint has to stop, or null if sending goes on.
 */
export async function recordAnswer(
  tx: Tx,
  due: WebhookDelivery,
  answer: DeliveryAnswer,
  url: string,
): Promise<Stopped | null> {
  const { organizationId, endpointId } = due;
  const found = await endpoints.find(tx, organizationId, endpointId);
  // An arrival leaves a healthy endpoint unchanged, so answers need not queue for its row.
  const isWell = arrived(answer) && found?.failingSince === null;
  const endpoint = isWell ? found : await endpoints.lock(tx, organizationId, endpointId);
  const [delivery, { realNow: now }] = await Promise.all([
    deliveries.lock(tx, organizationId, due.id),
    readOrganization(tx, organizationId),
  ]);
  if (!endpoint || !delivery) return null;
  const attempt = { attemptAt: due.attemptAt, url };
  const effect = applyAnswer({ delivery, endpoint }, attempt, answer, now, Math.random());
  if (!effect) return null;
  deliveries.update(tx, effect.delivery);
  if (effect.releasesNext) releaseNext(tx, [delivery]);
  if (effect.endpoint.status !== endpoint.status) {
    // The other endpoints get an event about this.
    await recordEndpoint(tx, effect.endpoint, "webhook_endpoint.disabled", now);
    await skipDeliveries(tx, organizationId, endpointId);
    return effect.endpoint.disabledReason;
  }
  if (effect.endpoint !== endpoint) endpoints.update(tx, effect.endpoint);
  if (isAnswered(answer) && effect.endpoint.recoveredAt !== null) await bringForward(tx, [delivery]);
  return effect.endpoint.pausedUntil !== endpoint.pausedUntil ? "paused" : null;
}
