/** A kind of work that waits for a worker until its instant comes. */
export type Queue =
  | "payments"
  | "refunds"
  | "subscriptions"
  | "cards"
  | "checkouts"
  | "products"
  | "benefits"
  | "skips"
  | "redeliveries"
  | "sign-ins"
  | "clocks"
  | "fills"
  | "notices"
  | "polls"
  | "forgotten"
  | "provider-books"
  | "metrics"
  | "events"
  | "deliveries"
  | "emails";

type Hear = (queue: Queue) => void;

/**
 * Tells the worker of this process which queue has something due. Correctness does not depend on the bell: without a
 * ring, a worker finds the due row a quarter of a second later.
 */
export class Bell {
  readonly #hearing = new Set<Hear>();

  ring(queue: Queue): void {
    for (const hear of this.#hearing) hear(queue);
  }

  /** Calls `hear` for each of these queues, until the returned function is called. */
  listen(queues: readonly Queue[], hear: Hear): () => void {
    const own: Hear = (queue) => {
      if (queues.includes(queue)) hear(queue);
    };
    this.#hearing.add(own);
    return () => this.#hearing.delete(own);
  }
}
