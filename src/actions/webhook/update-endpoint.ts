import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { recovered } from "../../domain/webhook/answer.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { UpdateWebhookEndpointParams } from "../../resources/webhook.ts";
import { readOrganization } from "../../store/organizations.ts";
import { clearRetryAfter, skipDeliveries } from "../../store/webhook-backlogs.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { lockEndpoint, writeEndpoint } from "./endpoint.ts";
import { requireUrl } from "./url-policy.ts";

/** @throws Refusal 404, 412, 422 */
export async function updateEndpoint(
  ctx: Context,
  origin: Origin<WebhookEndpoint>,
  id: string,
  params: UpdateWebhookEndpointParams,
  checkVersion?: VersionCheck<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id, checkVersion);
    const { organization, realNow } = await readOrganization(tx, origin.organizationId);
    if (params.url !== undefined) requireUrl(ctx, organization, params.url);
    const next: WebhookEndpoint = { ...endpoint, ...params };
    const disabled = {
      disabledReason: endpoint.disabledReason ?? "by_hand",
      disabledAt: endpoint.disabledAt ?? realNow,
    };
    Object.assign(next, next.status === "enabled" ? { disabledReason: null, disabledAt: null } : disabled);
    // Earlier failures do not count against a new URL, or against an endpoint that was enabled again.
    const isElsewhere = next.url !== endpoint.url;
    if (isElsewhere) clearRetryAfter(tx, endpoint.organizationId, endpoint.id);
    const isAnother = isElsewhere || (next.status === "enabled" && endpoint.status === "disabled");
    if (isAnother) Object.assign(next, recovered(endpoint, realNow));
    if (isAnother || params.status === "enabled") next.pausedUntil = null;
    if (isDeepStrictEqual(next, endpoint)) return endpoint;
    if (next.status === "disabled" && endpoint.status === "enabled")
      await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    return writeEndpoint(tx, next, realNow);
  });
}
