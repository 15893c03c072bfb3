import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { statementsOf } from "../../src/store/driver/script.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import type { TestApp } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const asBeforeStatement = sql(
  "test.quantity_as_before",
  `UPDATE subscriptions SET pending_change = (pending_change::jsonb - 'quantity' - 'unitName')::json
   WHERE pending_change IS NOT NULL`,
);
const pendingStatement = sql(
  "test.quantity_pending",
  "SELECT pending_change::jsonb AS pending FROM subscriptions WHERE pending_change IS NOT NULL",
);

/** Runs the migration that changes rows of before quantities. */
async function runRows({ ctx }: TestApp): Promise<void> {
  const { text } = (await readMigrations()).find(({ name }) => name === "0117-rows-of-before-quantities.sql")!;
  await ctx.db.script(...statementsOf(text));
}

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
});
afterAll(() => story.close());

test("a pending change of an earlier release is one of one unit, and is carried out (rule Q4)", async () => {
  const { app } = story;
  await story.plan("pro", 3000);
  await story.plan("max", 9000);
  const customer = { email: "ada@example.com", externalId: "ada" };
  const { id } = await story.buy({ productKey: "pro", customer }, CARDS.pays);
  await story.change(id, { productKey: "max", prorationBehavior: "next_period" });
  const before = await app.ctx.db.read.query(pendingStatement, []);
  await app.ctx.db.tx((tx) => tx.query(asBeforeStatement));
  await runRows(app);
  expect(await app.ctx.db.read.query(pendingStatement, [])).toEqual(before);
  await story.travel("2025-07-01");
  expect(await story.subscription(id)).toMatchObject({ quantity: 1, unitAmount: 9000, amount: 9000 });
  expect(await story.audit()).toEqual([]);
});

const waitingStatement = sql(
  "test.quantity_waiting",
  `UPDATE changes SET plan = (plan::jsonb #- '{set,pendingChange,quantity}' #- '{set,pendingChange,unitName}'
     #- '{target,quantity}' #- '{target,unitName}')::json
   WHERE plan::jsonb #> '{set,pendingChange}' IS NOT NULL RETURNING id`,
);

test("a change that waits for a card during the update schedules one unit (rules P1, Q4)", async () => {
  const { app } = story;
  const customer = await story.ok(app.api("POST", "/customers", { email: "ben@example.com", externalId: "ben" }));
  const trial = { productKey: "pro", customerId: customer.id, trialEnd: "2025-08-01T09:00:00Z" };
  const { id } = await story.ok(app.manage("POST", "/subscriptions", trial));
  const asked = { productKey: "max", prorationBehavior: "next_period" };
  const answer = await app.api("PATCH", `/subscriptions/${id}`, asked);
  expect(answer).toMatchObject({ status: 402 });
  const { checkoutId } = answer.body;
  await story.ok(app.manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: CARDS.asksBuyer }));
  expect(await app.ctx.db.tx((tx) => tx.query(waitingStatement))).toHaveLength(1);
  await runRows(app);
  await story.answerChallenge(true);
  expect(await story.subscription(id)).toMatchObject({ pendingChange: { quantity: 1, amount: 9000 } });
  await story.travel("2025-08-01");
  expect(await story.subscription(id)).toMatchObject({ quantity: 1, amount: 9000 });
  expect(await story.audit()).toEqual([]);
});
