import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Tx } from "../store/db.ts";
import { sqlState } from "../store/failures.ts";
import * as idempotency from "../store/idempotency.ts";
import type { IdempotencyClaim, StoredAnswer } from "../store/idempotency.ts";

/** Who asks: decided by the API key and the request, never by the body. */
export type Call = { organizationId: string; requestId: string; idempotency: IdempotencyClaim | null };
/**
 * Bytes that answer a request. `secret`: shown once, so not kept for a repeat. `replayed`: these are the bytes of an earlier answer.
 * `file`: makes what is sent instead of the body, for those who don't have it already.
 */
export type Answer = StoredAnswer & { secret?: boolean; replayed?: boolean; file?: () => Promise<Uint8Array> };

const WAIT_MILLISECONDS = 10_000;
const POLL_MILLISECONDS = 100;
const LOCK_NOT_AVAILABLE = "55P03";

/** A JSON answer. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: JSON.stringify(body) };
}

/** 503: a charge may or may not have been made; the same request learns it once the provider says (rule D2). */
export function outcomeUnknown(): AppError {
  const detail =
    "The outcome of the payment is not known yet. Send the request again after `Retry-After` seconds, with the same Idempotency-Key.";
  return new AppError("unavailable", { detail, headers: { "Retry-After": "2" } });
}

class InProgress extends Error {}
class Replay extends Error {
  readonly answer: StoredAnswer;
  constructor(stored: StoredAnswer) {
    super("replay");
    this.answer = stored;
  }
}

async function claim(tx: Tx, wanted: IdempotencyClaim): Promise<void> {
  const result = await idempotency.claim(tx, wanted).catch((error: unknown) => {
    // Its twin is still in its transaction.
    throw sqlState(error) === LOCK_NOT_AVAILABLE ? new InProgress() : error;
  });
  if ("claimed" in result) return;
  if ("replay" in result) throw new Replay(result.replay);
  if ("reused" in result) throw new AppError("idempotency_key_reused");
  if ("withheld" in result) throw new AppError("idempotency_key_used");
  throw new InProgress();
}

/**
 * Runs a change in one transaction together with its Idempotency-Key and stored answer: all of it is kept or none.
 * A twin waits up to 10 s for the first one's answer. What is thrown rolls back and leaves the key free.
 */
export async function commit<T>(
  ctx: Context,
  call: Call,
  work: (tx: Tx) => Promise<Answer | { pending: T }>,
): Promise<Answer | { pending: T }> {
  const wanted = call.idempotency;
  if (!wanted) return ctx.db.tx(work);
  const deadline = performance.now() + WAIT_MILLISECONDS;
  for (;;) {
    try {
      return await ctx.db.tx(async (tx) => {
        await claim(tx, wanted);
        const result = await work(tx);
        if (!("pending" in result)) idempotency.keepAnswer(tx, wanted, result.secret ? null : result);
        return result;
      });
    } catch (error) {
      if (error instanceof Replay) return { ...error.answer, replayed: true };
      if (!(error instanceof InProgress)) throw error;
      if (performance.now() > deadline) throw new AppError("idempotency_in_progress", { headers: { "Retry-After": "1" } });
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }
}

/** `commit` for changes that are done with their transaction. */
export async function commitNow(ctx: Context, call: Call, work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return (await commit<never>(ctx, call, work)) as Answer;
}
