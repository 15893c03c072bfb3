import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("the units of Subscriptions (rule R9)", () => {
  let story: Story;
  let ada: Json;
  const units = async () => {
    const metrics = await story.ok(story.app.manage("GET", "/metrics?from=2025-06-01&to=2025-07-10&currency=usd"));
    return new Map<string, Json>(metrics.data.map((point: Json) => [point["name"], point]));
  };
  const buy = (name: string, productKey: string, quantity: number) =>
    story.buy({ productKey, quantity, customer: { email: `${name}@example.com`, externalId: name } }, CARDS.pays);

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("team", 1200, { quantity: { minimum: 1, maximum: null } });
    await story.plan("try", 1000, { quantity: { minimum: 1, maximum: null }, group: "try", trialDays: 14 });
    ada = await buy("ada", "team", 3);
  });
  afterAll(() => story.close());

  it("follow purchases, changes, renewals and ends by their days", async () => {
    await story.travel("2025-06-05");
    const ben = await buy("ben", "team", 5);
    await buy("cleo", "try", 7);
    await story.travel("2025-06-10");
    await story.ok(story.app.api("PATCH", `/subscriptions/${ada["id"]}`, { quantity: 4 }));
    const later = { quantity: 2, prorationBehavior: "next_period" };
    await story.ok(story.app.api("PATCH", `/subscriptions/${ada["id"]}`, later));
    await story.travel("2025-06-25");
    await story.ok(story.app.manage("POST", `/subscriptions/${ben["id"]}/cancel-now`, {}));
    await story.travel("2025-07-02");
    const on = await units();
    const found = ["2025-06-01", "2025-06-05", "2025-06-10", "2025-06-20", "2025-06-25", "2025-07-01"].map((day) => {
      const { subscriptions, units: counted } = on.get(day)!;
      return [day, subscriptions.active, counted.active, subscriptions.trialing, counted.trialing];
    });
    expect(found).toEqual([
      ["2025-06-01", 1, 3, 0, 0],
      ["2025-06-05", 2, 8, 1, 7],
      ["2025-06-10", 2, 9, 1, 7],
      ["2025-06-20", 3, 16, 0, 0],
      ["2025-06-25", 2, 11, 0, 0],
      ["2025-07-01", 2, 9, 0, 0],
    ]);
    expect(on.get("2025-07-01")!["mrr"]).toBe(2 * 1200 + 7 * 1000);
  });
});
