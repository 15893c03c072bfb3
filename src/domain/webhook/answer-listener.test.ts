import { describe, expect, test } from "vitest";
import { instant, SECOND } from "../calendar.ts";
import { planListenerDelivery, type DeliveryAnswer } from "./answer.ts";

const NOW = instant(Date.UTC(2026, 0, 31));
const answered = (status: number): DeliveryAnswer => ({ status, body: "", retryAfter: 60, durationMs: 1 });
const failed = (error: string): DeliveryAnswer => ({ error, durationMs: 1 });
const NOBODY = failed("connection_failed");

/**
 * The plan for an event that came `came` seconds ago, at a listener without a client for `nobodyFor` seconds.
 * `nobodyFor` null: the client is there.
 */
function plan(answer: DeliveryAnswer, { attempts = 0, came = 0, nobodyFor = null as number | null } = {}) {
  const failingSince = nobodyFor === null ? null : instant(NOW - nobodyFor * SECOND);
  const delivery = { attempts, createdAt: instant(NOW - came * SECOND) };
  const planned = planListenerDelivery(
    delivery,
    { failingSince, failedAt: null, pausedUntil: null, recoveredAt: null },
    answer,
    NOW,
  );
  const { status, attemptAt } = planned.delivery;
  return {
    status,
    next: attemptAt && (attemptAt - NOW) / SECOND,
    since: planned.endpoint.failingSince,
    disable: planned.endpoint.disable,
  };
}

describe("the effect of a listener's answer", () => {
  test.each([
    ["2xx", answered(204), 3],
    ["2xx after an absence", answered(200), 0],
  ])("%s is an arrival", (_, answer, attempts) => {
    expect(plan(answer, { attempts, nobodyFor: 20 })).toEqual({
      status: "succeeded",
      next: null,
      since: null,
      disable: null,
    });
  });

  test.each([
    ["500", answered(500)],
    ["410", answered(410)],
    ["429 with Retry-After", answered(429)],
    ["a timeout", failed("timeout")],
    ["no address", failed("dns_failed")],
  ])("%s is tried once more, after 2 seconds, however old it is, and the listener stays", (_, answer) => {
    expect(plan(answer, { came: 1000, nobodyFor: 20 })).toEqual({
      status: "retrying",
      next: 2,
      since: null,
      disable: null,
    });
    expect(plan(answer, { attempts: 1 })).toEqual({ status: "failed", next: null, since: null, disable: null });
  });

  test.each([
    // [came, nobodyFor] in seconds, tried again
    [0, null, true],
    [1000, null, true],
    [1000, 0, true],
    [1000, 28, true],
    [1000, 28.001, false],
    [28, 1000, true],
    [28.001, 1000, false],
    [28, 28, true],
    [30, 30, false],
  ])("no listener there, an event of %f s ago, away for %f s: %s", (came, nobodyFor, again) => {
    for (const attempts of [0, 1, 9]) {
      expect(plan(NOBODY, { attempts, came, nobodyFor })).toEqual({
        status: again ? "retrying" : "failed",
        next: again ? 2 : null,
        since: NOW - (nobodyFor ?? 0) * SECOND,
        disable: null,
      });
    }
  });
});
