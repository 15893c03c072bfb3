import { AppError, RETRY_SOON } from "../errors.ts";

type Usage = { busy: number; waiting: (() => void)[] };

/**
 * Runs at most `atOnce` tasks of one name at once in this process. Further tasks of that name wait before they take a
 * connection: a task that waits for a row's lock would occupy one of the few connections for writes.
 */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #usage = new Map<string, Usage>();

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** @throws AppError `rate_limited` if too many wait already; the error of `work` */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const usage = this.#usage.getOrInsertComputed(name, () => ({ busy: 0, waiting: [] }));
    if (usage.busy < this.#atOnce) usage.busy += 1;
    else if (usage.waiting.length >= this.#mostWaiting) throw new AppError("rate_limited", { headers: RETRY_SOON });
    else await new Promise<void>((resolve) => usage.waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#leave(name, usage);
    }
  }

  /** The task that has waited longest starts at once. */
  #leave(name: string, usage: Usage): void {
    const next = usage.waiting.shift();
    if (next) return next();
    usage.busy -= 1;
    if (usage.busy === 0) this.#usage.delete(name);
  }
}
