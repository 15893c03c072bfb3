import type { Answered } from "../actions/webhook/answers.ts";
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
/** The queues of an Organization, in turn, and the number of slots that their requests have. */
type Share = { slots: number; queues: Map<string, EndpointQueue> };

/** An endpoint and the work under way for it. */
export class EndpointQueue {
  endpoint: DueEndpoint;
  readonly share: Share;
  readonly claimed: Claimed[] = [];
  /** Answers that are not recorded yet. */
  readonly answered: Answered[] = [];
  /** The ids of claimed deliveries that will not be sent, and are to be given back. */
  readonly returned: string[] = [];
  busy = 0;
  /** The number of requests under way that take longer than a quick answer. These requests go on without a slot. */
  overdue = 0;
  /** The number of failures that are not recorded yet: one of them may disable or pause the endpoint. */
  failures = 0;
  isClaiming = false;
  isRecording = false;
  /** How often sending had to stop, because the endpoint was disabled or asked for a pause. */
  stops = 0;
  /** There may be due deliveries that are not claimed yet. */
  ready = true;
  /** The most requests at the same time. */
  most: number;
  /** The endpoint took too long to answer, or has only failed lately. It gets one slot at a time. */
  slow: boolean;
  /** When the queue last learned from an attempt, by `performance.now()`. */
  #learnedAt = 0;

  constructor(endpoint: DueEndpoint, share: Share) {
    this.endpoint = endpoint;
    this.share = share;
    // A new queue has seen no answers yet. An endpoint that has only failed lately must not get as many slots as an
    // endpoint that answers.
    this.slow = endpoint.failingSince !== null;
    this.most = this.slow ? 1 : FIRST_SLOTS;
  }

  /** The number of deliveries that the queue can take. A slow queue takes one after its last request has ended. */
  get room(): number {
    const { length } = this.claimed;
    if (this.slow) return this.busy + length === 0 ? 1 : 0;
    return length > this.most / 2 ? 0 : this.most * AHEAD - length;
  }

  get isIdle(): boolean {
    const waiting = this.claimed.length + this.answered.length + this.returned.length;
    return waiting + this.busy === 0 && !this.isClaiming && !this.isRecording;
  }

  get canSend(): boolean {
    return this.claimed.length > 0 && this.busy < this.most && this.overdue + this.failures === 0;
  }

  /** Gives back the claimed deliveries that were not sent yet: after the next transaction they are due again. */
  giveBack(): void {
    this.returned.push(...this.claimed.splice(0).map(({ due }) => due.id));
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

  /**
   * Whether the queue may be dropped: it has no work, and no delivery is known to be due. A slow queue without work is
   * kept for five minutes.
   */
  isForgotten(now: number): boolean {
    return this.isIdle && !this.ready && (!this.slow || now - this.#learnedAt > REMEMBERED_MILLISECONDS);
  }
}

/**
 * The queues of all endpoints. Organizations take turns, and the endpoints of one Organization take turns: ten thousand
 * events for one Organization get no more slots and transactions than ten events for another (rule W9a). A queue that
 * was chosen goes to the end of its Organization's queues, and its Organization goes to the end of the Organizations.
 */
export class EndpointQueues {
  readonly #shares = new Map<string, Share>();

  *[Symbol.iterator](): Generator<EndpointQueue> {
    for (const { queues } of this.#shares.values()) yield* queues.values();
  }

  find({ organizationId, id }: Pick<DueEndpoint, "organizationId" | "id">): EndpointQueue | undefined {
    return this.#shares.get(organizationId)?.queues.get(id);
  }

  /**
   * Records that an endpoint has due deliveries. The stored endpoint is replaced, since the endpoint may have been
   * changed since the last call.
   */
  note(endpoint: DueEndpoint): void {
    const { organizationId, id } = endpoint;
    const share = this.#shares.getOrInsertComputed(organizationId, () => ({ slots: 0, queues: new Map() }));
    const queue = share.queues.getOrInsertComputed(id, () => new EndpointQueue(endpoint, share));
    Object.assign(queue, { endpoint, ready: true });
  }

  /** Drops the queues without work. */
  forget(now = performance.now()): void {
    for (const [organizationId, { queues }] of this.#shares) {
      for (const [id, queue] of queues) if (queue.isForgotten(now)) queues.delete(id);
      if (queues.size === 0) this.#shares.delete(organizationId);
    }
  }

  /** The next queue in turn that `suits`; null if there is no such queue. */
  next(suits: (queue: EndpointQueue) => boolean): EndpointQueue | null {
    for (const [organizationId, share] of this.#shares) {
      for (const [id, queue] of share.queues) {
        if (!suits(queue)) continue;
        share.queues.delete(id);
        share.queues.set(id, queue);
        this.#shares.delete(organizationId);
        this.#shares.set(organizationId, share);
        return queue;
      }
    }
    return null;
  }
}
