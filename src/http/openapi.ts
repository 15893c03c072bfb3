import { STATUS_CODES } from "node:http";
import type * as z from "zod";
import { AppError, ERRORS, problem, type ErrorCode } from "../errors.ts";
import { idPattern, type IdPrefix } from "../ids.ts";
import { VERSION } from "../version.ts";
import { mayBeStale, type Endpoint } from "./endpoint.ts";
import { Schemas, type JsonSchema } from "./json-schema.ts";
import { addLinks } from "./links.ts";
import {
  RESPONSES,
  type Header,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type Reference,
} from "./openapi-document.ts";
import type { Surface } from "./surfaces.ts";

const API_KEY = { type: "http", scheme: "bearer", bearerFormat: "blw_live_… or blw_test_…" };
const text: JsonSchema = { type: "string" };
const idSchema = (prefix: IdPrefix): JsonSchema => ({ type: "string", pattern: idPattern(prefix) });
const HEADERS: Record<string, Header> = {
  "Request-Id": { description: "The id of this request in every log and problem.", schema: idSchema("req") },
  "Billow-Version": { description: "The version of the server.", schema: text },
  "Access-Control-Allow-Origin": { description: "Pages of any origin may read the answer.", schema: { const: "*" } },
  "Billow-Clock": {
    description: "The billing time, in a sandbox with a clock that was set or advanced.",
    schema: { ...text, format: "date-time" },
  },
  "Billow-Data-Age": {
    description:
      "The rows come from a replica of the database. Changes of the last so many seconds may be missing. " +
      "Left out if the rows are current.",
    schema: { type: "integer" },
  },
  "RateLimit-Policy": {
    description: "draft-ietf-httpapi-ratelimit-headers-11. Left out if there is no limit.",
    schema: text,
  },
  RateLimit: { description: "The rest of the rate limit (draft-ietf-httpapi-ratelimit-headers-11).", schema: text },
  ETag: {
    description: "A strong validator. An answer to a write has it only if the resource in the answer has an ETag.",
    schema: text,
  },
  "Idempotency-Replayed": {
    description: "`true`: the stored answer to an earlier request with this Idempotency-Key.",
    schema: text,
  },
  "Retry-After": {
    description: "The least number of seconds to wait. A 409 has it only if waiting helps.",
    schema: { type: "integer" },
  },
  "WWW-Authenticate": { description: "RFC 6750.", schema: text },
};
const KEY: JsonSchema = { type: "string", pattern: "^[ -~]{1,255}$" };
const ALWAYS = ["Request-Id", "Billow-Version", "RateLimit-Policy", "RateLimit"];
const always = (scope: Surface["scope"]) => [
  ...ALWAYS,
  scope === null ? "Access-Control-Allow-Origin" : "Billow-Clock",
];

const SPECIAL_HEADERS: Record<string, string[]> = {
  "401": ["WWW-Authenticate"],
  "402": ["Idempotency-Replayed"],
  "403": ["WWW-Authenticate"],
  "409": ["Retry-After"],
  "429": ["Retry-After"],
  "503": ["Retry-After"],
};

const textOrNull: JsonSchema = { type: ["string", "null"] };
const PROBLEM: JsonSchema = {
  type: "object",
  description: "RFC 9457.",
  properties: {
    type: { type: "string", format: "uri", description: "The address of the code's description." },
    title: text,
    status: { type: "integer" },
    code: { type: "string", enum: Object.keys(ERRORS), description: "Stable." },
    detail: { type: "string", description: "A description of the single case, with the next step." },
    requestId: text,
    errors: {
      type: "array",
      description: "The faulty parts of the request. A 422 has them, and a 409 for a value that is taken or fixed.",
      items: {
        type: "object",
        properties: {
          in: { type: "string", enum: ["body", "query", "header", "path"] },
          pointer: { type: "string", description: "RFC 6901 in a body, a name elsewhere." },
          code: text,
          message: text,
        },
        required: ["in", "pointer", "code", "message"],
      },
    },
    customerId: { ...textOrNull, description: "With `customer_exists`: the existing Customer." },
    resourceId: {
      ...textOrNull,
      description: "With `key_taken` and `code_taken`: the Product, Benefit or Discount that has the key or code.",
    },
    available: {
      type: "integer",
      description: "With `credited` and `credit_spent`: the most that can be given back, in minor units.",
    },
    minimum: {
      type: "integer",
      description: "With a fault `quantity_not_offered`: the smallest quantity that is offered.",
    },
    maximum: { type: "integer", description: "With a fault `quantity_not_offered`: the largest quantity." },
    subscriptionId: {
      ...textOrNull,
      description:
        "With `already_subscribed`: the Subscription that the Customer has already. Null while an earlier Checkout " +
        "is being paid.",
    },
    priceChangeId: { ...textOrNull, description: "With `price_change_unfinished`: the other price change." },
    balances: {
      type: "array",
      description: "With `balance_left`: the credit of the Customer, in minor units.",
      items: {
        type: "object",
        properties: { currency: { ...text, pattern: "^[a-z]{3}$" }, amount: { type: "integer" } },
        required: ["currency", "amount"],
      },
    },
    declineCode: { ...textOrNull, description: "With a 402: the reason why the card was declined." },
    checkoutId: {
      ...textOrNull,
      description:
        "With the 402 of a change: the Checkout that finishes the change. With `already_subscribed` and " +
        "`change_in_progress`: the Checkout whose payment is not finished.",
    },
    url: {
      ...textOrNull,
      description: "The page of this Checkout on which the buyer can pay. With a 402 also the page of the invoice.",
    },
    now: { ...textOrNull, description: "With `clock_stopped`: the time of the clock." },
    target: { ...textOrNull, description: "With `clock_advancing` and `clock_stopped`: the target of the advance." },
  },
  required: ["type", "title", "status", "code", "detail", "requestId"],
};

const EVERY: ErrorCode[] = [
  "malformed_request",
  "not_acceptable",
  "request_timeout",
  "uri_too_long",
  "validation_failed",
  "rate_limited",
  "headers_too_large",
  "internal_error",
  "unavailable",
];
const OF_API_KEYS: readonly ErrorCode[] = [
  "api_key_missing",
  "api_key_invalid",
  "api_key_expired",
  "api_key_revoked",
  "insufficient_scope",
];
const WITH_BODY: ErrorCode[] = ["malformed_json", "body_too_large", "unsupported_media_type"];
const WITH_KEY: ErrorCode[] = ["idempotency_in_progress", "idempotency_key_used", "idempotency_key_reused"];

const takesKey = ({ method }: Endpoint) => method === "POST" || method === "PATCH";
const hasIds = ({ params }: Endpoint) => Object.keys(params).length > 0;
/** Whether the operation reads a single resource. Resources have a version, and lists have no version. */
const isVersioned = ({ method, path, media }: Endpoint) =>
  method === "GET" && (path.endsWith("}") || path === "/organization" || media !== "application/json");
const takesIfMatch = (endpoint: Endpoint) =>
  endpoint.errors.includes("precondition_failed") || endpoint.method === "PATCH";

/** The codes of all errors of an operation on a surface with this scope, in the order of `ERRORS`. */
export function errorsOf(endpoint: Endpoint, scope: Surface["scope"]): ErrorCode[] {
  const own = new Set([...EVERY, ...(scope === null ? [] : OF_API_KEYS), ...endpoint.errors]);
  const add = (codes: ErrorCode[]) => codes.forEach((code) => own.add(code));
  if (hasIds(endpoint) || endpoint.sandboxOnly) add(["not_found"]);
  if (endpoint.method !== "GET") add(WITH_BODY);
  if (takesKey(endpoint)) add(WITH_KEY);
  if (isVersioned(endpoint) || takesIfMatch(endpoint)) add(["precondition_failed"]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => own.has(code));
}

/** Codes that all operations of a kind share. All other codes belong to single operations. */
const OF_KINDS = new Set<ErrorCode>([
  ...EVERY,
  ...OF_API_KEYS,
  ...WITH_BODY,
  ...WITH_KEY,
  "not_found",
  "precondition_failed",
]);

const headers = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/**
 * The error responses of a surface. Operations with the same status and the same codes share one response. A response
 * with shared codes alone is named by its status. A response with an operation's own codes is named by the first
 * operation that has this list of codes.
 */
class Refusals {
  readonly components: Record<string, OpenApiResponse> = {};
  readonly #scope: Surface["scope"];
  /** The name of each response, by its codes. The codes determine the status. */
  readonly #names = new Map<string, string>();

  constructor(scope: Surface["scope"]) {
    this.#scope = scope;
  }

  of(endpoint: Endpoint): Record<string, Reference> {
    const byStatus = Object.entries(Object.groupBy(errorsOf(endpoint, this.#scope), (code) => String(ERRORS[code][0])));
    return Object.fromEntries(
      byStatus.map(([status, codes = []]) => [status, this.#reference(endpoint, status, codes)]),
    );
  }

  #reference({ operationId }: Endpoint, status: string, codes: ErrorCode[]): Reference {
    const key = codes.join(" ");
    const name = this.#names.get(key) ?? nameOf(operationId, status, codes);
    if (!this.#names.has(key)) {
      if (name in this.components) throw new Error(`two lists of errors are called ${name}`);
      this.#names.set(key, name);
      this.components[name] = refusal(this.#scope, status, codes);
    }
    return { $ref: `${RESPONSES}${name}` };
  }
}

/** `BadRequest`, `BadRequestWithBody`, `UpdateSubscriptionConflict`. */
function nameOf(operationId: string, status: string, codes: ErrorCode[]): string {
  const reason = STATUS_CODES[status]!.replaceAll(/[^A-Za-z]/g, "");
  if (codes.some((code) => !OF_KINDS.has(code))) return operationId[0]!.toUpperCase() + operationId.slice(1) + reason;
  if (codes.includes("malformed_json")) return `${reason}WithBody`;
  return codes.includes("idempotency_key_reused") ? `${reason}WithKey` : reason;
}

function refusal(scope: Surface["scope"], status: string, codes: ErrorCode[]): OpenApiResponse {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}.`).join(" "),
    headers: headers([...always(scope), ...(SPECIAL_HEADERS[status] ?? [])]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function contentOf({ media }: Endpoint, zod: z.ZodType | null, schemas: Schemas): Pick<OpenApiResponse, "content"> {
  if (media !== "application/json")
    return { content: { [media]: { schema: { type: "string", contentMediaType: media } } } };
  if (!zod) return {};
  const schema = schemas.add(zod, "output");
  return { content: { [media]: { schema, example: schemas.example(schema, true) } } };
}

function successes(endpoint: Endpoint, scope: Surface["scope"], schemas: Schemas): Record<string, OpenApiResponse> {
  const every = always(scope);
  const own = [
    ...every,
    ...(mayBeStale(endpoint, scope) ? ["Billow-Data-Age"] : []),
    ...(isVersioned(endpoint) ? ["ETag"] : []),
    ...(takesKey(endpoint) ? ["ETag", "Idempotency-Replayed"] : []),
  ];
  const responses: Record<string, OpenApiResponse> = {};
  for (const [status, zod] of Object.entries(endpoint.responses)) {
    responses[status] = {
      description: STATUS_CODES[status] ?? "Success",
      headers: headers(own),
      ...contentOf(endpoint, zod, schemas),
    };
  }
  if (isVersioned(endpoint))
    responses["304"] = { description: "`If-None-Match` names its ETag.", headers: headers([...every, "ETag"]) };
  return responses;
}

function parameters(endpoint: Endpoint, schemas: Schemas): OpenApiParameter[] {
  const header = (name: string, description: string, schema: JsonSchema = text): OpenApiParameter => ({
    name,
    in: "header",
    required: false,
    description,
    schema,
  });
  const ids = Object.entries(endpoint.params).map(([name, prefix]): OpenApiParameter => {
    return { name, in: "path", required: true, schema: idSchema(prefix) };
  });
  const query = endpoint.query ? schemas.resolve(schemas.add(endpoint.query, "input")) : {};
  const filters = Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]): OpenApiParameter => {
    return {
      name,
      in: "query",
      required: query.required?.includes(name) ?? false,
      ...(description && { description }),
      schema,
    };
  });
  const conditions = [
    ...(takesKey(endpoint)
      ? [header("Idempotency-Key", "The same for every attempt of one request. Kept for 24 hours.", KEY)]
      : []),
    ...(isVersioned(endpoint)
      ? [header("If-None-Match", "An ETag. The answer is 304 while the ETag is current.")]
      : []),
    ...(takesIfMatch(endpoint) ? [header("If-Match", "An ETag. The answer is 412 if the ETag is not current.")] : []),
  ];
  return [...ids, ...filters, ...conditions];
}

/** The body of a request. The example is left out if the schema refuses the example. */
function bodyOf({ body, bodyOptional, example }: Endpoint, schemas: Schemas): Pick<OpenApiOperation, "requestBody"> {
  if (!body) return {};
  const schema = schemas.add(body, "input");
  const value = example ?? schemas.example(schema, false);
  const isGood = body.safeParse(value).success;
  return {
    requestBody: {
      required: !bodyOptional,
      content: { "application/json": { schema, ...(isGood && { example: value }) } },
    },
  };
}

function operation(
  endpoint: Endpoint,
  scope: Surface["scope"],
  schemas: Schemas,
  refusals: Refusals,
): OpenApiOperation {
  const { operationId, summary, description, path } = endpoint;
  return {
    operationId,
    summary,
    ...(description !== null && { description }),
    tags: [path.split("/")[1] ?? ""],
    parameters: parameters(endpoint, schemas),
    ...bodyOf(endpoint, schemas),
    responses: { ...successes(endpoint, scope, schemas), ...refusals.of(endpoint) },
  };
}

function examples(publicOrigin: string): OpenApiDocument["components"]["examples"] {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return Object.fromEntries(
    codes.map((code) => {
      const value = problem(new AppError(code), `${publicOrigin}/docs/errors`, "req_01kg8n5vq4e0rb7w9c3d6f2h1j");
      return [code, { summary: ERRORS[code][1], value }];
    }),
  );
}

/** The OpenAPI 3.1 document of a surface, made from the same schemas as its requests and answers. */
export function openApi(surface: Surface, publicOrigin: string): OpenApiDocument {
  const schemas = new Schemas();
  const refusals = new Refusals(surface.scope);
  const paths: OpenApiDocument["paths"] = {};
  for (const endpoint of surface.endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(
      endpoint,
      surface.scope,
      schemas,
      refusals,
    );
  }
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    info: { title: surface.title, version: `${surface.version} (Billow ${VERSION})`, description: surface.description },
    servers: surface.basePaths.map((base) => ({ url: publicOrigin + base })),
    security: surface.scope === null ? [] : [{ apiKey: [] }],
    paths,
    components: {
      schemas: { ...schemas.components, Problem: PROBLEM },
      responses: refusals.components,
      headers: HEADERS,
      examples: examples(publicOrigin),
      securitySchemes: surface.scope === null ? {} : { apiKey: API_KEY },
    },
  };
  addLinks(document);
  return document;
}
