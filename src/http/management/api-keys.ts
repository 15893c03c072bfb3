import { addApiKey, revokeApiKey, rotateApiKey } from "../../actions/organization/api-keys.ts";
import type { NewApiKey } from "../../actions/organization/create-api-key.ts";
import type { ApiKey } from "../../domain/organization/api-key.ts";
import {
  ApiKeyResource,
  CreateApiKeyParams,
  ListApiKeysQuery,
  NewApiKeyResource,
  presentApiKey,
  RotateApiKeyParams,
} from "../../resources/api-key.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { listApiKeys } from "../../store/api-keys.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

/** The only answer with the secret. This answer is not stored for a repeated request. */
function newKeyAnswer({ key, secret }: NewApiKey): Answer {
  return { ...answer(201, { ...presentApiKey(key), secret }), secret: true };
}

export const apiKeyEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/api-keys",
    operationId: "createApiKey",
    summary: "Create an API key. Only this answer shows its secret",
    body: CreateApiKeyParams,
    responses: { 201: NewApiKeyResource },
    handle: (ctx, { call, body }) => commit(ctx, call, (origin) => addApiKey(ctx, origin, body), newKeyAnswer),
  }),
  endpoint({
    method: "GET",
    path: "/api-keys",
    operationId: "listApiKeys",
    summary: "List the API keys, with the expired and revoked keys, newest first",
    query: ListApiKeysQuery,
    responses: { 200: pageOf(ApiKeyResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listApiKeys(ctx.db.stale, call.organizationId, query), query.limit, presentApiKey),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/api-keys/{keyId}/rotate",
    operationId: "rotateApiKey",
    summary: "Create the successor of an API key. The old key stays valid for an overlap",
    description:
      "The successor has the same name and scopes. " +
      "If the old key expires, the successor gets the lifetime that the old key was made " +
      "with.",
    params: { keyId: "key" },
    body: RotateApiKeyParams,
    example: { overlapSeconds: 3600 },
    responses: { 201: NewApiKeyResource },
    errors: ["api_key_not_active"],
    handle: (ctx, { call, params, body }) =>
      commit(ctx, call, (origin) => rotateApiKey(ctx, origin, params.keyId, body), newKeyAnswer),
  }),
  endpoint({
    method: "DELETE",
    path: "/api-keys/{keyId}",
    operationId: "revokeApiKey",
    summary: "Revoke an API key for good. The revocation takes effect within a second",
    params: { keyId: "key" },
    responses: { 200: ApiKeyResource },
    errors: ["api_key_in_use"],
    handle(ctx, { call, params, keyId }) {
      return commit(
        ctx,
        call,
        (origin) => revokeApiKey(ctx, origin, params.keyId, keyId),
        (key: ApiKey) => answer(200, presentApiKey(key)),
      );
    },
  }),
];
