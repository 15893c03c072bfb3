import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { WebhookDelivery } from "../../domain/webhook/webhook.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type { RedeliverParams } from "../../resources/webhook.ts";
import { readOrganization } from "../../store/organizations.ts";
import {
  endRedelivery,
  storeRedelivery,
  lockRedelivery,
  PIECE,
  sendAgain,
  sendSomeAgain,
  type Redelivery,
} from "../../store/webhook-backlogs.ts";
import { deliveries, endpoints } from "../../store/webhooks.ts";
import type { Origin } from "../origin.ts";
import { lockEndpoint } from "./endpoint.ts";

/** The most pieces of the span that are searched while the caller waits. This number takes about a second. */
const MOST_PIECES = 20;

/** `count`: the deliveries sent again so far. `done`: false if a worker sends the rest. */
export type Redelivered = { count: number; done: boolean };

/**
 * Sends all deliveries of a span of time once more, or only those that did not arrive (rule W8).
 * @throws Refusal 404, 409 `endpoint_disabled`
 */
export async function redeliver(
  ctx: Context,
  origin: Origin<Redelivered>,
  id: string,
  params: RedeliverParams,
): Promise<Redelivered> {
  const { from, to, status } = params;
  return origin.transaction(ctx, async (tx) => {
    const { organizationId, id: endpointId, status: own } = await lockEndpoint(tx, origin.organizationId, id);
    if (own === "disabled") throw new Refusal("endpoint_disabled");
    const madeUntil = to ?? instant((await readOrganization(tx, organizationId)).realNow + 1);
    let rest: Redelivery | null = {
      organizationId,
      endpointId,
      madeFrom: from,
      madeUntil,
      failedOnly: status === "failed",
      cursor: "",
    };
    let count = 0;
    for (let piece = 0; rest && piece < MOST_PIECES && count < PIECE; piece++) {
      const sent = await sendSomeAgain(tx, rest);
      count += sent.count;
      rest = sent.rest;
    }
    if (rest) storeRedelivery(tx, newId("whr"), rest);
    return { count, done: rest === null };
  });
}

/**
 * Sends the next piece of a redelivery that a caller asked for. The redelivery ends if its endpoint is disabled
 * (rule W8c). Returns whether the redelivery was still open.
 */
export async function redeliverMore(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const asked = await lockRedelivery(tx, organizationId, id);
    if (!asked) return false;
    const endpoint = await endpoints.lock(tx, organizationId, asked.endpointId);
    const rest = endpoint?.status === "enabled" ? (await sendSomeAgain(tx, asked)).rest : null;
    if (rest) storeRedelivery(tx, id, rest);
    else endRedelivery(tx, organizationId, id);
    return true;
  });
}

/**
 * Sends one delivery once more, in any state, unless the delivery is under way, or its first attempt is due already
 * (rule W8a).
 * @throws Refusal 404, 409 `endpoint_disabled`
 */
export async function redeliverOne(
  ctx: Context,
  origin: Origin<WebhookDelivery>,
  id: string,
): Promise<WebhookDelivery> {
  return origin.transaction(ctx, async (tx) => {
    const seen = await deliveries.find(tx, origin.organizationId, id);
    if (!seen) throw new Refusal("not_found");
    const endpoint = await lockEndpoint(tx, origin.organizationId, seen.endpointId);
    if (endpoint.status === "disabled") throw new Refusal("endpoint_disabled");
    sendAgain(tx, endpoint.organizationId, id);
    const again = await deliveries.find(tx, origin.organizationId, id);
    // Old deliveries are deleted, perhaps since the look above.
    if (!again) throw new Refusal("not_found");
    return again;
  });
}
