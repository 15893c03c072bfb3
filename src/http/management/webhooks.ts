import { createEndpoint } from "../../actions/webhook/create-endpoint.ts";
import { deleteEndpoint } from "../../actions/webhook/delete-endpoint.ts";
import { rotateSecret } from "../../actions/webhook/endpoint-secret.ts";
import { redeliver, redeliverOne, type Redelivered } from "../../actions/webhook/redeliver.ts";
import { testEndpoint } from "../../actions/webhook/test-endpoint.ts";
import { updateEndpoint } from "../../actions/webhook/update-endpoint.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { Refusal } from "../../domain/refusal.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  CreateWebhookEndpointParams,
  deliveryETag,
  DeliveryResource,
  ListDeliveriesQuery,
  ListEndpointsQuery,
  presentDelivery,
  presentSecret,
  presentWebhookEndpoint,
  RedeliveredResource,
  RedeliverParams,
  RotateSecretParams,
  UpdateWebhookEndpointParams,
  webhookEndpointETag,
  WebhookEndpointResource,
  WebhookEndpointWithSecretResource,
} from "../../resources/webhook.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { deliveries, endpoints, listDeliveries, listEndpoints } from "../../store/webhooks.ts";
import { answer, noContent, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

async function findEndpoint(db: Queryable, organizationId: string, id: string) {
  const found = await endpoints.find(db, organizationId, id);
  if (!found || found.deletedAt !== null || found.kind !== "http") throw new Refusal("not_found");
  return found;
}

function endpointAnswer(found: WebhookEndpoint): Answer {
  return answer(200, presentWebhookEndpoint(found), { ETag: webhookEndpointETag(found) });
}

/** The only answer with the secret. This answer is not stored for a repeated request. */
function answerWithSecret(status: 200 | 201, found: WebhookEndpoint): Answer {
  const body = { ...presentWebhookEndpoint(found), secret: presentSecret(found) };
  return { ...answer(status, body, { ETag: webhookEndpointETag(found) }), secret: true };
}

const accepted = (delivery: WebhookDelivery) => answer(202, presentDelivery(delivery));

const endpointEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/webhook-endpoints",
    operationId: "createWebhookEndpoint",
    summary: "Create a webhook endpoint that receives events. Only this answer shows its secret",
    body: CreateWebhookEndpointParams,
    example: { url: "https://example.com/billow", events: ["subscription.created", "subscription.canceled"] },
    responses: { 201: WebhookEndpointWithSecretResource },
    errors: ["webhook_endpoint_limit_reached"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createEndpoint(ctx, origin, body),
        (made: WebhookEndpoint) => answerWithSecret(201, made),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/webhook-endpoints",
    operationId: "listWebhookEndpoints",
    summary: "List webhook endpoints, newest first",
    query: ListEndpointsQuery,
    responses: { 200: pageOf(WebhookEndpointResource) },
    async handle(ctx, { call, query }) {
      const rows = await listEndpoints(ctx.db.stale, call.organizationId, query);
      return answer(200, presentPage(rows, query.limit, presentWebhookEndpoint));
    },
  }),
  endpoint({
    method: "GET",
    path: "/webhook-endpoints/{endpointId}",
    operationId: "getWebhookEndpoint",
    summary: "Read a webhook endpoint",
    params: { endpointId: "whk" },
    responses: { 200: WebhookEndpointResource },
    async handle(ctx, { call, params }) {
      const found = await findEndpoint(ctx.db.read, call.organizationId, params.endpointId);
      return endpointAnswer(found);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/webhook-endpoints/{endpointId}",
    operationId: "updateWebhookEndpoint",
    summary: "Change, disable or enable a webhook endpoint",
    params: { endpointId: "whk" },
    body: UpdateWebhookEndpointParams,
    example: { events: ["subscription.created"] },
    responses: { 200: WebhookEndpointResource },
    errors: ["precondition_failed"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) =>
          updateEndpoint(ctx, origin, params.endpointId, body, (found) => checkVersion(webhookEndpointETag(found))),
        endpointAnswer,
      );
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/webhook-endpoints/{endpointId}",
    operationId: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint. The endpoint gets no deliveries any more",
    params: { endpointId: "whk" },
    responses: { 204: null },
    errors: ["precondition_failed"],
    handle(ctx, { call, params, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => deleteEndpoint(ctx, origin, params.endpointId, (found) => checkVersion(webhookEndpointETag(found))),
        noContent,
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/webhook-endpoints/{endpointId}/rotate-secret",
    operationId: "rotateWebhookSecret",
    summary: "Make a new secret. Only this answer shows it. The old secret also signs during the overlap",
    params: { endpointId: "whk" },
    body: RotateSecretParams,
    bodyOptional: true,
    responses: { 200: WebhookEndpointWithSecretResource },
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => rotateSecret(ctx, origin, params.endpointId, body),
        (rotated: WebhookEndpoint) => answerWithSecret(200, rotated),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/webhook-endpoints/{endpointId}/test",
    operationId: "testWebhookEndpoint",
    summary: "Send a `webhook_endpoint.test` event to this endpoint alone",
    params: { endpointId: "whk" },
    responses: { 202: DeliveryResource },
    errors: ["endpoint_disabled"],
    handle: (ctx, { call, params }) =>
      commit(ctx, call, (origin) => testEndpoint(ctx, origin, params.endpointId), accepted),
  }),
  endpoint({
    method: "POST",
    path: "/webhook-endpoints/{endpointId}/redeliver",
    operationId: "redeliverToWebhookEndpoint",
    summary: "Send deliveries again: those that did not arrive, or all deliveries of a span of time",
    params: { endpointId: "whk" },
    body: RedeliverParams,
    bodyOptional: true,
    responses: { 202: RedeliveredResource },
    errors: ["endpoint_disabled"],
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => redeliver(ctx, origin, params.endpointId, body),
        (sent: Redelivered) => answer(202, sent),
      );
    },
  }),
];

const deliveryEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/webhook-endpoints/{endpointId}/deliveries",
    operationId: "listDeliveries",
    summary: "List the deliveries to an endpoint, newest first. They are kept for 30 days, or as the operator sets",
    params: { endpointId: "whk" },
    query: ListDeliveriesQuery,
    responses: { 200: pageOf(DeliveryResource) },
    async handle(ctx, { call, params, query }) {
      const found = await findEndpoint(ctx.db.read, call.organizationId, params.endpointId);
      const rows = await listDeliveries(ctx.db.stale, call.organizationId, found.id, query);
      return answer(200, presentPage(rows, query.limit, presentDelivery));
    },
  }),
  endpoint({
    method: "GET",
    path: "/deliveries/{deliveryId}",
    operationId: "getDelivery",
    summary: "Read a delivery",
    params: { deliveryId: "whd" },
    responses: { 200: DeliveryResource },
    async handle(ctx, { call, params }) {
      const delivery = await deliveries.find(ctx.db.read, call.organizationId, params.deliveryId);
      if (!delivery) throw new Refusal("not_found");
      await findEndpoint(ctx.db.read, call.organizationId, delivery.endpointId);
      return answer(200, presentDelivery(delivery), { ETag: deliveryETag(delivery) });
    },
  }),
  endpoint({
    method: "POST",
    path: "/deliveries/{deliveryId}/redeliver",
    operationId: "redeliver",
    summary: "Send a delivery again, in any status",
    params: { deliveryId: "whd" },
    responses: { 202: DeliveryResource },
    errors: ["endpoint_disabled"],
    handle: (ctx, { call, params }) =>
      commit(ctx, call, (origin) => redeliverOne(ctx, origin, params.deliveryId), accepted),
  }),
];

export const webhookEndpoints: Endpoint[] = [...endpointEndpoints, ...deliveryEndpoints];
