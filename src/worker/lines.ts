import type { DueDelivery, DueEndpoint } from "../store/webhook-queue.ts";

/** At once to one endpoint that answers quickly; it begins with two, which double with each quick answer. */
const FIRST_HANDS = 2;
const HANDS_PER_ENDPOINT = 16;
/** Claimed beforehand for each hand, so that a trip to the database brings work for several. */
const AHEAD = 4;
/** It is remembered for so long who was slow. */
const REMEMBERED_MILLISECONDS = 300_000;

/** A delivery that is to be sent, and when it was claimed (of `performance.now()`). */
export type Claimed = { due: DueDelivery; at: number };

/** An endpoint, and what is at work for it. */
export class Line {
  endpoint: DueEndpoint;
  readonly claimed: Claimed[] = [];
  busy = 0;
  /** Of those, attempts that already take longer than a quick answer does: they go on without a hand. */
  overdue = 0;
  /** When its receiver asked for a pause last, of `performance.now()`. */
  pausedAt = -Infinity;
  /** Somebody claims for it right now. */
  claiming = false;
  /** Something may be due that is not claimed yet. */
  ready = true;
  /** Hands at the same time. */
  most: number;
  /** It took too long to answer: it gets one hand at a time. */
  slow: boolean;
  /** When an attempt ended last, of `performance.now()`. */
  #learnedAt = 0;

  constructor(endpoint: DueEndpoint) {
    this.endpoint = endpoint;
    // Whoever starts anew knows nobody: what has only failed lately is not to have as much as what answers.
    this.slow = endpoint.failingSince !== null;
    this.most = this.slow ? 1 : FIRST_HANDS;
  }

  get isIdle(): boolean {
    return this.busy === 0 && this.claimed.length === 0 && !this.claiming;
  }

  /**
   * How many more are to be claimed. Without room in its Organization's share one to begin with: what was claimed for those that hang is
   * not to keep it waiting.
   */
  wanted(hasRoom: boolean): number {
    const { length } = this.claimed;
    if (!this.ready || this.claiming || length > this.most / 2 || (this.slow && !this.isIdle)) return 0;
    return this.most === 1 || !hasRoom ? Math.max(1 - length, 0) : this.most * AHEAD - length;
  }

  get canSend(): boolean {
    return this.claimed.length > 0 && this.busy < this.most && this.overdue === 0;
  }

  /** Nothing is at work for it, nor will be as far as is known. */
  isForgotten(now: number): boolean {
    return this.isIdle && !this.ready && (!this.slow || now - this.#learnedAt > REMEMBERED_MILLISECONDS);
  }

  /** Learns from an attempt that has ended, or takes too long; a quick one counts for nothing beside one that still hangs. */
  learn(wasQuick: boolean, now = performance.now()): void {
    this.#learnedAt = now;
    this.slow = !wasQuick || this.overdue > 0;
    this.most = this.slow ? 1 : Math.min(this.most * 2, HANDS_PER_ENDPOINT);
  }
}

/** How much of something that is scarce each Organization has. */
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
 * Organizations take turns, and the endpoints of each: ten thousand events for one get no more of what is scarce than ten for another.
 * Whoever was chosen goes to the end of both queues.
 */
export class Lines {
  readonly #organizations = new Map<string, Map<string, Line>>();

  *[Symbol.iterator](): Generator<Line> {
    for (const lines of this.#organizations.values()) yield* lines.values();
  }

  find({ organizationId, id }: Pick<DueEndpoint, "organizationId" | "id">): Line | undefined {
    return this.#organizations.get(organizationId)?.get(id);
  }

  /** Notes that something is due for an endpoint, which may have been changed since. */
  note(endpoint: DueEndpoint): void {
    const found = this.find(endpoint);
    if (found) {
      Object.assign(found, { endpoint, ready: true });
      return;
    }
    const { organizationId, id } = endpoint;
    const lines = this.#organizations.get(organizationId) ?? new Map<string, Line>();
    this.#organizations.set(organizationId, lines.set(id, new Line(endpoint)));
  }

  /** Leaves out those that nothing is at work for; whoever is slow is remembered for some minutes. */
  forget(now = performance.now()): void {
    for (const [organizationId, lines] of this.#organizations) {
      for (const [id, line] of lines) if (line.isForgotten(now)) lines.delete(id);
      if (lines.size === 0) this.#organizations.delete(organizationId);
    }
  }

  /** The next in turn that `suits`; null: none does. */
  next(suits: (line: Line) => boolean): Line | null {
    for (const [organizationId, lines] of this.#organizations) {
      for (const [id, line] of lines) {
        if (!suits(line)) continue;
        lines.delete(id);
        lines.set(id, line);
        this.#organizations.delete(organizationId);
        this.#organizations.set(organizationId, lines);
        return line;
      }
    }
    return null;
  }
}
