import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { instant } from "./calendar.ts";
import { liveSecrets, MAX_ATTEMPTS, planDelivery, wants, type DeliveryAnswer, type WebhookEndpoint } from "./webhook.ts";

const NOW = instant(Date.UTC(2026, 0, 31));
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
type Known = Pick<WebhookEndpoint, "failingSince" | "failedAt">;
const WELL: Known = { failingSince: null, failedAt: null };
/** Failing for so long, and asked an hour ago. */
const failingFor = (milliseconds: number): Known => ({ failingSince: instant(NOW - milliseconds), failedAt: instant(NOW - HOUR) });
const answered = (status: number, retryAfter: number | null = null): DeliveryAnswer => ({ status, body: "", retryAfter, durationMs: 1 });
const plan = (attempts: number, answer: DeliveryAnswer, random = 0.5, endpoint = WELL) =>
  planDelivery({ attempts }, endpoint, answer, NOW, random);

describe("what follows from an answer", () => {
  test.each([200, 201, 204, 299])("%i is an arrival, and the endpoint is well again", (status) => {
    expect(plan(9, answered(status), 0.5, failingFor(9 * DAY))).toEqual({
      delivery: { status: "succeeded", attemptAt: null },
      endpoint: { failingSince: null, failedAt: NOW - HOUR, disable: null },
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
        delivery: { status: "retrying", attemptAt: NOW + delay },
        endpoint: { failingSince: NOW, failedAt: NOW, disable: null },
      });
    }
  });

  it("is the end after the tenth attempt", () => {
    expect(MAX_ATTEMPTS).toBe(10);
    expect(plan(9, answered(500))).toMatchObject({ delivery: { status: "failed", attemptAt: null }, endpoint: { disable: null } });
  });

  it("is jittered by a fifth at most, and by Retry-After it comes later, never sooner, by a day at most", () => {
    const input = { attempts: fc.integer({ min: 0, max: 8 }), random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) };
    const run = fc.record({ ...input, retryAfter: fc.option(fc.integer({ min: 0, max: 999_999_999 })) });
    fc.assert(
      fc.property(run, ({ attempts, random, retryAfter }) => {
        const delayOf = (answer: DeliveryAnswer, dice: number) => plan(attempts, answer, dice).delivery.attemptAt! - NOW;
        const [own, middle] = [delayOf(answered(503), random), delayOf(answered(503), 0.5)];
        expect(Math.abs(own - middle)).toBeLessThanOrEqual(middle / 5 + 1);
        expect(delayOf(answered(503, retryAfter), random)).toBe(Math.max(own, Math.min((retryAfter ?? 0) * SECOND, DAY)));
      }),
    );
  });

  it("ends the endpoint with 410, however new it is", () => {
    expect(plan(0, answered(410))).toEqual({
      delivery: { status: "failed", attemptAt: null },
      endpoint: { failingSince: NOW, failedAt: NOW, disable: "gone" },
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
  ])("after a quiet time of %s what failed before counts, or not", (_, quiet, endpoint) => {
    const known = { failingSince: instant(NOW - 60 * DAY), failedAt: instant(NOW - quiet) };
    expect(plan(0, answered(500), 0.5, known).endpoint).toEqual({ ...endpoint, failedAt: NOW });
  });

  it("notes the last failure to the minute, so that a storm of them does not write as often", () => {
    const after = (milliseconds: number) =>
      plan(0, answered(500), 0.5, { failingSince: NOW, failedAt: instant(NOW - milliseconds) }).endpoint.failedAt;
    expect([after(MINUTE - 1), after(MINUTE)]).toEqual([NOW - MINUTE + 1, NOW]);
  });
});

test("an endpoint wants all, or what it names", () => {
  expect(wants({ events: ["*"] }, "invoice.paid")).toBe(true);
  expect(wants({ events: ["invoice.paid", "invoice.voided"] }, "invoice.paid")).toBe(true);
  expect(wants({ events: ["invoice.paid"] }, "invoice.voided")).toBe(false);
});

test("the secret before signs, too, until its time is over", () => {
  const endpoint = { secret: "new", previousSecret: "old", previousSecretUntil: NOW } as WebhookEndpoint;
  expect(liveSecrets(endpoint, instant(NOW - 1))).toEqual(["new", "old"]);
  expect(liveSecrets(endpoint, NOW)).toEqual(["new"]);
  expect(liveSecrets({ ...endpoint, previousSecret: null, previousSecretUntil: null }, NOW)).toEqual(["new"]);
});
