import type { Context } from "../../context.ts";
import type { WebhookDelivery } from "../../domain/webhook/webhook.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import { presentWebhookEndpoint } from "../../resources/webhook.ts";
import { events } from "../../store/events.ts";
import { readOrganization } from "../../store/organizations.ts";
import { insertDeliveries } from "../../store/webhook-queue.ts";
import { deliveries, endpoints } from "../../store/webhooks.ts";
import type { Origin } from "../origin.ts";
import { lockEndpoint } from "./endpoint.ts";

/**
 * Sends a test event to this endpoint alone, so that a receiver can be tested (rule W1c). The event does not concern
 * any resource.
 */
export async function testEndpoint(
  ctx: Context,
  origin: Origin<WebhookDelivery>,
  id: string,
): Promise<WebhookDelivery> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id);
    if (endpoint.status === "disabled") throw new Refusal("endpoint_disabled");
    const { realNow: now } = await readOrganization(tx, origin.organizationId);
    const sequence = endpoint.eventSequence + 1;
    const { organizationId } = endpoint;
    const event = { id: newId("evt"), type: "webhook_endpoint.test", resourceId: endpoint.id, sequence } as const;
    events.insertSilently(tx, { ...event, organizationId, data: presentWebhookEndpoint(endpoint), createdAt: now });
    endpoints.update(tx, { ...endpoint, eventSequence: sequence });
    const deliveryId = newId("whd");
    insertDeliveries(tx, organizationId, [{ id: deliveryId, endpointId: endpoint.id, event }], "repeated");
    return (await deliveries.find(tx, organizationId, deliveryId))!;
  });
}
