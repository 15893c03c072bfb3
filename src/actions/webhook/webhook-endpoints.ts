import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { MOST_ENDPOINTS, recovered, rotated, type WebhookDelivery, type WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { refusalOfUrl } from "../../outbound/addresses.ts";
import {
  presentWebhookEndpoint,
  type CreateWebhookEndpointParams,
  type RotateSecretParams,
  type UpdateWebhookEndpointParams,
} from "../../resources/webhook.ts";
import type { Tx } from "../../store/db.ts";
import { events } from "../../store/events.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { forgetWishes, skipDeliveries } from "../../store/webhook-backlogs.ts";
import { insertDeliveries } from "../../store/webhook-queue.ts";
import { countEndpoints, deliveries, endpoints } from "../../store/webhooks.ts";
import { policyOf } from "./deliver.ts";
import type { Match, Origin } from "../origin.ts";
import { later } from "../work.ts";

const SECRET_BYTES = 32;
const HOUR_MILLISECONDS = 3_600_000;

const newSecret = () => randomBytes(SECRET_BYTES).toString("base64");

/** What can be told of an address without asking for it; the rest is looked at with each connection. */
function requireUrl(ctx: Context, { mode }: Organization, url: string): void {
  const refusal = refusalOfUrl(url, policyOf(ctx, mode));
  if (refusal) throw invalid("/url", refusal.code, refusal.message);
}

export function newEndpoint(
  organizationId: string,
  wanted: Pick<WebhookEndpoint, "kind" | "url" | "events" | "description" | "expiresAt">,
  now: Instant,
): WebhookEndpoint {
  return {
    ...wanted,
    organizationId,
    id: newId("whk"),
    secret: newSecret(),
    previousSecrets: [],
    status: "enabled",
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    failedAt: null,
    pausedUntil: null,
    recoveredAt: null,
    deletedAt: null,
    version: 1,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** `POST /webhook-endpoints`: hears of everything that happens from now on. @throws AppError 409 `webhook_endpoint_limit_reached`, 422 */
export async function createEndpoint(
  ctx: Context,
  origin: Origin<WebhookEndpoint>,
  params: CreateWebhookEndpointParams,
): Promise<WebhookEndpoint> {
  return origin.transaction(ctx, async (tx) => {
    // Of two that are made at the same moment, the second one counts the first one.
    await organizations.lock(tx, origin.organizationId);
    const { organization, realNow } = await readOrganization(tx, origin.organizationId);
    requireUrl(ctx, organization, params.url);
    if ((await countEndpoints(tx, origin.organizationId)) >= MOST_ENDPOINTS) throw new AppError("webhook_endpoint_limit_reached");
    const endpoint = newEndpoint(origin.organizationId, { ...params, kind: "http", expiresAt: null }, realNow);
    endpoints.insert(tx, endpoint);
    return endpoint;
  });
}

export async function lockEndpoint(
  tx: Tx,
  organizationId: string,
  id: string,
  match?: Match<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.lock(tx, organizationId, id);
  if (!endpoint || endpoint.deletedAt !== null || endpoint.kind !== "http") throw new AppError("not_found");
  match?.(endpoint);
  return endpoint;
}

/** Real time, from the database (rule T1). */
const timeOf = async (tx: Tx, organizationId: string): Promise<Instant> => (await readOrganization(tx, organizationId)).realNow;

function write(tx: Tx, endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const next = { ...endpoint, version: endpoint.version + 1, updatedAt: later(now, endpoint.updatedAt) };
  endpoints.update(tx, next);
  return next;
}

/** @throws AppError 404, 412, 422 */
export async function updateEndpoint(
  ctx: Context,
  origin: Origin<WebhookEndpoint>,
  id: string,
  params: UpdateWebhookEndpointParams,
  match?: Match<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id, match);
    const { organization, realNow } = await readOrganization(tx, origin.organizationId);
    if (params.url !== undefined) requireUrl(ctx, organization, params.url);
    const next: WebhookEndpoint = { ...endpoint, ...params };
    const disabled = { disabledReason: endpoint.disabledReason ?? "by_hand", disabledAt: endpoint.disabledAt ?? realNow };
    Object.assign(next, next.status === "enabled" ? { disabledReason: null, disabledAt: null } : disabled);
    // What has failed so far says nothing of another address, or of one that was mended.
    const isElsewhere = next.url !== endpoint.url;
    if (isElsewhere) forgetWishes(tx, endpoint.organizationId, endpoint.id);
    const isAnother = isElsewhere || (next.status === "enabled" && endpoint.status === "disabled");
    if (isAnother) Object.assign(next, recovered(endpoint, realNow));
    if (isAnother || params.status === "enabled") next.pausedUntil = null;
    if (isDeepStrictEqual(next, endpoint)) return endpoint;
    if (next.status === "disabled" && endpoint.status === "enabled") await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    return write(tx, next, realNow);
  });
}

/** Nothing is sent there any more; its log can't be read any more either. */
export async function deleteEndpoint(ctx: Context, origin: Origin<void>, id: string, match?: Match<WebhookEndpoint>): Promise<void> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id, match);
    const now = await timeOf(tx, origin.organizationId);
    await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    write(tx, { ...endpoint, status: "disabled", disabledReason: "by_hand", disabledAt: now, deletedAt: now }, now);
  });
}

/** A new secret, shown once; those before sign, too, for their overlaps, so that receivers can change over without losing anything. */
export async function rotateSecret(
  ctx: Context,
  origin: Origin<WebhookEndpoint>,
  id: string,
  { overlapHours }: RotateSecretParams,
): Promise<WebhookEndpoint> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id);
    const now = await timeOf(tx, origin.organizationId);
    const until = instant(now + overlapHours * HOUR_MILLISECONDS);
    return write(tx, { ...endpoint, ...rotated(endpoint, newSecret(), until, now) }, now);
  });
}

/** Sends an event to this endpoint alone that means nothing, so that a receiver can be tried out. */
export async function testEndpoint(ctx: Context, origin: Origin<WebhookDelivery>, id: string): Promise<WebhookDelivery> {
  return origin.transaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, origin.organizationId, id);
    if (endpoint.status === "disabled") throw new AppError("endpoint_disabled");
    const now = await timeOf(tx, origin.organizationId);
    const sequence = endpoint.eventSequence + 1;
    const { organizationId } = endpoint;
    const event = { id: newId("evt"), type: "webhook_endpoint.test", resourceId: endpoint.id, sequence } as const;
    events.insertSilently(tx, { ...event, organizationId, data: presentWebhookEndpoint(endpoint), createdAt: now });
    endpoints.update(tx, { ...endpoint, eventSequence: sequence });
    const deliveryId = newId("whd");
    insertDeliveries(tx, organizationId, [{ id: deliveryId, endpointId: endpoint.id, event }], "repeated");
    return (await deliveries.find(tx, organizationId, deliveryId))!;
  });
}
