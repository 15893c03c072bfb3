import type { Context } from "../../context.ts";
import { newEndpoint } from "../../domain/webhook/new-endpoint.ts";
import { MOST_ENDPOINTS, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CreateWebhookEndpointParams } from "../../resources/webhook.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { countEndpoints, endpoints } from "../../store/webhooks.ts";
import type { Origin } from "../origin.ts";
import { newSecret } from "./endpoint-secret.ts";
import { requireUrl } from "./url-policy.ts";

/**
 * `POST /webhook-endpoints`: makes an endpoint, which gets events from now on.
 * @throws Refusal 409 `webhook_endpoint_limit_reached`, 422
 */
export async function createEndpoint(
  ctx: Context,
  origin: Origin<WebhookEndpoint>,
  params: CreateWebhookEndpointParams,
): Promise<WebhookEndpoint> {
  return origin.transaction(ctx, async (tx) => {
    // Of two requests at the same moment, the second counts the endpoint of the first.
    await organizations.lock(tx, origin.organizationId);
    const { organization, realNow } = await readOrganization(tx, origin.organizationId);
    requireUrl(ctx, organization, params.url);
    if ((await countEndpoints(tx, origin.organizationId)) >= MOST_ENDPOINTS)
      throw new Refusal("webhook_endpoint_limit_reached");
    const wanted = { ...params, kind: "http", secret: newSecret(), expiresAt: null } as const;
    const endpoint = newEndpoint(origin.organizationId, wanted, realNow);
    endpoints.insert(tx, endpoint);
    return endpoint;
  });
}
