import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/organization.ts";
import { MOST_ENDPOINTS, recovered, rotated, type WebhookEndpoint } from "../domain/webhook.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { refusalOfUrl } from "../outbound/addresses.ts";
import {
  presentDelivery,
  presentWebhookEndpoint,
  webhookEndpointETag,
  type CreateWebhookEndpointParams,
  type RotateSecretParams,
  type UpdateWebhookEndpointParams,
} from "../resources/webhook.ts";
import type { Tx } from "../store/db.ts";
import { events } from "../store/events.ts";
import { organizations, readOrganization } from "../store/organizations.ts";
import { forgetWishes, skipDeliveries } from "../store/webhook-backlogs.ts";
import { insertDeliveries } from "../store/webhook-queue.ts";
import { countEndpoints, deliveries, endpoints } from "../store/webhooks.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { policyOf } from "./deliver.ts";
import { later } from "./work.ts";

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
export async function createEndpoint(ctx: Context, call: Call, params: CreateWebhookEndpointParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    // Of two that are made at the same moment, the second one counts the first one.
    await organizations.lock(tx, call.organizationId);
    const { organization, realNow } = await readOrganization(tx, call.organizationId);
    requireUrl(ctx, organization, params.url);
    if ((await countEndpoints(tx, call.organizationId)) >= MOST_ENDPOINTS) throw new AppError("webhook_endpoint_limit_reached");
    const endpoint = newEndpoint(call.organizationId, { ...params, kind: "http", expiresAt: null }, realNow);
    endpoints.insert(tx, endpoint);
    return shownWithSecret(201, endpoint);
  });
}

export async function lockEndpoint(tx: Tx, organizationId: string, id: string, match: Match = () => undefined): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.lock(tx, organizationId, id);
  if (!endpoint || endpoint.deletedAt !== null || endpoint.kind !== "http") throw new AppError("not_found");
  match(webhookEndpointETag(endpoint));
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
  call: Call,
  id: string,
  params: UpdateWebhookEndpointParams,
  match: Match,
): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id, match);
    const { organization, realNow } = await readOrganization(tx, call.organizationId);
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
    if (isDeepStrictEqual(next, endpoint)) return shown(200, endpoint);
    if (next.status === "disabled" && endpoint.status === "enabled") await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    return shown(200, write(tx, next, realNow));
  });
}

/** Nothing is sent there any more; its log can't be read any more either. */
export async function deleteEndpoint(ctx: Context, call: Call, id: string, match: Match): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id, match);
    const now = await timeOf(tx, call.organizationId);
    await skipDeliveries(tx, endpoint.organizationId, endpoint.id);
    write(tx, { ...endpoint, status: "disabled", disabledReason: "by_hand", disabledAt: now, deletedAt: now }, now);
    return { status: 204, headers: {}, body: "" };
  });
}

/** A new secret, shown once; those before sign, too, for their overlaps, so that receivers can change over without losing anything. */
export async function rotateSecret(ctx: Context, call: Call, id: string, { overlapHours }: RotateSecretParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id);
    const now = await timeOf(tx, call.organizationId);
    const until = instant(now + overlapHours * HOUR_MILLISECONDS);
    return shownWithSecret(200, write(tx, { ...endpoint, ...rotated(endpoint, newSecret(), until, now) }, now));
  });
}

/** Sends an event to this endpoint alone that means nothing, so that a receiver can be tried out. */
export async function testEndpoint(ctx: Context, call: Call, id: string): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const endpoint = await lockEndpoint(tx, call.organizationId, id);
    if (endpoint.status === "disabled") throw new AppError("endpoint_disabled");
    const now = await timeOf(tx, call.organizationId);
    const sequence = endpoint.eventSequence + 1;
    const { organizationId } = endpoint;
    const event = { id: newId("evt"), type: "webhook_endpoint.test", resourceId: endpoint.id, sequence } as const;
    events.insertSilently(tx, { ...event, organizationId, data: presentWebhookEndpoint(endpoint), createdAt: now });
    endpoints.update(tx, { ...endpoint, eventSequence: sequence });
    const deliveryId = newId("whd");
    insertDeliveries(tx, organizationId, [{ id: deliveryId, endpointId: endpoint.id, event }], "repeated");
    return answer(202, presentDelivery((await deliveries.find(tx, organizationId, deliveryId))!));
  });
}
