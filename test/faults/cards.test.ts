import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { mishapAt, openWorld, unavailable, type Mishap, type World } from "../support/faults.ts";
import { CARDS } from "../support/story.ts";
import { openSale, openShop, subscribe, type Sale } from "./sources.ts";

const MISHAPS: Record<string, Mishap> = {
  "the process dies before": (_go, die) => die(),
  "the process dies after": async (go, die) => {
    await go();
    return die();
  },
  "the connection breaks at the end of": (go) => go("torn"),
  "the process is not told that it has done": async (go) => {
    await go();
    throw unavailable();
  },
};

const comeDueStatement = sql(
  "test.card_comes_due",
  `UPDATE payment_methods SET due_at = statement_timestamp()
   WHERE organization_id = $1 AND customer_id = $2 AND due_at IS NOT NULL RETURNING id`,
);
const announcedStatement = sql(
  "test.card_announced",
  `SELECT m.expiry_announced AS announced, m.due_at AS "dueAt",
     (SELECT count(*) FROM events e WHERE e.organization_id = m.organization_id AND e.resource_id = m.id
      AND e.type = 'payment_method.expiring') AS events,
     (SELECT count(*) FROM emails l WHERE l.organization_id = m.organization_id AND l.customer_id = m.customer_id
      AND l.kind = 'card_expiring') AS emails
   FROM payment_methods m WHERE m.organization_id = $1 AND m.customer_id = $2`,
);

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

/** Buyers with cards that are to be announced. All of them are in one batch of the sweep. */
async function cardsDue(): Promise<Sale[]> {
  const sales: Sale[] = [];
  for (let n = 0; n < 2; n += 1) {
    const sale = await openSale(world.one, shop, "starter", CARDS.pays);
    await subscribe(world.one, sale);
    sales.push(sale);
  }
  for (const { organizationId, customerId } of sales) {
    const due = await world.one.db.tx((tx) => tx.query(comeDueStatement, [organizationId, customerId]));
    expect(due).toHaveLength(1);
  }
  return sales;
}

const announced = ({ organizationId, customerId }: Sale) =>
  world.one.db.read.query(announcedStatement, [organizationId, customerId]);

test.each(Object.entries(MISHAPS))("an expiry is announced once, though %s any of its steps", async (_, mishap) => {
  for (let [n, reached] = [1, true]; reached; n += 1) {
    const sales = await cardsDue();
    const victim = mishapAt(world.first, n, mishap, (turn) => turn === "write");
    await Promise.race([runOnce(victim.ctx), victim.died]);
    reached = victim.reached();

    await Promise.all([runOnce(world.one), runOnce(world.other)]);
    await runOnce(world.one);
    for (const sale of sales)
      expect([n, await announced(sale)]).toEqual([n, [{ announced: true, dueAt: null, events: 1, emails: 1 }]]);
  }
});

test("two workers at the same cards announce each expiry once", async () => {
  const sales = await cardsDue();
  await Promise.all([runOnce(world.one), runOnce(world.other)]);
  for (const sale of sales) expect(await announced(sale)).toMatchObject([{ announced: true, events: 1, emails: 1 }]);
});
