type Bucket = { tokens: number; at: number };

const MOST_BUCKETS = 20_000;
/** Seconds after which one more request is possible at the latest. */
export const RETRY_SECONDS = 1;

/**
 * A token bucket for each caller: so many requests a second, bursts of twice that. In the memory of one process, so several
 * processes allow as many times the rate; a limit protects the server, it is not counted exactly. Times in milliseconds.
 */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  /** `perSecond` 0: no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#burst = perSecond * 2;
  }

  /** What callers are told of it: `RateLimit-Policy`, draft-ietf-httpapi-ratelimit-headers-11. */
  policy(name: string): string {
    return `"${name}";q=${this.#burst};w=2`;
  }

  /** How many requests are left to `caller`. */
  remaining(caller: string, now: number): number {
    const bucket = this.#buckets.get(caller);
    return bucket ? Math.floor(this.#refilled(bucket, now)) : this.#burst;
  }

  /** Takes one request; false when there is none left. */
  take(caller: string, now: number): boolean {
    if (this.#perSecond === 0) return true;
    const bucket = this.#buckets.get(caller) ?? this.#add(caller, now);
    bucket.tokens = this.#refilled(bucket, now);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  #refilled({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#burst, tokens + ((now - at) / 1000) * this.#perSecond);
  }

  #add(caller: string, now: number): Bucket {
    if (this.#buckets.size >= MOST_BUCKETS) this.#forgetFull(now);
    const bucket = { tokens: this.#burst, at: now };
    this.#buckets.set(caller, bucket);
    return bucket;
  }

  /** A full bucket is as good as none. If too few are full, all are dropped rather than memory be without bounds. */
  #forgetFull(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (this.#refilled(bucket, now) >= this.#burst) this.#buckets.delete(caller);
    }
    if (this.#buckets.size > MOST_BUCKETS / 2) this.#buckets.clear();
  }
}
