import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import { newEndpoint } from "../../domain/webhook/new-endpoint.ts";
import { LISTENER_KEPT_MILLISECONDS, type DeliveryAnswer, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { PostPolicy } from "../../outbound/addresses.ts";
import { forgetListeners, lockListener } from "../../store/listeners.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { claimDeliveries, type DueDelivery } from "../../store/webhook-queue.ts";
import { deliveries, endpoints } from "../../store/webhooks.ts";
import { keepAnswer, sendTo } from "./deliver.ts";
import { dispatchEvents } from "./dispatch-events.ts";

const RENEW_MILLISECONDS = 30_000;
/** One that was not renewed for so long was left. */
const PRESENT_MILLISECONDS = 2 * RENEW_MILLISECONDS;
const POLL_MILLISECONDS = 200;
const HANDS = 8;

/** The developer chose the URL and sits before it: any address will do, such as a container's. */
const ANYWHERE: PostPolicy = { allowHttp: true, allowLoopback: true, allowed: ["0.0.0.0/0", "::/0"] };

export type Wanted = Pick<WebhookEndpoint, "organizationId" | "url" | "events">;
export type Listener = { endpoint: WebhookEndpoint; resumed: boolean };
/** One attempt, as it went. `delivery` as it was before; `isLast`: it arrived, or is given up. */
export type Heard = { delivery: DueDelivery; answer: DeliveryAnswer; isLast: boolean };

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
async function renew(ctx: Context, endpoint: WebhookEndpoint, isPresent: boolean): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const kept = await endpoints.lock(tx, endpoint.organizationId, endpoint.id);
    const expiresAt = expiryAt((await readOrganization(tx, endpoint.organizationId)).realNow, isPresent);
    if (kept) endpoints.update(tx, { ...kept, expiresAt, deletedAt: null });
    else endpoints.insert(tx, { ...endpoint, expiresAt });
  });
}

async function forward(ctx: Context, endpoint: WebhookEndpoint, delivery: DueDelivery): Promise<Heard> {
  const answer = await sendTo(ctx, endpoint, delivery, delivery.claimedAt, ANYWHERE);
  const kept = await ctx.db.tx(async (tx) => {
    await keepAnswer(tx, delivery, answer, endpoint.url);
    return deliveries.find(tx, delivery.organizationId, delivery.id);
  });
  return { delivery, answer, isLast: kept === null || kept.attemptAt === null };
}

/** Hands what is due for the listener to `send`, a few at a time. Answers how many it came past. */
async function round(ctx: Context, endpoint: WebhookEndpoint, send: (delivery: DueDelivery) => Promise<void>): Promise<number> {
  // What a worker does, for where there is none.
  await dispatchEvents(ctx, "", (organizationId, error) => ctx.log.error({ err: error, organizationId }, "events can't be spread"));
  const { organizationId, id } = endpoint;
  const { due, held } = await ctx.db.tx((tx) => claimDeliveries(tx, organizationId, id, HANDS));
  await Promise.all(due.map(send));
  return due.length + held;
}

/** `underWay`: how many have not been answered yet. */
export type Listening = { underWay(): number; stop(): Promise<void> };

/** Forwards events from now on until it is stopped; what is in hand is finished first. */
export function startListening(ctx: Context, { endpoint }: Listener, onHeard: (heard: Heard) => void): Listening {
  const stopping = new AbortController();
  let underWay = 0;
  let renewAt = performance.now() + RENEW_MILLISECONDS;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const done = await turn().catch((error: unknown) => {
        ctx.log.error({ err: error }, "the listener can't ask the database");
        return 0;
      });
      if (done === 0) await sleep(POLL_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function send(delivery: DueDelivery): Promise<void> {
    underWay += 1;
    const heard = await forward(ctx, endpoint, delivery).finally(() => (underWay -= 1));
    onHeard(heard);
  }

  async function turn(): Promise<number> {
    if (performance.now() >= renewAt) {
      await renew(ctx, endpoint, true);
      renewAt = performance.now() + RENEW_MILLISECONDS;
    }
    return round(ctx, endpoint, send);
  }

  const working = work();
  return {
    underWay: () => underWay,
    async stop() {
      stopping.abort();
      await working;
      await renew(ctx, endpoint, false);
    },
  };
}
