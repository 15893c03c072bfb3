import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const asBeforeStatement = sql(
  "test.change_as_before",
  "UPDATE checkouts SET change = (change::jsonb - 'price')::json WHERE change IS NOT NULL",
);

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
});
afterAll(() => story.close());

test("an open page of an earlier release still moves to the catalogue's price (rule P7)", async () => {
  const { app, ok } = story;
  const { id: productId } = await story.plan("pro", 3000);
  const { id: subscriptionId } = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com" } },
    CARDS.pays,
  );
  await ok(app.manage("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount: 4000 }] }));
  const { id } = await ok(app.api("POST", "/checkouts", { subscriptionId, productKey: "pro" }));
  await app.ctx.db.tx((tx) => tx.query(asBeforeStatement));
  const migration = (await readMigrations()).find(({ name }) => name === "0089-price-of-a-change.sql")!;
  await app.ctx.db.script(migration.text);
  await ok(app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
  expect(await story.subscription(subscriptionId)).toMatchObject({ amount: 4000 });
  expect(await story.audit()).toEqual([]);
});
