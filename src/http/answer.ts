import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Site } from "../actions/links.ts";
import type { Refusal } from "../domain/refusal.ts";
import { problem, type AppError } from "../errors.ts";
import { presentRefusal } from "../resources/refusal.ts";
import type { StoredAnswer } from "../store/idempotency.ts";

/** A file that is sent at the pace of its reader. `bytes`: its size. */
export type LargeFile = { bytes: number; open(): Readable };

/**
 * The bytes that answer a request. `secret`: the answer contains a secret, so it is not stored for a repeated request.
 * `replayed`: the bytes are those of an earlier answer. `file`: makes the file that replaces the body. It is not called
 * if the client already has the file (304).
 */
export type Answer = StoredAnswer & {
  secret?: boolean;
  replayed?: boolean;
  file?: () => Promise<Uint8Array | LargeFile>;
};

export const NO_CONTENT: Answer = { status: 204, headers: {}, body: "" };
/** The answer to a change that leaves no resource. */
export const noContent: (row: void) => Answer = () => NO_CONTENT;

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: JSON.stringify(body) };
}

/** The answer for a resource without a version: its ETag is a hash of its bytes. */
export function hashedAnswer(resource: unknown): Answer {
  const found = answer(200, resource);
  return { ...found, headers: { ETag: `"${hash("sha256", found.body, "base64url")}"` } };
}

const PROBLEM = { "Content-Type": "application/problem+json" };

/** An error as an answer. `docs`: the URL of the page that lists the codes. */
export function problemAnswer(error: AppError, docs: string, requestId: string): Answer {
  const body = JSON.stringify(problem(error, docs, requestId));
  return { status: error.status, headers: { ...error.parts.headers, ...PROBLEM }, body };
}

/** A refusal as an answer without headers of its own, which is stored with an Idempotency-Key. */
export function refusalAnswer({ config }: Pick<Site, "config">, refusal: Refusal, requestId: string): Answer {
  const error = presentRefusal(refusal);
  return { ...problemAnswer(error, `${config.publicOrigin}/docs/errors`, requestId), headers: PROBLEM };
}
