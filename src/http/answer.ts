import type { Site } from "../actions/links.ts";
import { problem, type AppError } from "../errors.ts";
import type { StoredAnswer } from "../store/idempotency.ts";

/**
 * The bytes that answer a request. `secret`: the answer is shown once, so it is not kept for a repeat. `replayed`:
 * the bytes are those of an earlier answer. `file`: makes the bytes that replace the body, unless the client already
 * has them (304).
 */
export type Answer = StoredAnswer & { secret?: boolean; replayed?: boolean; file?: () => Promise<Uint8Array> };

export const NO_CONTENT: Answer = { status: 204, headers: {}, body: "" };
/** The answer to a change that leaves no resource. */
export const noContent: (row: void) => Answer = () => NO_CONTENT;

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: JSON.stringify(body) };
}

/** A refusal as an answer that can be kept for its Idempotency-Key. */
export function refusalAnswer({ config }: Pick<Site, "config">, error: AppError, requestId: string): Answer {
  const body = JSON.stringify(problem(error, `${config.publicOrigin}/docs/errors`, requestId));
  return { status: error.status, headers: { "Content-Type": "application/problem+json" }, body };
}
