import type { Context } from "../../context.ts";
import { wants, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { newId } from "../../ids.ts";
import { acrossNodes } from "../../store/distribution/across-nodes.ts";
import { insertDeliveries, takeEvents, waitingOrganizations } from "../../store/webhook-queue.ts";
import { hearingEndpoints } from "../../store/webhooks.ts";

/**
 * The most events of an Organization in one turn: an Organization with a hundred thousand events does not keep the
 * others waiting.
 */
const EVENTS_A_TURN = 100;
const ORGANIZATIONS_A_ROUND = 100;
/** Turns at the same time. More turns would only take database connections from the callers of Billow. */
const AT_ONCE = 4;

/**
 * Spreads the oldest events of an Organization: writes one delivery for each event and each endpoint that wants the
 * event. The same transaction takes the events from the queue, so that no event is spread twice or lost. The deliveries
 * of a disabled endpoint become `skipped`, and can be sent later on request. Returns how many events were spread
 * (rules W1, W1a, W1b).
 */
async function dispatchSome(ctx: Context, organizationId: string): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const [events, endpoints] = await Promise.all([
      takeEvents(tx, organizationId, EVENTS_A_TURN),
      hearingEndpoints(tx, organizationId),
    ]);
    const deliveriesTo = (hearing: readonly WebhookEndpoint[]) =>
      events.flatMap((event) =>
        hearing
          .filter((each) => wants(each, event.type))
          .map(({ id: endpointId }) => ({ id: newId("whd"), endpointId, event })),
      );
    insertDeliveries(tx, organizationId, deliveriesTo(endpoints.filter(({ status }) => status === "enabled")));
    insertDeliveries(
      tx,
      organizationId,
      deliveriesTo(endpoints.filter(({ status }) => status === "disabled")),
      "skipped",
    );
    return events.length;
  });
}

/**
 * The progress of a round. The next round begins with the Organization after `last`. After the last Organization the
 * rounds begin again with the first.
 */
export type Round = { spread: number; last: string };

/**
 * Gives a turn to each of the next Organizations that have events to spread. An error in one Organization is reported
 * and does not stop the others.
 */
export async function dispatchEvents(
  ctx: Context,
  after: string,
  onFailure: (organizationId: string, error: unknown) => void,
  isLeftOut: (organizationId: string) => boolean = () => false,
): Promise<Round> {
  const waiting = await waitingOrganizations(acrossNodes(ctx.db), after, ORGANIZATIONS_A_ROUND);
  const last = waiting.length < ORGANIZATIONS_A_ROUND ? "" : waiting.at(-1)!;
  const queue = waiting.filter((id) => !isLeftOut(id));
  let spread = 0;
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const organizationId = id;
      const some = await dispatchSome(ctx, organizationId).catch((error: unknown) => {
        onFailure(organizationId, error);
        return 0;
      });
      spread += some;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, work));
  return { spread, last };
}
