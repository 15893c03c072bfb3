import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import { wants, type WebhookDelivery } from "../domain/webhook.ts";
import { realNow } from "../clock.ts";
import { newId } from "../ids.ts";
import { claimEvents, deliveries, enabledEndpoints, type UndispatchedEvent } from "../store/webhooks.ts";

/**
 * Spreads an Organization's events to the endpoints that want them: one delivery each, in the transaction that takes the events, so that
 * none is spread twice or lost. Answers how many deliveries were made.
 */
export async function dispatchEvents(ctx: Context, organizationId: string, events: readonly UndispatchedEvent[]): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const mine = await claimEvents(
      tx,
      organizationId,
      events.map((event) => event.id),
    );
    const endpoints = await enabledEndpoints(tx, organizationId);
    const now = instant(realNow());
    let made = 0;
    for (const event of events) {
      if (!mine.has(event.id)) continue;
      for (const endpoint of endpoints.filter((each) => wants(each, event.type))) {
        const { id: eventId, type: eventType, resourceId, sequence } = event;
        const told = { eventId, eventType, resourceId, sequence, repeated: false };
        const answered = { responseStatus: null, responseBody: null, error: null, durationMs: null };
        const delivery: WebhookDelivery = {
          organizationId,
          id: newId("whd"),
          endpointId: endpoint.id,
          ...told,
          ...answered,
          status: "pending",
          attempts: 0,
          attemptAt: now,
          createdAt: now,
          updatedAt: now,
        };
        deliveries.insert(tx, delivery);
        made += 1;
      }
    }
    return made;
  });
}
