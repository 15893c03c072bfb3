import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const asBeforeStatement = sql(
  "test.due_as_before",
  "UPDATE subscriptions SET due_at = LEAST(current_period_end, next_retry_at) WHERE status = 'past_due'",
);

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [3, 10, 20], graceDays: 2 } }));
});
afterAll(() => story.close());

test("the due instants that an earlier release has stored are those of the present rules afterwards", async () => {
  await story.plan("daily", 500, { interval: "day" });
  await story.plan("monthly", 500, { group: "monthly" });
  const customer = { email: "ada@example.com" };
  const { id } = await story.buy({ productKey: "daily", customer }, CARDS.failsLater);
  await story.buy({ productKey: "monthly", customer }, CARDS.failsLater);
  await story.travel("2025-06-04");
  const { ctx } = story.app;
  await ctx.db.tx((tx) => tx.query(asBeforeStatement));
  expect((await story.audit()).filter((line) => line.startsWith("subscription_derived"))).toEqual([
    expect.stringContaining(id),
  ]);
  const migration = (await readMigrations()).find(({ name }) => name === "0029-due-instants-of-suspended.sql")!;
  await ctx.db.script(migration.text);
  expect(await story.audit()).toEqual([]);
});
