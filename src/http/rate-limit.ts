type Bucket = { tokens: number; at: number };

const MOST_BUCKETS = 20_000;
/** The seconds after which one more request is certainly possible. */
export const RETRY_SECONDS = 1;

/**
 * A token bucket for each caller: `perSecond` requests a second, and bursts of twice as many. Each process has its own
 * buckets, so several processes together allow a multiple of the rate. The limit protects the server and need not be
 * exact. Times are in milliseconds.
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

  /** The value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11). */
  policy(name: string): string {
    return `"${name}";q=${this.#burst};w=2`;
  }

  /** The number of requests that are left to `caller`. */
  remaining(caller: string, now: number): number {
    const bucket = this.#buckets.get(caller);
    return bucket ? Math.floor(this.#refilled(bucket, now)) : this.#burst;
  }

  /** Uses up one request of the caller. False if no request is left. */
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

  /**
   * Forgets full buckets, since a new bucket is full as well. If few buckets are full, all buckets are forgotten to
   * limit the memory.
   */
  #forgetFull(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (this.#refilled(bucket, now) >= this.#burst) this.#buckets.delete(caller);
    }
    if (this.#buckets.size > MOST_BUCKETS / 2) this.#buckets.clear();
  }
}
