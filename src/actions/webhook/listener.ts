import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import { newEndpoint } from "../../domain/webhook/new-endpoint.ts";
import { LISTENER_KEPT_MILLISECONDS } from "../../domain/webhook/answer.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { lastingDigest } from "../../keyring.ts";
import { expiredListeners, forgetListeners, lockListener } from "../../store/listeners.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { endpoints } from "../../store/webhooks.ts";

export const RENEW_MILLISECONDS = 30_000;
/** A listener that was not renewed for this long counts as stopped. */
const RUNNING_MILLISECONDS = 2 * RENEW_MILLISECONDS;

type Wanted = Pick<WebhookEndpoint, "organizationId" | "url" | "events">;
export type Listener = { endpoint: WebhookEndpoint; resumed: boolean };

/** The expiry of a listener that is running, or that was stopped just now. */
const expiryAt = (now: Instant, isRunning: boolean): Instant =>
  instant(now + LISTENER_KEPT_MILLISECONDS + (isRunning ? RUNNING_MILLISECONDS : 0));

/**
 * The secret of a listener, in base64. The secret is computed from our own key (HMAC-SHA-256) and the URL. So a
 * receiver that knows the secret once can verify all events that are forwarded to its URL, until BILLOW_SECRET changes.
 */
export function listenerSecret(ctx: Context, { organizationId, url }: Omit<Wanted, "events">): string {
  return lastingDigest(ctx.keyring, `listener:${organizationId}:${url}`);
}

/**
 * Resumes the listener with this URL and these types, in this order, if it was stopped within the last five minutes. A
 * resumed listener also gets the events since its stop. Without such a listener, makes a new listener, which gets
 * events from now on.
 */
export async function openListener(ctx: Context, wanted: Wanted): Promise<Listener> {
  const { organizationId } = wanted;
  const secret = listenerSecret(ctx, wanted);
  return ctx.db.tx(async (tx) => {
    // Of two starts at the same moment, the second finds the listener of the first.
    await organizations.lock(tx, organizationId);
    const { realNow } = await readOrganization(tx, organizationId);
    const expiresAt = expiryAt(realNow, true);
    await forgetListeners(tx, organizationId);
    const found = await lockListener(tx, wanted);
    if (found) {
      // The time without a connection is counted anew from now on.
      const endpoint = { ...found, secret, expiresAt, failingSince: null };
      endpoints.update(tx, endpoint);
      return { endpoint, resumed: true };
    }
    const described = { ...wanted, kind: "listener", description: null, secret, expiresAt } as const;
    const endpoint = newEndpoint(organizationId, described, realNow);
    endpoints.insert(tx, endpoint);
    return { endpoint, resumed: false };
  });
}

/**
 * Deletes expired listeners of all Organizations, one transaction for each Organization. Returns the number of deleted
 * deliveries.
 */
export async function forgetExpiredListeners({ db }: Pick<Context, "db">): Promise<number> {
  let forgotten = 0;
  for (const organizationId of await expiredListeners(db.read))
    forgotten += await db.tx((tx) => forgetListeners(tx, organizationId));
  return forgotten;
}

/**
 * Postpones the listener's expiry. If the listener counted as stopped because this machine slept, it counts as running
 * again.
 */
export async function renewListener(ctx: Context, endpoint: WebhookEndpoint, isRunning: boolean): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const stored = await endpoints.lock(tx, endpoint.organizationId, endpoint.id);
    const expiresAt = expiryAt((await readOrganization(tx, endpoint.organizationId)).realNow, isRunning);
    if (stored) endpoints.update(tx, { ...stored, expiresAt, deletedAt: null });
    else endpoints.insert(tx, { ...endpoint, expiresAt });
  });
}
