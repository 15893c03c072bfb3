import { randomBytes } from "node:crypto";
import type { Context } from "../../context.ts";
import { HOUR, instant } from "../../domain/calendar.ts";
import { rotated, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { RotateSecretParams } from "../../resources/webhook.ts";
import { readOrganization } from "../../store/organizations.ts";
import type { Origin } from "../origin.ts";
import { lockEndpoint, writeEndpoint } from "./endpoint.ts";

const SECRET_BYTES = 32;

/** A new secret, in base64 as in the database. */
export const newSecret = () => randomBytes(SECRET_BYTES).toString("base64");

/**
 * Makes a new secret, shown once. Earlier secrets go on signing until their overlaps end, so that receivers can switch
 * to the new secret without losing an event.
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
