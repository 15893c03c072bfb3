import type { DueDelivery, DueEndpoint } from "../store/webhook-queue.ts";

/**
 * The most requests at once to one quick endpoint. A queue begins with two, and each quick answer doubles the number,
 * up to 16.
 */
const FIRST_SLOTS = 2;
const SLOTS_PER_ENDPOINT = 16;
/** Deliveries claimed beforehand for each slot, so that one trip to the database brings work for several requests. */
const AHEAD = 4;
/** A slow endpoint is remembered for this long. */
const REMEMBERED_MILLISECONDS = 300_000;

/** A delivery to be sent, and the time of its claim by `performance.now()`. */
export type Claimed = { due: DueDelivery; at: number };

/** An endpoint and the work under way for it. */
export class EndpointQueue {
  endpoint: DueEndpoint;
  readonly claimed: Claimed[] = [];
  busy = 0;
  /** The number of requests under way that take longer than a quick answer. These requests go on without a slot. */
  overdue = 0;
  /** When the receiver last asked for a pause, by `performance.now()`. */
  pausedAt = -Infinity;
  /** A claim for this queue is under way. */
  claiming = false;
  /** There may be due deliveries that are not claimed yet. */
  ready = true;
  /** The most requests at the same time. */
  most: number;
  /** The endpoint took too long to answer, or has only failed lately. It gets one slot at a time. */
  slow: boolean;
  /** When the queue last learned from an attempt, by `performance.now()`. */
  #learnedAt = 0;

  constructor(endpoint: DueEndpoint) {
    this.endpoint = endpoint;
    // A new queue has seen no answers yet. An endpoint that has only failed lately must not get as many slots as an
    // endpoint that answers.
    this.slow = endpoint.failingSince !== null;
    this.most = this.slow ? 1 : FIRST_SLOTS;
  }

  get isIdle(): boolean {
    return this.busy === 0 && this.claimed.length === 0 && !this.claiming;
  }

  /**
   * The number of deliveries to claim now. If the Organization's share is used up, a queue without a claimed delivery
   * may still claim one: claims for endpoints that hang must not keep this queue waiting.
   */
  wanted(hasRoom: boolean): number {
    const { length } = this.claimed;
    if (!this.ready || this.claiming || length > this.most / 2 || (this.slow && !this.isIdle)) return 0;
    return this.most === 1 || !hasRoom ? Math.max(1 - length, 0) : this.most * AHEAD - length;
  }

  get canSend(): boolean {
    return this.claimed.length > 0 && this.busy < this.most && this.overdue === 0;
  }

  /**
   * Whether the queue may be dropped: it has no work, and no delivery is known to be due. A slow queue without work is
   * kept for five minutes.
   */
  isForgotten(now: number): boolean {
    return this.isIdle && !this.ready && (!this.slow || now - this.#learnedAt > REMEMBERED_MILLISECONDS);
  }

  /**
   * Adjusts `slow` and `most` after an attempt that has ended, or that takes too long. A quick answer does not count
   * while another attempt still hangs.
   */
  learn(wasQuick: boolean, now = performance.now()): void {
    this.#learnedAt = now;
    this.slow = !wasQuick || this.overdue > 0;
    this.most = this.slow ? 1 : Math.min(this.most * 2, SLOTS_PER_ENDPOINT);
  }
}

/** The number of slots, or of claimed deliveries, that each Organization has now. */
export class Shares {
  readonly #shares = new Map<string, number>();
  total = 0;

  of(organizationId: string): number {
    return this.#shares.get(organizationId) ?? 0;
  }

  add(organizationId: string, count: number): void {
    const share = this.of(organizationId) + count;
    this.total += count;
    if (share === 0) this.#shares.delete(organizationId);
    else this.#shares.set(organizationId, share);
  }
}

/**
 * The queues of all endpoints. Organizations take turns, and the endpoints of one Organization take turns: ten thousand
 * events for one Organization get no more slots and claims than ten events for another. A queue that was chosen goes to
 * the end of its Organization's queues, and its Organization goes to the end of the Organizations.
 */
export class EndpointQueues {
  readonly #organizations = new Map<string, Map<string, EndpointQueue>>();

  *[Symbol.iterator](): Generator<EndpointQueue> {
    for (const queues of this.#organizations.values()) yield* queues.values();
  }

  find({ organizationId, id }: Pick<DueEndpoint, "organizationId" | "id">): EndpointQueue | undefined {
    return this.#organizations.get(organizationId)?.get(id);
  }

  /**
   * Records that an endpoint has due deliveries. The stored endpoint is replaced, since the endpoint may have been
   * changed since the last call.
   */
  note(endpoint: DueEndpoint): void {
    const found = this.find(endpoint);
    if (found) {
      Object.assign(found, { endpoint, ready: true });
      return;
    }
    const { organizationId, id } = endpoint;
    const queues = this.#organizations.get(organizationId) ?? new Map<string, EndpointQueue>();
    this.#organizations.set(organizationId, queues.set(id, new EndpointQueue(endpoint)));
  }

  /** Drops the queues without work. A slow queue without work is kept for five minutes. */
  forget(now = performance.now()): void {
    for (const [organizationId, queues] of this.#organizations) {
      for (const [id, queue] of queues) if (queue.isForgotten(now)) queues.delete(id);
      if (queues.size === 0) this.#organizations.delete(organizationId);
    }
  }

  /** The next queue in turn that `suits`; null if there is no such queue. */
  next(suits: (queue: EndpointQueue) => boolean): EndpointQueue | null {
    for (const [organizationId, queues] of this.#organizations) {
      for (const [id, queue] of queues) {
        if (!suits(queue)) continue;
        queues.delete(id);
        queues.set(id, queue);
        this.#organizations.delete(organizationId);
        this.#organizations.set(organizationId, queues);
        return queue;
      }
    }
    return null;
  }
}
