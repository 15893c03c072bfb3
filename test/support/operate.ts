import { hash } from "node:crypto";
import type { Context } from "../../src/context.ts";
import type { Answer } from "../../src/http/answer.ts";
import { MANAGEMENT_ENDPOINTS, PUBLIC_ENDPOINTS } from "../../src/http/surfaces.ts";
import { newId } from "../../src/ids.ts";

/** `key`: the Idempotency-Key; the same key is always sent with the same body. */
type Sent = { params?: Record<string, string>; body?: object; key?: string };

const operations = new Map(
  [...PUBLIC_ENDPOINTS, ...MANAGEMENT_ENDPOINTS].map((endpoint) => [endpoint.operationId, endpoint]),
);

/** The answer of one operation, without sockets, API keys and If-Match. @throws Refusal, AppError */
export function operate(
  ctx: Context,
  organizationId: string,
  operationId: string,
  { params = {}, body, key }: Sent,
): Promise<Answer> {
  const endpoint = operations.get(operationId)!;
  const { method, path } = endpoint;
  const idempotency =
    key === undefined ? null : { organizationId, key, method, path, bodyDigest: hash("sha256", "", "buffer") };
  return endpoint.handle(ctx, {
    call: { organizationId, requestId: newId("req"), idempotency, audit: null },
    keyId: null,
    params,
    query: undefined,
    body: endpoint.body?.parse(body ?? {}),
    checkVersion: () => undefined,
  });
}
