import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import { startOwnTestApp, type Json } from "../support/app.ts";
import { CARDS } from "../support/story.ts";

const setStatement = sql(
  "test.cards_expire",
  "UPDATE payment_methods SET exp_month = $2, exp_year = $3 WHERE customer_id = $1",
);
const cardStatement = sql(
  "test.cards_migrated",
  `SELECT due_at AT TIME ZONE 'UTC' AS "dueAt", simulated, expiry_announced AS announced FROM payment_methods
   WHERE customer_id = $1`,
);

test("cards of an earlier release are announced like those of the present one", async () => {
  const app = await startOwnTestApp({}, { clock: "2026-06-10T09:00:00Z", timeZone: "Europe/Berlin" });
  onTestFinished(() => app.close());
  const { db } = app.ctx;
  const ok = async (answer: Promise<Json>) => (await answer).body;
  const prices = [{ currency: "usd", amount: 3000 }];
  await ok(app.manage("POST", "/products", { key: "pro", name: "Pro", interval: "year", prices }));
  const buy = async (name: string) => {
    const customer = { email: `${name}@example.com`, externalId: name };
    const { id } = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer }));
    return ok(app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
  };
  const expire = async ({ customerId }: Json, month: number, year: number) =>
    db.tx((tx) => tx.query(setStatement, [customerId, month, year]));
  const [soon, later, over] = [await buy("soon"), await buy("later"), await buy("over")];
  const [odd, far, ending] = [await buy("odd"), await buy("far"), await buy("ending")];
  await ok(app.api("PATCH", `/subscriptions/${ending.subscriptionId}`, { cancelAtPeriodEnd: true }));
  await expire(soon, 6, 2026);
  await expire(later, 9, 2026);
  await expire(over, 5, 2026);
  await expire(far, 12, 9999);
  await expire(odd, 13, 26);
  await db.script(
    "ALTER TABLE payment_methods DROP COLUMN due_at, DROP COLUMN simulated, DROP COLUMN expiry_announced",
  );
  // The column had another name when the migration was written.
  await db.script("ALTER TABLE subscriptions RENAME COLUMN claimed TO customer_named");
  await db.script((await readMigrations()).find(({ name }) => name === "0053-expiring-cards.sql")!.text);
  await db.script("ALTER TABLE subscriptions RENAME COLUMN customer_named TO claimed");
  const cardOf = async ({ customerId }: Json) => (await db.read.query(cardStatement, [customerId]))[0];
  const planned = { dueAt: null, simulated: true, announced: false };
  expect(await cardOf(soon)).toEqual({ ...planned, dueAt: new Date("2026-06-10T09:00:00Z") });
  expect(await cardOf(later)).toEqual({ ...planned, dueAt: new Date("2026-08-31T22:00:00Z") });
  for (const each of [over, far, odd, ending]) expect(await cardOf(each)).toEqual(planned);
  // At its end, the test's server compares the rest with the rules.
  await expire(odd, 5, 2026);
  const next = await ok(app.manage("POST", "/sandbox/clock/advance", { toNextDue: true }));
  expect(next).toMatchObject({ now: "2026-06-10T09:00:00.000Z", done: 1 });
  const { data } = await ok(app.manage("GET", "/events?type=payment_method.expiring"));
  expect(data).toHaveLength(1);
});
