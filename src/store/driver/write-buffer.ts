import type pg from "pg";
import { socketOf } from "./internals.ts";
import type { Statement } from "./statement.ts";

export type Sent = Statement & { values: unknown[] };

/** A connection that sends all statements of one turn of the event loop in one write. */
export class Corked {
  protected readonly client: pg.ClientBase;
  #isCorked = false;

  constructor(client: pg.ClientBase) {
    this.client = client;
  }

  query(sent: Sent): Promise<pg.QueryResult> {
    this.cork();
    return this.client.query(sent);
  }

  /** Holds all writes back until this turn of the event loop ends. */
  protected cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const socket = socketOf(this.client);
    socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.flush();
      socket.uncork();
    });
  }

  /** Writes the statements of the turn that are not written yet. */
  protected flush(): void {
    // Each statement was written at once.
  }
}
