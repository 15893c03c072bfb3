import type { Context } from "../../context.ts";
import type { PaymentLink } from "../../domain/model/payment-link.ts";
import { inTransactions } from "../../store/driver/batch-forms.ts";
import { addVisits, type Visits } from "../../store/payment-links.ts";

/** How long a visit waits for others. One process thus writes the row of a link at most once a second. */
const WAIT_MILLISECONDS = 1_000;
/** The most links with visits that wait. A visit to a further link is not counted, so a flood costs no memory. */
const MOST_LINKS = 10_000;

/**
 * Counts the visits to payment links. The counts wait in memory and are written together, so that no visit writes, and
 * a busy link has no row that its visits wait for. A process that is killed loses the visits of the last second.
 */
export class VisitCounter {
  readonly #ctx: Pick<Context, "db" | "log">;
  #waiting = new Map<string, Visits>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(ctx: Pick<Context, "db" | "log">) {
    this.#ctx = ctx;
  }

  count({ organizationId, id }: Pick<PaymentLink, "organizationId" | "id">): void {
    const known = this.#waiting.get(id);
    if (known) known.visits += 1;
    else if (this.#waiting.size < MOST_LINKS) this.#waiting.set(id, { organizationId, id, visits: 1 });
    this.#schedule();
  }

  /** Writes the waiting visits at once, before the server ends. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#write();
  }

  #schedule(): void {
    if (this.#timer !== null || this.#writing !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#write().finally(() => {
        this.#writing = null;
        if (this.#waiting.size > 0) this.#schedule();
      });
    }, WAIT_MILLISECONDS).unref();
  }

  /** If the database can't be asked, the visits are lost. */
  async #write(): Promise<void> {
    const visits = [...this.#waiting.values()];
    if (visits.length === 0) return;
    this.#waiting = new Map();
    try {
      for (const group of inTransactions(this.#ctx.db, visits))
        await this.#ctx.db.tx(async (tx) => addVisits(tx, group));
    } catch (err) {
      this.#ctx.log.debug({ err, links: visits.length }, "visits were not written");
    }
  }
}
