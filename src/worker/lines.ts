import type { DueDelivery, DueEndpoint } from "../store/webhook-queue.ts";

/** At once to one endpoint that answers quickly; it begins with two, which double with each quick answer. */
const FIRST_HANDS = 2;
const HANDS_PER_ENDPOINT = 16;
/** Claimed beforehand for each hand, so that a trip to the database brings work for several. */
const AHEAD = 4;
/** Who takes longer to answer, or does not answer at all, gets one hand at a time. */
const SLOW_MILLISECONDS = 2_000;

/** A delivery that is to be sent, and when it was claimed (of `performance.now()`). */
export type Claimed = { due: DueDelivery; at: number };

/** An endpoint, and what is at work for it. */
export class Line {
  endpoint: DueEndpoint;
  readonly claimed: Claimed[] = [];
  busy = 0;
  /** Something may be due that is not claimed yet. */
  ready = true;
  /** Hands at the same time. */
  most = FIRST_HANDS;
  slow = false;

  constructor(endpoint: DueEndpoint) {
    this.endpoint = endpoint;
  }

  get isIdle(): boolean {
    return this.busy === 0 && this.claimed.length === 0;
  }

  /** How many more are to be claimed. */
  get wanted(): number {
    if (!this.ready || this.claimed.length > this.most / 2 || (this.slow && !this.isIdle)) return 0;
    return this.most === 1 ? 1 - this.claimed.length : this.most * AHEAD - this.claimed.length;
  }

  get canSend(): boolean {
    return this.claimed.length > 0 && this.busy < this.most;
  }

  /** Learns from how long an attempt took. */
  learn(milliseconds: number): void {
    this.slow = milliseconds > SLOW_MILLISECONDS;
    this.most = this.slow ? 1 : Math.min(this.most * 2, HANDS_PER_ENDPOINT);
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

  /** Leaves out those that nothing is at work for; whoever is slow is remembered. */
  forget(): void {
    for (const [organizationId, lines] of this.#organizations) {
      for (const [id, line] of lines) if (line.isIdle && !line.ready && !line.slow) lines.delete(id);
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
