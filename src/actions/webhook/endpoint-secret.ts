import { randomBytes } from "node:crypto";
import type { Context } from "../../context.ts";
import { HOUR, instant } from "../../domain/calendar.ts";
import { rotated, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { RotateSecretParams } from "../../resources/webhook.ts";
import { readOrganization } from "../../store/organizations.ts";
import type { Origin } from "../origin.ts";
import { lockEndpoint, writeEndpoint } from "./endpoint.ts";

const SECRET_BYTES = 32;

/** In base64, as it is stored. */
export const newSecret = () => randomBytes(SECRET_BYTES).toString("base64");

/**
 * Makes a new secret, shown once. Earlier secrets keep signing for their overlaps, so that receivers can change over
 * without losing an event.
 */
export async function rotateSecret(
  ctx: Context,
  origin: Origin<WebhookEndpoint>,
  id: string,
  { overlapHours }: RotateSecretParams,
): Promise<WebhookEndpoint> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id);
    const { realNow: now } = await readOrganization(tx, origin.organizationId);
    const until = instant(now + overlapHours * HOUR);
    return writeEndpoint(tx, { ...endpoint, ...rotated(endpoint, newSecret(), until, now) }, now);
  });
}
