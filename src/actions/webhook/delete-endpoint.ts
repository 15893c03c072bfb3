import type { Context } from "../../context.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { readOrganization } from "../../store/organizations.ts";
import { skipDeliveries } from "../../store/webhook-backlogs.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { lockEndpoint, writeEndpoint } from "./endpoint.ts";

/** Deletes the endpoint: it gets no more events, and its log can't be read any more. */
export async function deleteEndpoint(
  ctx: Context,
  origin: Origin<void>,
  id: string,
  checkVersion?: VersionCheck<WebhookEndpoint>,
): Promise<void> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id, checkVersion);
    const { realNow: now } = await readOrganization(tx, origin.organizationId);
    await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    writeEndpoint(
      tx,
      { ...endpoint, status: "disabled", disabledReason: "by_hand", disabledAt: now, deletedAt: now },
      now,
    );
  });
}
