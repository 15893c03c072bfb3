import type pg from "pg";
import type { Statement } from "./statement.ts";
import { socketOf } from "./session.ts";

/** Sends all statements of one turn of the event loop in one write. */
export class Corked {
  readonly #client: pg.ClientBase;
  #corked = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  query(query: string | (Statement & { values: unknown[] })): Promise<pg.QueryResult> {
    if (!this.#corked) this.#cork();
    return typeof query === "string" ? this.#client.query(query) : this.#client.query(query);
  }

  #cork(): void {
    this.#corked = true;
    const socket = socketOf(this.#client);
    socket.cork();
    process.nextTick(() => {
      this.#corked = false;
      socket.uncork();
    });
  }
}
