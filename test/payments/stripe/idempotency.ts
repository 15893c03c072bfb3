import { keyInUse, keyOfAnother } from "./errors.ts";

/** Keys are forgotten after a day. */
const KEPT_FOR = 86_400;

export type Answer = { status: number; body: string; requestId: string };
type Entry = { request: string; endpoint: string; at: number; answer: Answer | null };

/** The answers that Stripe keeps for each Idempotency-Key. `now`: seconds. */
export function createReplay(now: () => number) {
  const entries = new Map<string, Entry>();

  return {
    /**
     * The kept answer to a request, or null if the request is to be carried out. Throws 409 while a request with the
     * key is being carried out, and 400 for another endpoint or other parameters.
     */
    begin(key: string, endpoint: string, request: string): Answer | null {
      const entry = entries.get(key);
      if (entry === undefined || entry.at <= now() - KEPT_FOR) {
        entries.set(key, { request, endpoint, at: now(), answer: null });
        return null;
      }
      if (entry.endpoint !== endpoint) throw keyOfAnother(key, "for the same endpoint");
      if (entry.request !== request) throw keyOfAnother(key, "with the same parameters");
      if (entry.answer === null) throw keyInUse(key);
      return entry.answer;
    },
    /** Keeps the answer. */
    keep(key: string, answer: Answer): void {
      const entry = entries.get(key);
      if (entry !== undefined) entry.answer = answer;
    },
    /** Forgets a request that was not carried out, so that its key can be used again. */
    forget(key: string): void {
      entries.delete(key);
    },
  };
}

export type Replay = ReturnType<typeof createReplay>;
