import type * as z from "zod";
import type { Context } from "../context.ts";
import type { ApiKeyScope } from "../domain/organization/api-key.ts";
import type { ErrorCode } from "../errors.ts";
import type { IdPrefix } from "../ids.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./commit.ts";
import type { MediaType } from "./negotiation.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** A request that passed every check that can be made without the resource. */
export type Request<Params, Query, Body> = {
  call: Call;
  /** The caller's API key; null on a surface without API keys. */
  keyId: string | null;
  /** Well-formed ids, by the names in the path. */
  params: Params;
  query: Query;
  body: Body;
  /**
   * The handler calls this with the resource's ETag before a change.
   * @throws AppError `precondition_failed` if If-Match names other ETags.
   */
  checkVersion(etag: string): void;
};

type Prefixes = Record<string, IdPrefix>;
type Ids<P extends Prefixes> = { [Name in keyof P]: string };

type Definition<P extends Prefixes, Q extends z.ZodType, B extends z.ZodType> = {
  method: Method;
  /** Below the surface's base path, with the names of `params` in braces. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  description?: string;
  /** The kind of each id in the path. An ill-formed id answers 404, as an unknown id does. */
  params?: P;
  /** A strict object; without it, the operation takes no query parameter. */
  query?: Q;
  /** A strict object; without it, the operation takes no body. */
  body?: B;
  /** An example body for the documentation, if the required fields alone are no good example. */
  example?: z.input<B>;
  /** A missing body counts as `{}`. */
  bodyOptional?: true;
  /** The body of a success, by status. Null: no body, or a file of `media`. */
  responses: Record<number, z.ZodType | null>;
  /** Default: JSON. */
  media?: MediaType;
  /** Errors of this operation, in addition to those of all operations of its kind. */
  errors?: readonly ErrorCode[];
  /** Keys with one of these scopes may call the operation. Default: the scope of the surface. */
  scopes?: readonly ApiKeyScope[];
  /** 404 in a live Organization. */
  sandboxOnly?: true;
  /** A read with an entry in the audit log. Each change has one. */
  audited?: true;
  /**
   * The answer has the operation's own headers, including `ETag`. A GET is answered with 304 if the client has this
   * ETag.
   */
  handle(ctx: Context, request: Request<Ids<P>, z.output<Q>, z.output<B>>): Promise<Answer>;
};

/** One operation of a surface. The router, the checks and the OpenAPI document are made from endpoints. */
export type Endpoint = {
  method: Method;
  path: string;
  operationId: string;
  summary: string;
  description: string | null;
  params: Prefixes;
  query: z.ZodType | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  example: unknown;
  responses: Record<number, z.ZodType | null>;
  media: MediaType;
  errors: readonly ErrorCode[];
  scopes: readonly ApiKeyScope[] | null;
  sandboxOnly: boolean;
  audited: boolean;
  handle(ctx: Context, request: Request<Record<string, string>, unknown, unknown>): Promise<Answer>;
};

/** Whether the rows of the answer may be a few seconds old: a list or figures of the management API. */
export const mayBeStale = ({ method, operationId }: Endpoint, scope: ApiKeyScope | null): boolean =>
  scope === "manage" && method === "GET" && /^(list|getMetrics$|get\w+Report$)/.test(operationId);

export function endpoint<
  const P extends Prefixes = Record<never, never>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(definition: Definition<P, Q, B>): Endpoint {
  const {
    description,
    params,
    query,
    body,
    bodyOptional,
    example,
    media,
    errors,
    scopes,
    sandboxOnly,
    audited,
    handle,
  } = definition;
  return {
    ...definition,
    description: description ?? null,
    params: params ?? {},
    query: query ?? null,
    body: body ?? null,
    bodyOptional: bodyOptional ?? false,
    example,
    media: media ?? "application/json",
    errors: errors ?? [],
    scopes: scopes ?? null,
    sandboxOnly: sandboxOnly ?? false,
    audited: audited ?? false,
    // The pipeline parses params, query and body by this definition before it calls `handle`.
    handle: handle as Endpoint["handle"],
  };
}
