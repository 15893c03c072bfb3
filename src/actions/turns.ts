import { AppError } from "../errors.ts";

type Line = { busy: number; waiting: (() => void)[] };

/**
 * Runs at most `atOnce` works of one name at once in this process. Further works of that name wait in line before
 * they take a connection: a work that waits for a row's lock would keep one of the few connections for writes.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #lines = new Map<string, Line>();

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** @throws AppError `rate_limited` if too many wait already; the error of `work` */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.getOrInsertComputed(name, () => ({ busy: 0, waiting: [] }));
    if (line.busy < this.#atOnce) line.busy += 1;
    else if (line.waiting.length >= this.#mostWaiting) throw new AppError("rate_limited", { headers: { "Retry-After": "1" } });
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#leave(name, line);
    }
  }

  /** The longest waiter gets the place at once. */
  #leave(name: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) return next();
    line.busy -= 1;
    if (line.busy === 0) this.#lines.delete(name);
  }
}
