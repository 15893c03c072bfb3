import { describe, expect, test } from "vitest";
import { instant, SECOND } from "../calendar.ts";
import { applyAnswer } from "./answer.ts";
import { newEndpoint } from "./new-endpoint.ts";
import type { WebhookDelivery, WebhookEndpoint } from "./webhook.ts";

const NOW = instant(Date.UTC(2026, 0, 31));

describe("an answer to rows that have changed since the attempt", () => {
  const CLAIM = instant(NOW + 40 * SECOND);
  const URL = "https://example.com/hook";
  const wanted = { kind: "http", url: URL, description: null, secret: "s", expiresAt: null } as const;
  const endpoint = newEndpoint("org_1", { ...wanted, events: ["*"] }, NOW);
  const disabled = { ...endpoint, status: "disabled", disabledReason: "by_hand", disabledAt: NOW } as const;
  const delivery: WebhookDelivery = {
    organizationId: "org_1",
    id: "whd_1",
    endpointId: endpoint.id,
    eventId: "evt_1",
    eventType: "customer.created",
    resourceId: "cus_1",
    sequence: 1,
    status: "pending",
    repeated: false,
    attempts: 0,
    attemptAt: CLAIM,
    claimed: true,
    notBefore: null,
    plannedAt: null,
    brought: 0,
    responseStatus: null,
    responseBody: null,
    error: null,
    durationMs: null,
    failures: [],
    createdAt: NOW,
    updatedAt: NOW,
  };
  const apply = (
    status: number,
    rows: { delivery?: Partial<WebhookDelivery>; endpoint?: WebhookEndpoint } = {},
    attempt = { attemptAt: CLAIM, url: URL },
  ) =>
    applyAnswer(
      { delivery: { ...delivery, ...rows.delivery }, endpoint: rows.endpoint ?? endpoint },
      attempt,
      { status, body: "", retryAfter: null, durationMs: 1 },
      NOW,
      0.5,
    );
  const otherClaim = { attemptAt: instant(CLAIM - 1), url: URL };
  const otherUrl = { attemptAt: CLAIM, url: "https://example.com/old" };

  test("an arrival counts under a lost claim, at an earlier URL and at a disabled endpoint", () => {
    for (const effect of [apply(204, {}, otherClaim), apply(204, {}, otherUrl), apply(204, { endpoint: disabled })])
      expect(effect).toMatchObject({ delivery: { status: "succeeded", attempts: 1 }, releasesNext: true });
  });

  test("a failure under a lost claim has no effect, and neither has any answer after an arrival", () => {
    const done = { delivery: { status: "succeeded", attemptAt: null } } as const;
    expect([apply(500, {}, otherClaim), apply(500, done), apply(204, done)]).toEqual([null, null, null]);
  });

  test("a failure at an earlier URL does not count: the delivery is due at once, or skipped", () => {
    expect(apply(410, {}, otherUrl)).toEqual({
      delivery: { ...delivery, attemptAt: NOW, claimed: false },
      endpoint,
      releasesNext: false,
    });
    expect(apply(500, { endpoint: disabled }, otherUrl)).toMatchObject({
      delivery: { status: "skipped", attemptAt: null, attempts: 0 },
    });
  });

  test("a failure at an endpoint that was disabled since counts, and no further attempt follows", () => {
    expect(apply(500, { endpoint: disabled })).toMatchObject({
      delivery: { status: "skipped", attemptAt: null, attempts: 1, responseStatus: 500 },
      endpoint: { status: "disabled", disabledReason: "by_hand" },
    });
  });

  test("410 disables an enabled endpoint, and leaves the reason of a disabled one", () => {
    expect(apply(410)).toMatchObject({
      delivery: { status: "failed" },
      endpoint: { status: "disabled", disabledReason: "gone", disabledAt: NOW },
    });
    expect(apply(410, { endpoint: disabled })!.endpoint.disabledReason).toBe("by_hand");
  });

  test("the third failure releases the next event of the resource, and so does an arrival", () => {
    const releases = [0, 1, 2, 3].map((attempts) => apply(500, { delivery: { attempts } })!.releasesNext);
    expect([...releases, apply(200)!.releasesNext]).toEqual([false, false, true, false, true]);
  });

  test("an arrival leaves a healthy endpoint as the same object", () => {
    expect(apply(200)!.endpoint).toBe(endpoint);
  });
});
