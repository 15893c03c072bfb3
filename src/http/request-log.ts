import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import type { ErrorCode } from "../errors.ts";
import { apiRequests, type ApiRequest } from "../store/api-requests.ts";
import { inTransactions } from "../store/driver/batch-forms.ts";
import type { Content, Exchange } from "./exchange.ts";
import { readIds, type RouteMatch } from "./routes.ts";

/** How long a request waits for others before they are written together. */
const WAIT_MILLISECONDS = 250;
/** The most requests of all keys, and of one key, that wait. Further ones are not kept, so a flood costs no memory. */
const MOST_WAITING = 1_000;
const MOST_OF_KEY = 100;
/** The longest Idempotency-Key that is valid. */
const LONGEST_KEY = 255;

/** The code of a stored refusal; null: the answer is no refusal. */
export function codeOf({ status, body }: Content): ErrorCode | null {
  if (status < 400 || typeof body !== "string") return null;
  return (JSON.parse(body) as { code: ErrorCode }).code;
}

/**
 * An Idempotency-Key that may be valid. A request that was refused before the key was read has its key in the log too.
 */
function idempotencyKeyOf({ request }: Exchange): string | null {
  const key = request.headers["idempotency-key"];
  return typeof key === "string" && key.length <= LONGEST_KEY ? key : null;
}

/**
 * Keeps the changes and the refused requests of API keys, so that a request is found by its id. Reads that succeed are
 * not kept. The rows wait in memory and are written together, beside the requests: a process that is killed loses the
 * rows of the last quarter of a second.
 */
export class RequestLog {
  readonly #ctx: Pick<Context, "db" | "log">;
  #waiting: ApiRequest[] = [];
  readonly #ofKey = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(ctx: Pick<Context, "db" | "log">) {
    this.#ctx = ctx;
  }

  /** Records a request that was answered, if it belongs into the log. `code`: the code of a refusal. */
  record(exchange: Exchange, match: RouteMatch, status: number, code: () => ErrorCode | null): void {
    const { key, isChange } = exchange;
    if (key === null || (status < 400 && !isChange) || this.#waiting.length >= MOST_WAITING) return;
    const count = this.#ofKey.get(key.keyId) ?? 0;
    if (count >= MOST_OF_KEY) return;
    this.#ofKey.set(key.keyId, count + 1);
    this.#waiting.push({
      organizationId: key.organization.id,
      id: exchange.requestId,
      at: instant(realNow()),
      keyId: key.keyId,
      method: exchange.request.method ?? "",
      path: match.route.template,
      resourceId: Object.values(readIds(match) ?? {}).at(-1) ?? null,
      status,
      errorCode: status < 400 ? null : (code() ?? "unknown"),
      clientAddress: exchange.clientAddress,
      durationMs: Math.round(performance.now() - exchange.startedAt),
      idempotencyKey: idempotencyKeyOf(exchange),
    });
    this.#schedule();
  }

  /** Writes the waiting requests at once, before the server ends. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#write();
  }

  /** One batch is written at a time, so a database that does not answer costs the memory of two batches. */
  #schedule(): void {
    if (this.#timer !== null || this.#writing !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#write().finally(() => {
        this.#writing = null;
        if (this.#waiting.length > 0) this.#schedule();
      });
    }, WAIT_MILLISECONDS).unref();
  }

  /** If the database can't be asked, the rows are lost. */
  async #write(): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    this.#ofKey.clear();
    try {
      for (const group of inTransactions(this.#ctx.db, rows))
        await this.#ctx.db.tx(async (tx) => apiRequests.insertAll(tx, group));
    } catch (err) {
      this.#ctx.log.debug({ err, requests: rows.length }, "requests were not written");
    }
  }
}
