import { describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import {
  ada,
  agree,
  bring,
  buy,
  manage,
  MOVED,
  PAID,
  progress,
  raise,
  rows,
  story,
  tell,
} from "../support/price-story.ts";
import { CARDS } from "../support/story.ts";

describe("a price that needs a consent (rules N6, N7)", () => {
  tell();
  let ben: Json;
  let round: string;

  it("15 January: both Customers get notice", async () => {
    ben = await buy("ben");
    await story.travel("2026-01-15");
    await raise(3600);
    await story.news();
    round = await bring({ consent: "required", noticeDays: 20 });
    expect(await story.news()).toEqual(Array(2).fill("subscription.price_change_scheduled"));
    const { data } = await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"));
    expect(data).toMatchObject([{ expiresAt: "2026-02-10T09:00:00.000Z" }]);
  });

  it("20 January: Ben agrees, once", async () => {
    await story.travel("2026-01-20");
    expect([await agree(ben, round), await agree(ben, round), await agree(ben, "pch_other")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await story.news()).toEqual(["subscription.updated"]);
    const consentedAt = "2026-01-20T09:00:00.000Z";
    expect(await story.subscription(ben["id"])).toMatchObject({ priceChange: { consentedAt } });
    expect(await rows(round)).toMatchObject([{ consentedAt: null }, { status: "scheduled", consentedAt }]);
    const { data } = await manage("GET", `/subscriptions/${ben["id"]}/timeline`);
    expect(data.at(-1).text).toBe("The Customer agreed to the new price.");
  });

  it("10 February: Ben pays the new price, and Ada's Subscription ends", async () => {
    await story.travel("2026-02-10");
    const ended = ["subscription.canceled", "benefit_grant.revoked"];
    expect((await story.news()).toSorted()).toEqual([...MOVED, ...ended].toSorted());
    expect(await story.statement()).toEqual([
      "0001 checkout paid 3000",
      "     pro 3000 2026-01-10 → 2026-02-10",
      "0002 renewal paid 3600",
      "     pro 3600 2026-02-10 → 2026-03-10",
    ]);
    expect(await story.subscription(ada["id"])).toMatchObject({
      status: "canceled",
      endedAt: "2026-02-10T09:00:00.000Z",
      cancellationReason: "price_not_accepted",
      priceChange: null,
    });
    expect(await story.access("ada")).toEqual([]);
    expect(await progress(round)).toMatchObject({
      found: 2,
      scheduled: 0,
      applied: 1,
      endedWithoutConsent: 1,
      ended: 0,
    });
    expect(await rows(round, "ended")).toMatchObject([{ subscriptionId: ada["id"], reason: "price_not_accepted" }]);
  });
});

describe("a new price and a pause (rules N5, N6)", () => {
  tell();

  it("10 February: the pause comes in place of the period, and the price waits", async () => {
    await story.travel("2026-01-15");
    await raise(3600);
    await bring({ consent: "required", noticeDays: 0 });
    await manage("POST", `/subscriptions/${ada["id"]}/pause`, { access: "keep" });
    await story.travel("2026-02-11");
    expect(await story.subscription(ada["id"])).toMatchObject({ status: "paused", priceChange: { unitAmount: 3600 } });
    await story.news();
  });

  it("20 February: a resume by the API is refused without the consent", async () => {
    await story.travel("2026-02-20");
    const answer = await story.app.manage("POST", `/subscriptions/${ada["id"]}/resume`);
    expect(answer).toMatchObject({ status: 409, body: { code: "price_not_accepted" } });
    expect(await story.news()).toEqual([]);
  });

  it("21 February: after the consent the resume bills the new price", async () => {
    await story.travel("2026-02-21");
    const { priceChange } = await story.subscription(ada["id"]);
    expect(await agree(ada, priceChange.id)).toBe(true);
    await manage("POST", `/subscriptions/${ada["id"]}/resume`);
    await story.settle();
    expect(await story.news()).toEqual([
      "subscription.updated",
      "subscription.price_change_applied",
      "subscription.resumed",
      "invoice.created",
      ...PAID,
    ]);
    expect(await story.statement()).toEqual(["0002 renewal paid 3600", "     pro 3600 2026-02-21 → 2026-03-21"]);
  });

  it("1 April: without the consent a planned resume is the end", async () => {
    await story.travel("2026-02-22");
    await raise(4000);
    await bring({ consent: "required", noticeDays: 0 });
    const pause = { access: "revoke", resumesAt: "2026-04-01T09:00:00Z" };
    await manage("POST", `/subscriptions/${ada["id"]}/pause`, pause);
    await story.travel("2026-03-25T09:00:00Z");
    await story.news();
    await story.travel("2026-04-02");
    expect(await story.newsAndNotices()).toEqual(["subscription.canceled"]);
    expect(await story.subscription(ada["id"])).toMatchObject({ cancellationReason: "price_not_accepted" });
  });
});

describe.each(["notice", "required"])("a new price, and a time without access (rules D8d, N5): %s", (consent) => {
  tell();

  it("10 February: the renewal fails at the present price, and the access ends", async () => {
    await manage("PATCH", "/organization", { dunning: { retryDays: [3, 60], graceDays: 2 } });
    await story.newCard(ada["customerId"], CARDS.failsLater);
    await story.travel("2026-01-15");
    await raise(3600);
    await bring({ consent, noticeDays: 30 });
    await story.travel("2026-02-20");
    expect(await story.subscription(ada["id"])).toMatchObject({
      status: "past_due",
      amount: 3000,
      priceChange: { effectiveAt: "2026-03-10T09:00:00.000Z" },
    });
    expect(await story.access("ada")).toEqual([]);
    await story.news();
    await story.statement();
  });

  it("20 March: a new card pays, and the restarted period has the new price or does not begin", async () => {
    await story.travel("2026-03-20");
    expect(await story.news()).toEqual([]);
    await story.newCard(ada["customerId"], CARDS.pays);
    const restarted = [
      "subscription.price_change_applied",
      "subscription.recovered",
      "subscription.renewed",
      "invoice.created",
      "benefit_grant.granted",
      ...PAID,
    ];
    const ended = ["subscription.canceled"];
    expect(await story.news()).toEqual([...PAID, ...(consent === "notice" ? restarted : ended)]);
    const renewal = "0002 renewal paid 3000";
    const restart = ["0003 renewal paid 3600", "     pro 3600 2026-03-20 → 2026-04-20"];
    expect(await story.statement()).toEqual([renewal, ...(consent === "notice" ? restart : [])]);
    expect(await story.subscription(ada["id"])).toMatchObject(
      consent === "notice"
        ? { status: "active", amount: 3600, priceChange: null }
        : { status: "canceled", cancellationReason: "price_not_accepted" },
    );
  });
});
