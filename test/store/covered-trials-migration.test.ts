import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import { startStory, type Story } from "../support/story.ts";

const asBeforeStatement = sql(
  "test.trials_as_before",
  `UPDATE subscriptions SET trial_covered = false, access_ends_at = CASE WHEN amount > 0 THEN trial_end END`,
);

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
});
afterAll(() => story.close());

test("trials of an earlier release that go on without a card are known afterwards (rule C2)", async () => {
  const { app, ok } = story;
  await story.plan("pro", 3000, { trialDays: 14, trialCard: "optional" });
  await story.plan("free", 0, { trialDays: 14, trialCard: "optional" });
  const begin = async (name: string, productKey: string) => {
    const checkout = await ok(
      app.api("POST", "/checkouts", { productKey, customer: { email: `${name}@example.com` } }),
    );
    const { subscriptionId } = await ok(app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
    return subscriptionId as string;
  };
  await begin("ends", "pro");
  await begin("free", "free");
  const id = await begin("changes", "pro");
  await story.change(id, { productKey: "free", prorationBehavior: "next_period" });
  const state = sql("test.covered_trials", "SELECT id, trial_covered, access_ends_at FROM subscriptions ORDER BY id");
  const before = await app.ctx.db.read.query(state, []);
  await app.ctx.db.tx((tx) => tx.query(asBeforeStatement));
  const { text } = (await readMigrations()).find(({ name }) => name === "0090-trials-that-go-on.sql")!;
  await app.ctx.db.script(text.slice(text.indexOf("UPDATE subscriptions")));
  expect(await app.ctx.db.read.query(state, [])).toEqual(before);
  expect(await story.audit()).toEqual([]);
});
