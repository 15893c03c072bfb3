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
  /** The API key that calls; null on a surface without. */
  keyId: string | null;
  /** Well-formed ids, by the names in the path. */
  params: Params;
  query: Query;
  body: Body;
  /** To be called with the resource's ETag before it is changed. @throws AppError `precondition_failed` when If-Match names others. */
  match(etag: string): void;
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
  /** The kind of each id in the path: an ill-formed one answers 404, as an unknown one does. */
  params?: P;
  /** A strict object; without it, the operation takes no query parameter. */
  query?: Q;
  /** A strict object; without it, the operation takes no body. */
  body?: B;
  /** A body for the documentation, where one made of the required fields alone would not do. */
  example?: z.input<B>;
  /** No body at all stands for `{}`. */
  bodyOptional?: true;
  /** What success looks like, by status; null: no body, or a file of `media`. */
  responses: Record<number, z.ZodType | null>;
  /** JSON, unless it says otherwise. */
  media?: MediaType;
  /** Errors of this operation beside those that each of its kind has. */
  errors?: readonly ErrorCode[];
  /** Keys with one of these scopes may call it; without it, keys of the surface. */
  scopes?: readonly ApiKeyScope[];
  /** 404 in a live Organization. */
  sandboxOnly?: true;
  /** Headers of its own go into the answer, `ETag` too; GET answers 304 by it. */
  handle(ctx: Context, request: Request<Ids<P>, z.output<Q>, z.output<B>>): Promise<Answer>;
};

/** One operation of a surface: what the router, the checks and the OpenAPI document are made of. */
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
  handle(ctx: Context, request: Request<Record<string, string>, unknown, unknown>): Promise<Answer>;
};

export function endpoint<
  const P extends Prefixes = Record<never, never>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(definition: Definition<P, Q, B>): Endpoint {
  const { description, params, query, body, bodyOptional, example, media, errors, scopes, sandboxOnly, handle } = definition;
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
    // The pipeline parses params, query and body by this very definition before it calls.
    handle: handle as Endpoint["handle"],
  };
}
