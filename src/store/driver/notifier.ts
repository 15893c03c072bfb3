/** A kind of work that waits for a worker until its instant comes. */
export type Queue =
  | "payments"
  | "refunds"
  | "subscriptions"
  | "cards"
  | "checkouts"
  | "products"
  | "benefits"
  | "price-changes"
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

type Subscriber = (queue: Queue) => void;

/**
 * Tells the worker of this process which queue has something due. Correctness does not depend on the notifier: without
 * a call, a worker finds the due row a quarter of a second later.
 */
export class Notifier {
  readonly #subscribers = new Set<Subscriber>();

  wake(queue: Queue): void {
    for (const subscriber of this.#subscribers) subscriber(queue);
  }

  /** Calls `subscriber` for each of these queues, until the returned function is called. */
  subscribe(queues: readonly Queue[], subscriber: Subscriber): () => void {
    const own: Subscriber = (queue) => {
      if (queues.includes(queue)) subscriber(queue);
    };
    this.#subscribers.add(own);
    return () => this.#subscribers.delete(own);
  }
}
