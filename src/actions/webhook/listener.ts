import { createHmac } from "node:crypto";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import { newEndpoint } from "../../domain/webhook/new-endpoint.ts";
import { LISTENER_KEPT_MILLISECONDS, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { forgetListeners, lockListener } from "../../store/listeners.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { endpoints } from "../../store/webhooks.ts";

export const RENEW_MILLISECONDS = 30_000;
/** One that was not renewed for so long was left. */
const PRESENT_MILLISECONDS = 2 * RENEW_MILLISECONDS;

type Wanted = Pick<WebhookEndpoint, "organizationId" | "url" | "events">;
export type Listener = { endpoint: WebhookEndpoint; resumed: boolean };

/** Of one that is there, or was left just now. */
const expiryAt = (now: Instant, isPresent: boolean): Instant =>
  instant(now + LISTENER_KEPT_MILLISECONDS + (isPresent ? PRESENT_MILLISECONDS : 0));

/** Base64: made of our own key (HMAC-SHA-256), so that a handler that was told it once verifies whatever is forwarded to its URL. */
export function listenerSecret(ctx: Context, { organizationId, url }: Omit<Wanted, "events">): string {
  return createHmac("sha256", ctx.secret).update(`listener:${organizationId}:${url}`).digest("base64");
}

/**
 * The listener of this URL and these types, in this order, that was left within five minutes, with what has happened meanwhile; or a new
 * one that hears of what happens now.
 */
export async function openListener(ctx: Context, wanted: Wanted): Promise<Listener> {
  const { organizationId } = wanted;
  const secret = listenerSecret(ctx, wanted);
  return ctx.db.tx(async (tx) => {
    // Of two that start at the same moment, the second one finds the first one's.
    await organizations.lock(tx, organizationId);
    const { realNow } = await readOrganization(tx, organizationId);
    const expiresAt = expiryAt(realNow, true);
    await forgetListeners(tx);
    const found = await lockListener(tx, wanted);
    if (found) {
      // How long nobody was there is counted from now on.
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

/** Puts its expiry off. One that counted as left, while this machine slept, is there again. */
export async function renewListener(ctx: Context, endpoint: WebhookEndpoint, isPresent: boolean): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const kept = await endpoints.lock(tx, endpoint.organizationId, endpoint.id);
    const expiresAt = expiryAt((await readOrganization(tx, endpoint.organizationId)).realNow, isPresent);
    if (kept) endpoints.update(tx, { ...kept, expiresAt, deletedAt: null });
    else endpoints.insert(tx, { ...endpoint, expiresAt });
  });
}
