import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/organization.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../domain/webhook.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { refusalOfUrl } from "../outbound/addresses.ts";
import {
  presentDelivery,
  presentWebhookEndpoint,
  webhookEndpointETag,
  type CreateWebhookEndpointParams,
  type RedeliverParams,
  type RotateSecretParams,
  type UpdateWebhookEndpointParams,
} from "../resources/webhook.ts";
import type { Tx } from "../store/db.ts";
import { events } from "../store/events.ts";
import { organizations } from "../store/organizations.ts";
import { deliveries, endpoints, sendAgain, skipDeliveries } from "../store/webhooks.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { policyOf } from "./deliver.ts";

type Match = (etag: string) => void;

const SECRET_BYTES = 32;
const HOUR_MILLISECONDS = 3_600_000;

const newSecret = () => randomBytes(SECRET_BYTES).toString("base64");

function shown(status: number, endpoint: WebhookEndpoint): Answer {
  return answer(status, presentWebhookEndpoint(endpoint), { ETag: webhookEndpointETag(endpoint) });
}

/** The one answer with the secret; it is not kept for a repeat. */
function shownWithSecret(status: number, endpoint: WebhookEndpoint): Answer {
  const body = { ...presentWebhookEndpoint(endpoint), secret: `whsec_${endpoint.secret}` };
  return { ...answer(status, body, { ETag: webhookEndpointETag(endpoint) }), secret: true };
}

/** What can be told of an address without asking for it; the rest is looked at with each connection. */
function requireUrl(ctx: Context, { mode }: Organization, url: string): void {
  const refusal = refusalOfUrl(url, policyOf(ctx, mode));
  if (refusal) throw invalid("/url", refusal.code, refusal.message);
}

async function requireOrganization(tx: Tx, organizationId: string): Promise<Organization> {
  const organization = await organizations.find(tx, organizationId);
  if (!organization) throw new AppError("not_found");
  return organization;
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
    previousSecret: null,
    previousSecretUntil: null,
    status: "enabled",
    disabledReason: null,
    failingSince: null,
    deletedAt: null,
    version: 1,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** `POST /webhook-endpoints`: hears of everything that happens from now on. @throws AppError 422 */
export async function createEndpoint(ctx: Context, call: Call, params: CreateWebhookEndpointParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    requireUrl(ctx, await requireOrganization(tx, call.organizationId), params.url);
    const endpoint = newEndpoint(call.organizationId, { ...params, kind: "http", expiresAt: null }, instant(realNow()));
    endpoints.insert(tx, endpoint);
    return shownWithSecret(201, endpoint);
  });
}

async function lockEndpoint(tx: Tx, organizationId: string, id: string, match: Match = () => undefined): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.lock(tx, organizationId, id);
  if (!endpoint || endpoint.deletedAt !== null || endpoint.kind !== "http") throw new AppError("not_found");
  match(webhookEndpointETag(endpoint));
  return endpoint;
}

function write(tx: Tx, endpoint: WebhookEndpoint): WebhookEndpoint {
  const next = { ...endpoint, version: endpoint.version + 1, updatedAt: instant(Math.max(realNow(), endpoint.updatedAt)) };
  endpoints.update(tx, next);
  return next;
}

/** @throws AppError 404, 412, 422 */
export async function updateEndpoint(
  ctx: Context,
  call: Call,
  id: string,
  params: UpdateWebhookEndpointParams,
  match: Match,
): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id, match);
    if (params.url !== undefined) requireUrl(ctx, await requireOrganization(tx, call.organizationId), params.url);
    const next: WebhookEndpoint = { ...endpoint, ...params };
    const disabled = endpoint.disabledReason ?? "by_hand";
    Object.assign(next, next.status === "enabled" ? { disabledReason: null } : { disabledReason: disabled });
    // What has failed so far says nothing of another address, or of one that was mended.
    if (next.url !== endpoint.url || (next.status === "enabled" && endpoint.status === "disabled")) next.failingSince = null;
    if (isDeepStrictEqual(next, endpoint)) return shown(200, endpoint);
    if (next.status === "disabled") skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    return shown(200, write(tx, next));
  });
}

/** Nothing is sent there any more; its log can't be read any more either. */
export async function deleteEndpoint(ctx: Context, call: Call, id: string, match: Match): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id, match);
    skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    write(tx, { ...endpoint, status: "disabled", disabledReason: "by_hand", deletedAt: instant(realNow()) });
    return { status: 204, headers: {}, body: "" };
  });
}

/** A new secret, shown once; the one before signs, too, for the overlap, so that receivers can change over without losing anything. */
export async function rotateSecret(ctx: Context, call: Call, id: string, { overlapHours }: RotateSecretParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id);
    const until = instant(realNow() + overlapHours * HOUR_MILLISECONDS);
    const previous =
      overlapHours === 0
        ? { previousSecret: null, previousSecretUntil: null }
        : { previousSecret: endpoint.secret, previousSecretUntil: until };
    return shownWithSecret(200, write(tx, { ...endpoint, ...previous, secret: newSecret() }));
  });
}

/** Sends an event to this endpoint alone that means nothing, so that a receiver can be tried out. */
export async function testEndpoint(ctx: Context, call: Call, id: string): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id);
    if (endpoint.status === "disabled") throw new AppError("endpoint_disabled");
    const now = instant(realNow());
    const sequence = endpoint.eventSequence + 1;
    const { organizationId } = endpoint;
    const event = { organizationId, id: newId("evt"), type: "webhook_endpoint.test", resourceId: endpoint.id, sequence } as const;
    events.insertSilently(tx, { ...event, data: presentWebhookEndpoint(endpoint), createdAt: now });
    endpoints.update(tx, { ...endpoint, eventSequence: sequence });
    const delivery: WebhookDelivery = {
      organizationId,
      id: newId("whd"),
      endpointId: endpoint.id,
      eventId: event.id,
      eventType: event.type,
      resourceId: endpoint.id,
      sequence,
      status: "pending",
      repeated: true,
      attempts: 0,
      attemptAt: now,
      responseStatus: null,
      responseBody: null,
      error: null,
      durationMs: null,
      createdAt: now,
      updatedAt: now,
    };
    deliveries.insert(tx, delivery);
    return answer(202, presentDelivery(delivery));
  });
}

/** Everything of a span of time once more, or everything that did not arrive. */
export async function redeliver(ctx: Context, call: Call, id: string, { from, to, status }: RedeliverParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id);
    if (endpoint.status === "disabled") throw new AppError("endpoint_disabled");
    const count = await sendAgain(tx, endpoint.organizationId, endpoint.id, { id: null, from, to, failedOnly: status === "failed" });
    return answer(202, { count });
  });
}

/** One delivery once more, whatever became of it; nothing for one that is on its way. */
export async function redeliverOne(ctx: Context, call: Call, id: string): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const seen = await deliveries.find(tx, call.organizationId, id);
    if (!seen) throw new AppError("not_found");
    const endpoint = await lockEndpoint(tx, call.organizationId, seen.endpointId);
    if (endpoint.status === "disabled") throw new AppError("endpoint_disabled");
    await sendAgain(tx, endpoint.organizationId, endpoint.id, { id, from: null, to: null, failedOnly: false });
    return answer(202, presentDelivery((await deliveries.find(tx, call.organizationId, id))!));
  });
}
