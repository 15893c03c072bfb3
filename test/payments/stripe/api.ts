import { API_VERSION, type Book, type Key } from "./book.ts";
import { billingRoutes } from "./billing-routes.ts";
import { billingWrites } from "./billing-writes.ts";
import { catchUp } from "./catch-up.ts";
import { chargeRoutes } from "./charges.ts";
import { customerBalanceRoutes } from "./customer-balance.ts";
import { customersAndCards } from "./customers.ts";
import { holdAnswer, holdRequest } from "./description.ts";
import { disputeRoutes } from "./disputes.ts";
import { ApiError, forbidden, malformed, outOfOrder, unauthorized } from "./errors.ts";
import { eventsAndEndpoints } from "./events.ts";
import { expanded } from "./expand.ts";
import { parseForm, type Params } from "./form.ts";
import type { FaultKind } from "./faults.ts";
import type { Answer, Replay } from "./idempotency.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { refundRoutes } from "./refunds.ts";
import { route, type Route } from "./routes.ts";
import { sessionRoutes } from "./sessions.ts";
import { setupIntentRoutes } from "./setup-intents.ts";

const accountRoutes = [
  route("GET /v1/account", "accounts_kyc_basic_read", {}, ({ book }) => book.account),
  route("GET /v1/accounts/:id", "accounts_kyc_basic_read", {}, ({ book, id }) => {
    if (id === book.account.id) return book.account;
    throw noAccess("", id);
  }),
];

export const ROUTES: readonly Route[] = [
  ...accountRoutes,
  ...customersAndCards,
  ...sessionRoutes,
  ...paymentIntentRoutes,
  ...setupIntentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...billingRoutes,
  ...billingWrites,
  ...customerBalanceRoutes,
  ...eventsAndEndpoints,
];

/** Each permission that a restricted key can have here. */
export const PERMISSIONS = [...new Set(ROUTES.map(({ permission }) => permission).filter((each) => each !== null))];

export type ApiRequest = {
  id: string;
  method: string;
  path: string;
  query: string;
  body: string;
  headers: ReadonlyMap<string, string>;
};

const masked = (key: string) => `${key.slice(0, 8)}${"*".repeat(12)}${key.slice(-4)}`;
const noAccess = (key: string, account: string) =>
  forbidden(
    `The provided key '${masked(key)}' does not have access to account '${account}' (or that account does not ` +
      "exist). Application access may have been revoked.",
    "account_invalid",
  );

/** The key of a request. Throws 401 for a missing, unknown or revoked key. */
function authenticate(book: Book, headers: ReadonlyMap<string, string>): Key {
  const [scheme, value = ""] = (headers.get("authorization") ?? "").split(" ");
  const given = scheme === "Basic" ? Buffer.from(value, "base64").toString().replace(/:.*$/, "") : value;
  if (given === "") {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer " +
        "auth.",
    );
  }
  const key = book.keys.find((each) => each.key === given);
  if (key === undefined) throw unauthorized(`Invalid API Key provided: ${masked(given)}`);
  if (key.isRevoked) throw unauthorized(`Expired API Key provided: ${masked(given)}`, "api_key_expired");
  const account = headers.get("stripe-account");
  if (account !== undefined && account !== book.account.id) throw noAccess(given, account);
  return key;
}

function permit(book: Book, { key, permissions }: Key, permission: string | null): void {
  if (permission === null || permissions === "all" || permissions.has(permission)) return;
  throw forbidden(
    `Permission denied. The provided key '${masked(key)}' does not have the required permissions for this endpoint ` +
      `on account '${book.account.id}'. Enabling "${permission}" ('rak_${permission}') permissions on this key would ` +
      "allow this request to continue.",
  );
}

/** Stripe takes an account's default version if none is named; here a request that names none is a mistake. */
function checkVersion(headers: ReadonlyMap<string, string>): void {
  const version = headers.get("stripe-version");
  if (version === API_VERSION) return;
  throw malformed(`Invalid Stripe API version: ${version ?? "none"}. This server speaks ${API_VERSION} alone.`);
}

function checkContentType({ body, headers }: ApiRequest): void {
  if (body === "" || headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true) return;
  throw malformed(
    "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any " +
      "questions, we can help at https://support.stripe.com/.",
  );
}

function routeOf({ method, path }: ApiRequest): { route: Route; id: string } {
  for (const each of ROUTES) {
    const match = each.path.exec(path);
    if (each.method === method && match !== null) return { route: each, id: decodeURIComponent(match[1] ?? "") };
  }
  const message =
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at ` +
    "https://support.stripe.com/.";
  throw new ApiError(404, { type: "invalid_request_error", message }, false);
}

export type ApiAnswer = Answer & { replayed: boolean };
type Struck = { kind: FaultKind; released: Promise<void> } | null;

/** Carries a request out, unless its Idempotency-Key has an answer already. A slow fault is waited for in between. */
export async function answerApi(book: Book, replay: Replay, request: ApiRequest, fault: Struck): Promise<ApiAnswer> {
  const fresh = (answer: Answer): ApiAnswer => {
    if (answer.status !== 200 && !book.isLater)
      holdAnswer(`${request.method} ${request.path}`, answer.status, JSON.parse(answer.body));
    return { ...answer, replayed: false };
  };
  let begun: string | null = null;
  try {
    const key = authenticate(book, request.headers);
    const { route: found, id } = routeOf(request);
    permit(book, key, found.permission);
    checkVersion(request.headers);
    checkContentType(request);
    const params = parseForm(request.method === "POST" ? request.body : request.query);
    const idempotencyKey = request.method === "POST" ? (request.headers.get("idempotency-key") ?? null) : null;
    if (idempotencyKey !== null) {
      if (idempotencyKey.length > 255) throw malformed("Idempotency keys are at most 255 characters long.");
      const kept = replay.begin(idempotencyKey, `${request.method} ${request.path}`, canonical(params));
      if (kept !== null) return { ...kept, replayed: true };
      begun = idempotencyKey;
    }
    if (fault?.kind === "slow") await fault.released;
    const { kept, answer } = carryOut(book, request, { route: found, id, params, idempotencyKey, fault });
    if (begun !== null && kept) replay.keep(begun, answer);
    else if (begun !== null) replay.forget(begun);
    return fresh(answer);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (begun !== null) replay.forget(begun);
    return fresh(answerOf(error, request.id));
  }
}

const answerOf = (error: ApiError, requestId: string): Answer => ({
  status: error.status,
  body: JSON.stringify(error.body),
  requestId,
});

/** The parameters in an order of their own, as Stripe compares them. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
    .join()}}`;
}

type Call = { route: Route; id: string; params: Params; idempotencyKey: string | null; fault: Struck };

/** Works without waiting, so requests are carried out one after the other. */
function carryOut(book: Book, request: ApiRequest, call: Call): { kept: boolean; answer: Answer } {
  if (call.fault?.kind === "500") return { kept: true, answer: answerOf(outOfOrder(), request.id) };
  catchUp(book);
  book.request = { id: request.id, idempotency_key: call.idempotencyKey };
  try {
    const { expand, ...params } = call.params;
    const result = call.route.run(book, call.id, params);
    const body = JSON.stringify(expanded(book, result, readExpand(expand)), null, 2);
    if (!book.isLater) {
      holdRequest(call.route.endpoint, call.params);
      holdAnswer(call.route.endpoint, 200, JSON.parse(body));
    }
    if (call.fault?.kind === "500 done") return { kept: true, answer: answerOf(outOfOrder(), request.id) };
    return { kept: true, answer: { status: 200, body, requestId: request.id } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kept: error.kept, answer: answerOf(error, request.id) };
  } finally {
    book.request = null;
  }
}

function readExpand(expand: unknown): readonly unknown[] {
  if (expand === undefined) return [];
  if (Array.isArray(expand)) return expand;
  throw malformed("Invalid array", { param: "expand" });
}
