import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DAY, HOUR, instant, MINUTE, SECOND } from "../calendar.ts";
import { MAX_ATTEMPTS, planDelivery, type DeliveryAnswer } from "./answer.ts";
import type { WebhookEndpoint } from "./webhook.ts";

const NOW = instant(Date.UTC(2026, 0, 31));
type Known = Pick<WebhookEndpoint, "failingSince" | "failedAt" | "pausedUntil" | "recoveredAt">;
const WELL: Known = { failingSince: null, failedAt: null, pausedUntil: null, recoveredAt: null };
/** An endpoint that has failed for this long, the last time an hour ago. */
const failingFor = (milliseconds: number): Known => ({
  failingSince: instant(NOW - milliseconds),
  failedAt: instant(NOW - HOUR),
  pausedUntil: null,
  recoveredAt: null,
});
const answered = (status: number, retryAfter: number | null = null): DeliveryAnswer => ({
  status,
  body: "",
  retryAfter,
  durationMs: 1,
});
const plan = (attempts: number, answer: DeliveryAnswer, random = 0.5, endpoint = WELL) =>
  planDelivery({ attempts, plannedAt: null, brought: 0 }, endpoint, answer, NOW, random);

describe("the effect of an answer", () => {
  test.each([200, 201, 204, 299])("%i is an arrival, and the endpoint is well again", (status) => {
    expect(plan(9, answered(status), 0.5, failingFor(9 * DAY))).toEqual({
      delivery: { status: "succeeded", attemptAt: null, notBefore: null },
      endpoint: { failingSince: null, failedAt: NOW - HOUR, pausedUntil: null, recoveredAt: NOW, disable: null },
    });
  });

  test.each([
    [0, 5 * SECOND],
    [1, 5 * MINUTE],
    [2, 30 * MINUTE],
    [3, 2 * HOUR],
    [4, 5 * HOUR],
    [5, 10 * HOUR],
    [6, 14 * HOUR],
    [7, 20 * HOUR],
    [8, 20 * HOUR],
  ])("after %i attempts and one that failed the next is %i ms away", (attempts, delay) => {
    for (const answer of [answered(301), answered(404), answered(500), { error: "timeout", durationMs: 15_000 }]) {
      expect(plan(attempts, answer)).toEqual({
        delivery: { status: "retrying", attemptAt: NOW + delay, notBefore: null },
        endpoint: { failingSince: NOW, failedAt: NOW, pausedUntil: null, recoveredAt: null, disable: null },
      });
    }
  });

  it("is the end after the tenth attempt", () => {
    expect(MAX_ATTEMPTS).toBe(10);
    expect(plan(9, answered(500))).toMatchObject({
      delivery: { status: "failed", attemptAt: null },
      endpoint: { disable: null },
    });
  });

  it("is jittered by a fifth at most, and by Retry-After it comes later, never sooner, by a day at most", () => {
    const input = {
      attempts: fc.integer({ min: 0, max: 8 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    };
    const run = fc.record({ ...input, retryAfter: fc.option(fc.integer({ min: 0, max: 999_999_999 })) });
    fc.assert(
      fc.property(run, ({ attempts, random, retryAfter }) => {
        const delayOf = (answer: DeliveryAnswer, dice: number) =>
          plan(attempts, answer, dice).delivery.attemptAt! - NOW;
        const [own, middle] = [delayOf(answered(503), random), delayOf(answered(503), 0.5)];
        expect(Math.abs(own - middle)).toBeLessThanOrEqual(middle / 5 + 1);
        expect(delayOf(answered(503, retryAfter), random)).toBe(
          Math.max(own, Math.min((retryAfter ?? 0) * SECOND, DAY)),
        );
      }),
    );
  });

  it("ends the endpoint with 410, however new it is", () => {
    expect(plan(0, answered(410))).toEqual({
      delivery: { status: "failed", attemptAt: null, notBefore: null },
      endpoint: { failingSince: NOW, failedAt: NOW, pausedUntil: null, recoveredAt: null, disable: "gone" },
    });
  });

  it("ends the endpoint once it has failed for five days, and not before", () => {
    const since = (milliseconds: number) => plan(1, answered(500), 0.5, failingFor(milliseconds));
    expect(since(5 * DAY - 1)).toMatchObject({
      delivery: { status: "retrying" },
      endpoint: { failingSince: NOW - 5 * DAY + 1, failedAt: NOW, disable: null },
    });
    expect(since(5 * DAY)).toMatchObject({ delivery: { status: "failed" }, endpoint: { disable: "failing" } });
  });

  test.each([
    ["a day of Retry-After and some", DAY + HOUR, { failingSince: NOW - 60 * DAY, disable: "failing" }],
    ["just under two days", 2 * DAY - 1, { failingSince: NOW - 60 * DAY, disable: "failing" }],
    ["two days", 2 * DAY, { failingSince: NOW, disable: null }],
    ["two months", 60 * DAY, { failingSince: NOW, disable: null }],
  ])("after a quiet time of %s earlier failures count, or not", (_, quiet, endpoint) => {
    const known = {
      failingSince: instant(NOW - 60 * DAY),
      failedAt: instant(NOW - quiet),
      pausedUntil: null,
      recoveredAt: null,
    };
    expect(plan(0, answered(500), 0.5, known).endpoint).toEqual({
      ...endpoint,
      failedAt: NOW,
      pausedUntil: null,
      recoveredAt: null,
    });
  });

  it("notes the last failure to the minute, so that a storm of them does not write as often", () => {
    const after = (milliseconds: number) =>
      plan(0, answered(500), 0.5, { ...WELL, failingSince: NOW, failedAt: instant(NOW - milliseconds) }).endpoint
        .failedAt;
    expect([after(MINUTE - 1), after(MINUTE)]).toEqual([NOW - MINUTE + 1, NOW]);
  });
});

describe("a pause", () => {
  const until = (answer: DeliveryAnswer) => plan(0, answer).endpoint.pausedUntil;

  it("is asked for by 429 and 503 with Retry-After, for an hour at most", () => {
    expect([until(answered(429, 30)), until(answered(503, 30)), until(answered(503, 86_400))]).toEqual([
      NOW + 30 * SECOND,
      NOW + 30 * SECOND,
      NOW + HOUR,
    ]);
    expect(plan(0, answered(429, 86_400)).delivery).toMatchObject({ attemptAt: NOW + DAY, notBefore: NOW + DAY });
  });

  it("is as long as the longest that was asked for", () => {
    const paused = { ...WELL, pausedUntil: instant(NOW + 30 * MINUTE) };
    expect(plan(0, answered(429, 1), 0.5, paused).endpoint.pausedUntil).toBe(NOW + 30 * MINUTE);
  });

  it("is not asked for by less", () => {
    for (const answer of [answered(429), answered(503, 0), answered(500, 30), answered(200, 30)])
      expect(until(answer)).toBeNull();
  });
});

test("an outage is over with the first arrival after a minute of failures alone", () => {
  const recovered = (milliseconds: number) =>
    plan(0, answered(200), 0.5, failingFor(milliseconds)).endpoint.recoveredAt;
  expect([recovered(MINUTE), recovered(MINUTE - 1)]).toEqual([NOW, null]);
  expect(plan(0, answered(200), 0.5, { ...WELL, recoveredAt: instant(NOW - DAY) }).endpoint.recoveredAt).toBe(
    NOW - DAY,
  );
});

describe("an event that was brought forward, and failed again", () => {
  const again = (attempts: number, plannedAt: number, answer = answered(500), brought = 1) =>
    planDelivery({ attempts, plannedAt: instant(plannedAt), brought }, WELL, answer, NOW, 0.5).delivery;

  it("comes when it was to come, or later where the receiver asks for that", () => {
    expect(again(2, NOW + HOUR)).toMatchObject({ status: "retrying", attemptAt: NOW + HOUR });
    expect(again(2, NOW + HOUR, answered(500, 7200))).toMatchObject({ attemptAt: NOW + 2 * HOUR });
  });

  it("is tried as often as it would have been", () => {
    expect(again(2, NOW - 1)).toMatchObject({ attemptAt: NOW + 5 * MINUTE });
    expect(again(9, NOW - 1)).toMatchObject({ status: "retrying", attemptAt: NOW + 20 * HOUR });
    expect(again(10, NOW - 1)).toMatchObject({ status: "failed" });
    expect([again(11, NOW - 1, answered(500), 3).status, again(12, NOW - 1, answered(500), 3).status]).toEqual([
      "retrying",
      "failed",
    ]);
  });
});
