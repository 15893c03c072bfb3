import { applyAnswer, arrived, isAnswered, type DeliveryAnswer } from "../../domain/webhook/answer.ts";
import type { DisabledReason, WebhookDelivery, WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { Tx } from "../../store/driver/db.ts";
import { skipDeliveries } from "../../store/webhook-backlogs.ts";
import { bringForward, lockDeliveries, releaseNext } from "../../store/webhook-queue.ts";
import { deliveries, endpoints } from "../../store/webhooks.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { EventType } from "../../domain/event.ts";
import { presentWebhookEndpoint } from "../../resources/webhook.ts";
import { record } from "../record.ts";

function recordEndpoint(tx: Tx, endpoint: WebhookEndpoint, type: EventType, at: Instant): Promise<WebhookEndpoint> {
  return record(tx, endpoints, endpoint, type, at, presentWebhookEndpoint);
}

/** The answer to a claimed delivery that was sent to `url`. */
export type Answered = { due: WebhookDelivery; url: string; answer: DeliveryAnswer };

/**
 * `more`: further deliveries of the endpoint have become due. `stopped`: the reason why sending to the endpoint has to
 * stop, or null if sending goes on.
 */
export type Recorded = { more: boolean; stopped: DisabledReason | "paused" | null };

const UNCHANGED: Recorded = { more: false, stopped: null };

/** Records answers of one endpoint, each with the effect of `applyAnswer`, in the order of the answers. */
export async function recordAnswers(
  tx: Tx,
  { organizationId, id }: Pick<WebhookEndpoint, "organizationId" | "id">,
  answered: readonly Answered[],
): Promise<Recorded> {
  if (answered.length === 0) return UNCHANGED;
  const found = await endpoints.find(tx, organizationId, id);
  // An arrival leaves a healthy endpoint unchanged, so answers need not queue for its row.
  const isWell = found?.failingSince === null && answered.every(({ answer }) => arrived(answer));
  const before = isWell ? found : await endpoints.lock(tx, organizationId, id);
  const ids = answered.map(({ due }) => due.id);
  const { rows, now } = await lockDeliveries(tx, organizationId, ids);
  if (!before || now === null) return UNCHANGED;
  let endpoint = before;
  const changes = new Map<string, { row: WebhookDelivery; before: WebhookDelivery }>();
  const releasing: WebhookDelivery[] = [];
  for (const { due, url, answer } of answered) {
    const row = rows.get(due.id);
    const delivery = changes.get(due.id)?.row ?? row;
    const attempt = { attemptAt: due.attemptAt, url };
    const effect = delivery && applyAnswer({ delivery, endpoint }, attempt, answer, now, Math.random());
    if (!effect) continue;
    changes.set(due.id, { row: effect.delivery, before: row! });
    if (effect.releasesNext) releasing.push(effect.delivery);
    endpoint = effect.endpoint;
  }
  deliveries.updateAll(tx, [...changes.values()]);
  if (endpoint.status !== before.status) {
    // The other endpoints get an event about this.
    await recordEndpoint(tx, endpoint, "webhook_endpoint.disabled", now);
    await skipDeliveries(tx, organizationId, id);
    return { more: false, stopped: endpoint.disabledReason };
  }
  if (endpoint !== before) endpoints.update(tx, endpoint);
  const released = await releaseNext(tx, releasing);
  const wellAnswers = answered.filter(({ answer }) => isAnswered(answer)).length;
  const brought = await bringForward(tx, endpoint, wellAnswers);
  return {
    more: released + brought > 0,
    stopped: endpoint.pausedUntil !== before.pausedUntil ? "paused" : null,
  };
}
