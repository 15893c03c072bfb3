import { pause } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { DeliveryAnswer } from "../../domain/webhook/answer.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import type { PostPolicy } from "../../outbound/addresses.ts";
import { claimDeliveries, type DueDelivery } from "../../store/webhook-queue.ts";
import { deliveries } from "../../store/webhooks.ts";
import { recordAnswers } from "./answers.ts";
import { sendTo } from "./deliver.ts";
import { dispatchEvents } from "./dispatch-events.ts";
import { RENEW_MILLISECONDS, renewListener, type Listener } from "./listener.ts";

const POLL_MILLISECONDS = 200;
const CONCURRENCY = 8;

/**
 * The developer chose the URL and watches the listener, so any IP address is allowed, for example that of a container.
 */
const ANYWHERE: PostPolicy = { allowHttp: true, allowLoopback: true, allowed: ["0.0.0.0/0", "::/0"] };

/**
 * One attempt and its outcome. `delivery`: the state before the attempt. `isLast`: the delivery arrived or was given
 * up.
 */
export type Heard = { delivery: DueDelivery; answer: DeliveryAnswer; isLast: boolean };

async function forward(ctx: Context, endpoint: WebhookEndpoint, delivery: DueDelivery): Promise<Heard> {
  const answer = await sendTo(ctx, endpoint, delivery, delivery.claimedAt, ANYWHERE);
  const stored = await ctx.db.tx(async (tx) => {
    await recordAnswers(tx, endpoint, [{ due: delivery, url: endpoint.url, answer }]);
    return deliveries.find(tx, delivery.organizationId, delivery.id);
  });
  return { delivery, answer, isLast: stored === null || stored.attemptAt === null };
}

/**
 * Passes the listener's due deliveries to `send`, a few at a time (rule W10). Returns the number of deliveries that
 * were sent or postponed.
 */
async function round(
  ctx: Context,
  endpoint: WebhookEndpoint,
  send: (delivery: DueDelivery) => Promise<void>,
): Promise<number> {
  // A worker spreads events too, but `billow listen` must also work without a worker.
  await dispatchEvents(ctx, "", (organizationId, error) =>
    ctx.log.error({ err: error, organizationId }, "events can't be spread"),
  );
  const { organizationId, id } = endpoint;
  const { due, held } = await ctx.db.tx((tx) => claimDeliveries(tx, organizationId, id, CONCURRENCY));
  await Promise.all(due.map(send));
  return due.length + held;
}

/** `underWay`: the number of deliveries without an answer so far. */
export type Listening = { underWay(): number; stop(): Promise<void> };

/** Forwards events from now on until it is stopped; deliveries under way are finished first. */
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
      if (done === 0) await pause(POLL_MILLISECONDS, stopping.signal);
    }
  }

  async function send(delivery: DueDelivery): Promise<void> {
    underWay += 1;
    const heard = await forward(ctx, endpoint, delivery).finally(() => (underWay -= 1));
    onHeard(heard);
  }

  async function turn(): Promise<number> {
    if (performance.now() >= renewAt) {
      await renewListener(ctx, endpoint, true);
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
      await renewListener(ctx, endpoint, false);
    },
  };
}
