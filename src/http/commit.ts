import type { Begun, Origin } from "../actions/origin.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../domain/refusal.ts";
import { AppError, RETRY_SOON } from "../errors.ts";
import type { Tx } from "../store/driver/db.ts";
import { sqlState } from "../store/driver/failures.ts";
import * as idempotency from "../store/idempotency.ts";
import type { IdempotencyClaim, StoredAnswer } from "../store/idempotency.ts";
import { refusalAnswer, type Answer } from "./answer.ts";
import type { Audit } from "./audit.ts";

/**
 * The caller and the request. The Organization is that of the API key, and a body can't change it. On a surface without
 * API keys, the body names the Organization of the license key (`Licensed`).
 */
export type Call = {
  organizationId: string;
  requestId: string;
  idempotency: IdempotencyClaim | null;
  /** The entry of this request in the audit log; null: the request makes no entry. */
  audit: Audit | null;
};

const WAIT_MILLISECONDS = 10_000;
const POLL_MILLISECONDS = 100;
const LOCK_NOT_AVAILABLE = "55P03";

class InProgress extends Error {}
/** Ends an action at its first transaction, because an earlier request with this Idempotency-Key was answered. */
class Replay extends Error {
  readonly answer: StoredAnswer;
  constructor(stored: StoredAnswer) {
    super("replay");
    this.answer = stored;
  }
}

async function claim(tx: Tx, wanted: IdempotencyClaim): Promise<void> {
  const result = await idempotency.claim(tx, wanted).catch((error: unknown) => {
    // Another request with this key is still in its transaction.
    throw sqlState(error) === LOCK_NOT_AVAILABLE ? new InProgress() : error;
  });
  if ("claimed" in result) return;
  if ("replay" in result) throw new Replay(result.replay);
  if ("reused" in result) throw new AppError("idempotency_key_reused");
  if ("withheld" in result) throw new AppError("idempotency_key_used");
  throw new InProgress();
}

/**
 * Runs `work` in a transaction that has claimed the Idempotency-Key. A second request with this key waits up to 10 s
 * for the answer to the first request.
 * @throws Replay, AppError `idempotency_in_progress`
 */
async function claimed<T>(ctx: Context, wanted: IdempotencyClaim, work: (tx: Tx) => Promise<T>): Promise<T> {
  const deadline = performance.now() + WAIT_MILLISECONDS;
  for (;;) {
    try {
      return await ctx.db.tx(async (tx) => {
        await claim(tx, wanted);
        return work(tx);
      });
    } catch (error) {
      if (!(error instanceof InProgress)) throw error;
      if (performance.now() > deadline) throw new AppError("idempotency_in_progress", { headers: RETRY_SOON });
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }
}

/** One change and the answer to it. */
class Change<Row> {
  readonly #call: Call;
  readonly #present: (row: Row) => Answer;
  #refusal: Refusal | null = null;
  #answer: Answer | null = null;
  #isPending = false;

  constructor(call: Call, present: (row: Row) => Answer) {
    this.#call = call;
    this.#present = present;
  }

  origin(): Origin<Row> {
    const { organizationId, requestId, idempotency: wanted } = this.#call;
    const ref = wanted && { organizationId, key: wanted.key, method: wanted.method, path: wanted.path };
    return {
      organizationId,
      requestId,
      idempotency: ref,
      begin: (ctx, work) => this.#begin(ctx, work),
      transaction: async (ctx, work) => {
        const begun = await this.#begin<never>(ctx, async (tx) => ({ row: await work(tx) }));
        return (begun as { row: Row }).row;
      },
    };
  }

  async #begin<Pending>(ctx: Context, work: (tx: Tx) => Promise<Begun<Row, Pending>>): Promise<Begun<Row, Pending>> {
    const { idempotency: wanted, audit } = this.#call;
    const run = async (tx: Tx) => {
      const begun = await work(tx);
      const given = this.#answerTo(ctx, begun);
      if (audit && !audit.isCommitted && !("refusal" in begun)) audit.write(tx, given);
      if (wanted && given) idempotency.recordAnswer(tx, wanted, given.secret ? null : given);
      return { begun, given };
    };
    const { begun, given } = await (wanted ? claimed(ctx, wanted, run) : ctx.db.tx(run));
    if (audit && !("refusal" in begun)) audit.isCommitted = true;
    this.#answer = given;
    this.#isPending = "pending" in begun;
    this.#refusal = "refusal" in begun ? begun.refusal : null;
    return begun;
  }

  #answerTo(ctx: Context, begun: Begun<Row, unknown>): Answer | null {
    if ("row" in begun) return this.#present(begun.row);
    return "refusal" in begun ? refusalAnswer(ctx, begun.refusal, this.#call.requestId) : null;
  }

  /** The answer that was stored with the change or with its settlement, else an answer made of `row`. */
  async succeeded(ctx: Context, row: Row): Promise<Answer> {
    return this.#answer ?? (await this.#settled(ctx)) ?? this.#present(row);
  }

  /** @throws `error` if no answer was stored */
  async failed(ctx: Context, error: unknown): Promise<Answer> {
    if (error instanceof Replay) return { ...error.answer, replayed: true };
    if (this.#refusal !== null && error === this.#refusal) return this.#answer!;
    const settled = error instanceof Refusal || error instanceof AppError ? await this.#settled(ctx) : null;
    if (!settled) throw error;
    return settled;
  }

  async #settled({ db }: Context): Promise<Answer | null> {
    const { idempotency: wanted } = this.#call;
    const found = this.#isPending && wanted ? await idempotency.look(db.read, wanted) : null;
    return found && "replay" in found ? found.replay : null;
  }
}

/**
 * Runs a change in one transaction with its Idempotency-Key and its stored answer: all three are committed, or all are
 * rolled back. After an error in the transaction, the Idempotency-Key can be used again. `present` makes the answer
 * from the row at the end of the change.
 */
export async function commit<Row>(
  ctx: Context,
  call: Call,
  act: (origin: Origin<Row>) => Promise<Row>,
  present: (row: Row) => Answer,
): Promise<Answer> {
  const change = new Change(call, present);
  try {
    return await change.succeeded(ctx, await act(change.origin()));
  } catch (error) {
    return change.failed(ctx, error);
  }
}

/** Whether an earlier request had this Idempotency-Key. Takes no lock. */
export async function isRepeat({ db }: Context, { idempotency: wanted }: Call): Promise<boolean> {
  return wanted !== null && (await idempotency.look(db.read, wanted)) !== null;
}

/**
 * A change by a sandbox tool spans several transactions, so its answer is stored after the change and not in the same
 * transaction. A repeated request gets the stored answer. A repeat during the first request finds no stored answer.
 * Such a repeat runs the action again and is refused because of the current state.
 */
export async function remember<Row>(
  ctx: Context,
  { idempotency: wanted }: Call,
  act: () => Promise<Row>,
  present: (row: Row) => Answer,
): Promise<Answer> {
  if (!wanted) return present(await act());
  const before = await idempotency.look(ctx.db.read, wanted);
  if (before && "replay" in before) return { ...before.replay, replayed: true };
  if (before && "reused" in before) throw new AppError("idempotency_key_reused");
  if (before && "withheld" in before) throw new AppError("idempotency_key_used");
  const given = present(await act());
  if (given.status === 202) return given;
  await ctx.db.tx(async (tx) => {
    if ("claimed" in (await idempotency.claim(tx, wanted))) idempotency.recordAnswer(tx, wanted, given);
  });
  return given;
}
