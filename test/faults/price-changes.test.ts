import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProduct, updateProduct } from "../../src/actions/catalogue/products.ts";
import { createCustomer } from "../../src/actions/customer/create-customer.ts";
import { createOrganization } from "../../src/actions/organization/create-organization.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { controlPriceChange } from "../../src/actions/price-change/control.ts";
import { createPriceChange } from "../../src/actions/price-change/create.ts";
import { runPriceChange } from "../../src/actions/price-change/run.ts";
import { createSubscription } from "../../src/actions/subscription/create.ts";
import type { Context } from "../../src/context.ts";
import { DAY, formatInstant, instant } from "../../src/domain/calendar.ts";
import type { Product } from "../../src/domain/model/product.ts";
import { CreateCustomerParams } from "../../src/resources/customer.ts";
import { CreatePriceChangeParams } from "../../src/resources/price-change.ts";
import { CreateProductParams } from "../../src/resources/product.ts";
import { CreateSubscriptionParams } from "../../src/resources/subscription.ts";
import { sql } from "../../src/store/driver/db.ts";
import { billingNow } from "../../src/store/organizations.ts";
import { priceChanges } from "../../src/store/price-changes.ts";
import { mishapAt, openWorld, unavailable, type Mishap, type Turn, type World } from "../support/faults.ts";

const MISHAPS: Record<string, Mishap> = {
  "the process dies before": (_go, die) => die(),
  "the process fails at": async () => {
    throw unavailable();
  },
  "the connection breaks in": (go) => go("torn"),
  "the process is not told that it has done": async (go) => {
    await go();
    throw unavailable();
  },
};
const isStep = (turn: Turn) => turn === "write";
/** Two batches. */
const SUBSCRIPTIONS = 103;

let world: World;
let product: Product;
let rounds = 0;

async function openShop(ctx: Context): Promise<void> {
  const shop = { name: "Shop", mode: "sandbox" } as const;
  const { id: organizationId } = await ctx.db.tx((tx) => createOrganization(tx, shop));
  const asked = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 1000 }] };
  product = await createProduct(ctx, ownOrigin(organizationId), CreateProductParams.parse(asked));
  const startedAt = formatInstant(instant((await billingNow(ctx.db.read, organizationId)) - DAY));
  for (let n = 0; n < SUBSCRIPTIONS; n += 1) {
    const customer = await createCustomer(
      ctx,
      ownOrigin(organizationId),
      CreateCustomerParams.parse({ email: `buyer${n}@example.com` }),
    );
    const params = { customerId: customer.id, productKey: "pro", currency: "usd", startedAt };
    await createSubscription(ctx, ownOrigin(organizationId), CreateSubscriptionParams.parse(params));
  }
}

async function beginRound({ one }: World): Promise<string> {
  rounds += 1;
  const { organizationId, id } = product;
  const prices = [{ currency: "usd", amount: 1000 + rounds }];
  await updateProduct(one, ownOrigin(organizationId), id, { prices });
  const params = CreatePriceChangeParams.parse({ consent: "notice" });
  return (await createPriceChange(one, ownOrigin(organizationId), id, params)).round.id;
}

/** The round as far as one process comes, with a mishap at its step number `n`. Returns whether it came to the step. */
async function runInto(mishap: Mishap, n: number, id: string): Promise<boolean> {
  const victim = mishapAt(world.first, n, mishap, isStep);
  const ran = runPriceChange(victim.ctx, product.organizationId, id, Infinity).catch(() => 0);
  await Promise.race([ran, victim.died]);
  return victim.reached();
}

const recordedStatement = sql(
  "test.prices_recorded",
  `SELECT (SELECT count(*) FROM events WHERE organization_id = $1 AND type = $2) AS events,
     (SELECT count(DISTINCT resource_id) FROM events WHERE organization_id = $1 AND type = $2) AS subscriptions,
     (SELECT count(*) FROM emails WHERE organization_id = $1 AND kind = 'price_change') AS emails,
     (SELECT count(*) FROM price_change_subscriptions WHERE organization_id = $1 AND price_change_id = $3
      AND status = $4) AS rows`,
);
async function look(type: string, id: string, status: string) {
  const [row] = await world.one.db.read.query<{ rows: number }>(recordedStatement, [
    product.organizationId,
    `subscription.${type}`,
    id,
    status,
  ]);
  const round = await priceChanges.find(world.one.db.read, product.organizationId, id);
  return { ...row!, round: round!.status };
}
/** `times`: the number of rounds so far. */
const each = (times: number, emails: number, round: string) => ({
  events: SUBSCRIPTIONS * times,
  subscriptions: SUBSCRIPTIONS,
  emails: SUBSCRIPTIONS * emails,
  rows: SUBSCRIPTIONS,
  round,
});

beforeAll(async () => {
  world = await openWorld();
  await openShop(world.one);
});
afterAll(() => world.close());

describe("each Subscription of a round gets its notice once, and its withdrawal once", () => {
  test.each(Object.entries(MISHAPS))("though %s any of the steps", async (_name, mishap) => {
    const { organizationId } = product;
    for (let [n, reached] = [1, true]; reached; n += 1) {
      const id = await beginRound(world);
      reached = await runInto(mishap, n, id);
      await Promise.all([world.one, world.other].map((ctx) => runPriceChange(ctx, organizationId, id, Infinity)));
      expect([n, await look("price_change_scheduled", id, "scheduled")]).toEqual([
        n,
        each(rounds, rounds, "completed"),
      ]);

      await controlPriceChange(world.one, ownOrigin(organizationId), id, "withdraw");
      await runInto(mishap, n, id);
      await Promise.all([world.one, world.other].map((ctx) => runPriceChange(ctx, organizationId, id, Infinity)));
      expect([n, await look("price_change_withdrawn", id, "withdrawn")]).toEqual([
        n,
        each(rounds, rounds, "withdrawn"),
      ]);
    }
  });
});

test("two processes share a round", async () => {
  const id = await beginRound(world);
  const both = [world.one, world.other].map((ctx) => runPriceChange(ctx, product.organizationId, id, Infinity));
  await Promise.all(both);
  expect(await look("price_change_scheduled", id, "scheduled")).toEqual(each(rounds, rounds, "completed"));
});

const refuseStatement = sql(
  "test.refuse",
  `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
);
const refusesStatement = sql(
  "test.refuses",
  `CREATE TRIGGER refuses BEFORE INSERT OR UPDATE ON price_change_subscriptions FOR EACH ROW
   WHEN (NEW.quantity = 2) EXECUTE FUNCTION refuse()`,
);
const acceptStatement = sql("test.accept", "DROP TRIGGER refuses ON price_change_subscriptions");
const unitsStatement = sql(
  "test.units",
  `UPDATE subscriptions SET quantity = 2, amount = 2 * amount WHERE organization_id = $1 AND id IN (
     SELECT id FROM subscriptions WHERE organization_id = $1 ORDER BY id OFFSET 5 LIMIT 2)`,
);

test("Customers that fail keep no other Customer from the notice, and get theirs later", async () => {
  const { organizationId } = product;
  const { tx } = world.one.db;
  await tx((own) => own.query(unitsStatement, [organizationId]));
  await tx((own) => own.query(refuseStatement));
  await tx((own) => own.query(refusesStatement));
  const id = await beginRound(world);
  for (let n = 1; n <= 2; n += 1) {
    const failed: string[] = [];
    const run = runPriceChange(world.one, organizationId, id, Infinity, (customerId) => failed.push(customerId));
    await expect(run).rejects.toThrow("Customers of this price change have failed.");
    expect([failed.length, new Set(failed).size]).toEqual([4, 2]);
    const { rows, round } = await look("price_change_scheduled", id, "scheduled");
    expect({ rows, round }).toEqual({ rows: SUBSCRIPTIONS - 2, round: "running" });
  }
  await tx((own) => own.query(acceptStatement));
  await runPriceChange(world.one, organizationId, id, Infinity);
  expect(await look("price_change_scheduled", id, "scheduled")).toEqual(each(rounds, rounds, "completed"));
});
