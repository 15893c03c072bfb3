import { describe, expect, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { cardReminder, firstCardRequest, requestAfterFree } from "./card-request.ts";
import { nextDue, type Subscription } from "./subscription.ts";

const june = subscriptionWith();

describe("a request for a card (rules V21, V21a)", () => {
  test.each<[days: number | null, now: string, request: string]>([
    [null, "2025-06-10", "2025-06-10"],
    [7, "2025-06-10", "2025-06-24"],
    [30, "2025-06-10", "2025-06-10"],
    [3, "2025-06-29", "2025-06-29"],
  ])("%s days before the end of June, at %s: %s", (days, now, request) => {
    expect(firstCardRequest(june, days, at(now))).toBe(at(request));
  });

  test.each<[request: string, reminder: string | null]>([
    ["2025-06-10", "2025-06-28"],
    ["2025-06-27", "2025-06-28"],
    ["2025-06-28", null],
    ["2025-06-30", null],
  ])("of %s is followed by a reminder: %s", (request, reminder) => {
    expect(cardReminder(june, at(request))).toBe(reminder && at(reminder));
  });

  test.each<[name: string, amount: number, at: string, request: string | null]>([
    ["a paid charge", 3000, "2025-06-10", "2025-07-01"],
    ["no price", 0, "2025-06-10", null],
    ["a period that is over", 3000, "2025-07-01", null],
  ])("comes again with the next period after %s", (_, amount, now, request) => {
    expect(requestAfterFree({ ...june, amount }, at(now))).toBe(request && at(request));
  });

  test.each<[name: string, subscription: Subscription, isDue: boolean]>([
    ["a running Subscription", june, true],
    ["a trial", trialWith(), true],
    ["a planned end", { ...june, cancelAtPeriodEnd: true, cancelAt: june.currentPeriodEnd }, false],
    ["a planned pause", { ...june, pause: { resumesAt: null, access: "keep" } }, false],
    ["a held Subscription", { ...june, imported: { source: "csv", ref: "1", isHeld: true } }, false],
    ["an ended Subscription", { ...june, status: "canceled" }, false],
  ])("is due with another charge ahead: %s", (_, subscription, isDue) => {
    const due = nextDue({ ...subscription, cardRequestAt: at("2025-06-02") });
    expect(due?.kind === "card_request").toBe(isDue);
  });
});
