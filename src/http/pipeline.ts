import { hash } from "node:crypto";
import * as z from "zod";
import { ageHeaders, withStaleReads, type StaleReads } from "../actions/stale-reads.ts";
import { checkIfMatch, isUnchanged } from "../precondition.ts";
import type { Context } from "../context.ts";
import type { ApiKeyScope } from "../domain/organization/api-key.ts";
import { Refusal } from "../domain/refusal.ts";
import { AppError } from "../errors.ts";
import type { Licensed } from "../resources/license.ts";
import { presentRefusal } from "../resources/refusal.ts";
import { hasChangedLately } from "../store/audit-log.ts";
import { alternatives } from "../suggestion.ts";
import { advise, malformedId } from "./advice.ts";
import type { Answer } from "./answer.ts";
import { Audit } from "./audit.ts";
import type { Authenticator, Key } from "./authentication.ts";
import { hasBody, parseJson, readBody } from "./body.ts";
import type { Call } from "./commit.ts";
import { mayBeStale, type Endpoint } from "./endpoint.ts";
import type { Content, Exchange, Limits } from "./exchange.ts";
import { checkAccept, checkContentType } from "./negotiation.ts";
import { RETRY_SECONDS } from "./rate-limit.ts";
import { readIds, type Route, type RouteMatch } from "./routes.ts";
import type { Surface } from "./surfaces.ts";
import { check, checkQuery, readIdempotencyKey, refuse } from "./validation.ts";

/**
 * `licenseLimits`: the limits of surfaces without API keys. Anyone may call these surfaces, so their calls don't use up
 * the limits of the other surfaces.
 */
export type Pipeline = { ctx: Context; authenticator: Authenticator; limits: Limits; licenseLimits: Limits };
type Input = { query: unknown; body: unknown };
type Request = Parameters<Endpoint["handle"]>[1];

const NO_BYTES = Buffer.alloc(0);
const NOTHING = z.strictObject({});

/** The headers that answer a preflight (Fetch, 3.2.3): methods and headers that pages of other origins may send. */
const preflight = (allow: string) => ({
  "Access-Control-Allow-Methods": allow,
  "Access-Control-Allow-Headers": "Content-Type, Idempotency-Key",
  "Access-Control-Max-Age": "86400",
});

function withoutOperation({ request, isOpen }: Exchange, { allow }: Route): Answer {
  if (request.method === "OPTIONS")
    return { status: 204, headers: { Allow: allow, ...(isOpen && preflight(allow)) }, body: "" };
  throw new AppError("method_not_allowed", { headers: { Allow: allow } });
}

function rateLimited(): AppError {
  return new AppError("rate_limited", { headers: { "Retry-After": String(RETRY_SECONDS) } });
}

/**
 * Looks up a key. An address with too many refused keys no longer reaches the database, except with a key that was
 * good before: other callers may share the address.
 */
async function lookUpKey({ authenticator, limits }: Pipeline, { request, client, startedAt }: Exchange): Promise<Key> {
  const isSpent = limits.enabled && limits.addresses.remaining(client, startedAt) < 1;
  if (isSpent && authenticator.mustAsk(request)) throw rateLimited();
  return authenticator.lookUp(request, startedAt);
}

async function identify(pipeline: Pipeline, exchange: Exchange): Promise<Key> {
  return pipeline.authenticator.known(exchange.request, exchange.startedAt) ?? lookUpKey(pipeline, exchange);
}

/** Whether the caller has a valid API key. The operation uses the same look-up. */
export function hasKey(pipeline: Pipeline, exchange: Exchange): Promise<boolean> {
  exchange.lookUp = identify(pipeline, exchange);
  return exchange.lookUp.then(
    () => true,
    () => false,
  );
}

const listed = (scopes: readonly ApiKeyScope[]) => alternatives(scopes.map((scope) => `\`${scope}\``));

function checkScope({ scopes, organization }: Key, endpoint: Endpoint, scope: ApiKeyScope): void {
  const wanted = endpoint.scopes ?? [scope];
  if (!wanted.some((each) => scopes.includes(each))) {
    const challenge = `Bearer realm="billow", error="insufficient_scope", scope="${wanted.join(" ")}"`;
    const needed = `This operation needs an API key with the scope ${listed(wanted)}.`;
    throw new AppError("insufficient_scope", {
      detail: `${needed} This key has the scope ${listed(scopes)}.`,
      headers: { "WWW-Authenticate": challenge },
    });
  }
  if (endpoint.sandboxOnly && organization.mode !== "sandbox")
    throw new AppError("not_found", {
      detail: "Only a sandbox has this path. The Organization of the API key is live.",
    });
}

/**
 * Identifies, counts and authorizes the caller by API key before the body is read.
 * @throws AppError 401, 403, `not_found`, `rate_limited`
 */
async function admitKey(pipeline: Pipeline, exchange: Exchange, endpoint: Endpoint, scope: ApiKeyScope): Promise<Key> {
  const { authenticator, limits } = pipeline;
  const { request, startedAt } = exchange;
  const known = exchange.lookUp === null ? authenticator.known(request, startedAt) : await exchange.lookUp;
  const key = known ?? (await lookUpKey(pipeline, exchange));
  exchange.key = key;
  if (!limits.keys.take(key.keyId, startedAt)) throw rateLimited();
  checkScope(key, endpoint, scope);
  return key;
}

/** Counts the address of a caller without an API key before the body is read. @throws AppError `rate_limited` */
function admitAddress({ licenseLimits }: Pipeline, { client, startedAt }: Exchange): null {
  if (!licenseLimits.addresses.take(client, startedAt)) throw rateLimited();
  return null;
}

/**
 * Counts the license key across all addresses. Returns the Organization that the body names.
 * @throws AppError `rate_limited`
 */
function admitLicense({ licenseLimits }: Pipeline, { startedAt }: Exchange, { organizationId, key }: Licensed): string {
  if (!licenseLimits.keys.take(`${organizationId} ${key}`, startedAt)) throw rateLimited();
  return organizationId;
}

async function receive({ request }: Exchange): Promise<Buffer> {
  if (!hasBody(request)) return NO_BYTES;
  checkContentType(request.headers["content-type"], request.headers["content-encoding"]);
  return readBody(request);
}

/**
 * Checks the JSON (400), then query and body by their schemas (422). An operation without a body accepts an empty
 * object, but no fields.
 */
function validate(endpoint: Endpoint, search: string, bytes: Buffer): Input {
  const isBodyDue = endpoint.body !== null || bytes.length > 0;
  const json = endpoint.bodyOptional && bytes.length === 0 ? {} : isBodyDue ? parseJson(bytes) : undefined;
  const query = search === "" && !endpoint.query ? null : checkQuery(endpoint.query, search);
  const body = isBodyDue ? check(endpoint.body ?? NOTHING, json, "body") : null;
  const faults = [...(query?.faults ?? []), ...(body?.faults ?? [])];
  if (faults.length > 0) refuse(faults);
  return { query: query?.value, body: body?.value };
}

/** Only POST and PATCH take an Idempotency-Key, since the other methods are idempotent anyway. */
function createCall(
  { request, requestId }: Exchange,
  organizationId: string,
  endpoint: Endpoint,
  path: string,
  bytes: Buffer,
): Omit<Call, "audit"> {
  const { method } = endpoint;
  if ((method !== "POST" && method !== "PATCH") || request.headers["idempotency-key"] === undefined) {
    return { organizationId, requestId, idempotency: null };
  }
  const key = readIdempotencyKey(request.headersDistinct["idempotency-key"]);
  const idempotency =
    key === null ? null : { organizationId, key, method, path, bodyDigest: hash("sha256", bytes, "buffer") };
  return { organizationId, requestId, idempotency };
}

/**
 * Answers a GET by its ETag (RFC 9110, 13.2.2): 412, 304 or the representation.
 * @throws AppError `precondition_failed`
 */
function conditionally({ request }: Exchange, found: Answer): Answer {
  const etag = found.headers["ETag"];
  if (etag === undefined) return found;
  checkIfMatch(request.headers["if-match"], etag);
  return isUnchanged(request.headers["if-none-match"], etag)
    ? { status: 304, headers: { ETag: etag }, body: "" }
    : found;
}

/** Forgets the remembered keys of the Organization, since the management surface revokes keys and sets clocks. */
async function refresh({ authenticator }: Pipeline, exchange: Exchange, key: Key, endpoint: Endpoint): Promise<void> {
  authenticator.forget(key.organization.id);
  // The answer shows the new clock. If the key can't be looked up any more, the request still succeeds.
  if (endpoint.sandboxOnly)
    exchange.key = await authenticator.lookUp(exchange.request, performance.now()).catch(() => key);
}

/**
 * A list or figures may come from the replica, unless the key has just made a change. The audit log tells, because
 * another process may have carried out the change.
 */
function staleReads({ ctx }: Pipeline, key: Key | null, endpoint: Endpoint, { scope }: Surface): StaleReads {
  if (key === null || !mayBeStale(endpoint, scope)) return { ctx, age: () => null };
  const { keyId, organization } = key;
  return withStaleReads(ctx, async () => !(await hasChangedLately(ctx.db.read, organization.id, keyId)));
}

const withAge = (found: Answer, age: number | null): Answer =>
  age === null ? found : { ...found, headers: { ...found.headers, ...ageHeaders(age) } };

/** @throws AppError with advice about the path and the body */
async function handle(
  { ctx }: Pick<Pipeline, "ctx">,
  endpoint: Endpoint,
  match: RouteMatch,
  request: Request,
): Promise<Answer> {
  try {
    return await endpoint.handle(ctx, request);
  } catch (error) {
    throw await advise(ctx, error, match, request);
  }
}

const isChange = ({ method, operationId }: Endpoint) => method !== "GET" && !operationId.startsWith("preview");

function auditOf(
  { clientAddress }: Exchange,
  { keyId, organization }: Key,
  { operationId: operation }: Endpoint,
  params: Record<string, string>,
  body: unknown,
): Audit {
  return new Audit({ organizationId: organization.id, keyId, operation, params, body, clientAddress });
}

/** Checks a request in the documented order. The handler makes the remaining checks. @throws AppError */
export async function processRequest(
  pipeline: Pipeline,
  exchange: Exchange,
  match: RouteMatch,
  search: string,
): Promise<Content> {
  const { request } = exchange;
  const { route } = match;
  const { scope } = route.surface;

  exchange.isOpen = scope === null;
  const endpoint = route.operations.get(request.method ?? "");
  if (!endpoint) return withoutOperation(exchange, route);
  exchange.operation = endpoint.operationId;
  exchange.isChange = isChange(endpoint);

  const key = scope === null ? admitAddress(pipeline, exchange) : await admitKey(pipeline, exchange, endpoint, scope);

  checkAccept(request.headers.accept, endpoint.media);
  const isRead = endpoint.method === "GET";
  const bytes = isRead ? NO_BYTES : await receive(exchange);
  const { query, body } = validate(endpoint, search, bytes);
  const organizationId = key ? key.organization.id : admitLicense(pipeline, exchange, body as Licensed);
  const claimed = createCall(exchange, organizationId, endpoint, match.path, bytes);

  const params = readIds(match);
  if (!params) throw malformedId(match);
  const isAudited = scope === "manage" && (exchange.isChange || endpoint.audited);
  const audit = key && isAudited ? auditOf(exchange, key, endpoint, params, body) : null;
  const call = { ...claimed, audit };
  const reads = staleReads(pipeline, key, endpoint, route.surface);
  const found = await handle(reads, endpoint, match, {
    call,
    keyId: key && key.keyId,
    params,
    query,
    body,
    checkVersion: (etag) => checkIfMatch(request.headers["if-match"], etag),
  });
  // Sandbox tools change several rows, each in a transaction of its own. The entry follows them.
  if (audit && !audit.isCommitted && !found.replayed) await pipeline.ctx.db.tx(async (tx) => audit.write(tx, found));
  if (!isRead && key && scope === "manage") await refresh(pipeline, exchange, key, endpoint);
  const answer = isRead ? conditionally(exchange, withAge(found, reads.age())) : found;
  return answer.file ? { ...answer, body: await answer.file() } : answer;
}

/**
 * Turns an error into a refusal. Refused keys count against their address. An unexpected error is logged, and the
 * caller learns only that it happened.
 */
export function toAppError({ ctx, limits }: Pipeline, exchange: Exchange, thrown: unknown): AppError {
  const error = thrown instanceof Refusal ? presentRefusal(thrown) : thrown;
  const { requestId, operation, clientAddress, client, startedAt } = exchange;
  if (!(error instanceof AppError)) {
    ctx.log.error({ requestId, operation, err: error }, "a request failed");
    return new AppError("internal_error");
  }
  // A 5xx without a cause is expected and no fault: a Customer has much due work (rule T5), or an outcome is pending
  // (rule D2).
  const isAwaited = error.status >= 500 && error.cause === undefined;
  if (isAwaited) ctx.log.info({ requestId, operation, detail: error.message }, "a request has to wait");
  else if (error.status >= 500) ctx.log.warn({ requestId, operation, err: error.cause }, "a request can't be answered");
  if (error.status !== 401 && error.status !== 403) return error;
  ctx.log.info(
    { requestId, operation, clientAddress, code: error.code, keyId: exchange.key?.keyId },
    "a key was refused",
  );
  if (error.status === 401) limits.addresses.take(client, startedAt);
  return error;
}
