import { afterAll, beforeAll, expect, test } from "vitest";
import { runOnce } from "../../src/worker/worker.ts";
import { sql } from "../../src/store/driver/db.ts";
import { mishapAt, once, openWorld, settle, tally, type World } from "../support/faults.ts";
import { CARDS } from "../support/story.ts";
import { lookAtPause, pauseLongAgo } from "./pauses.ts";
import { MISHAPS, isStep } from "./mishaps.ts";
import { openSale, openShop } from "./sources.ts";

const eventsStatement = sql(
  "test.events_of_a_pause",
  `SELECT type, count(*)::int AS times FROM events
   WHERE organization_id = $1 AND resource_id = $2 AND type IN ('subscription.paused', 'subscription.renewed')
   GROUP BY type`,
);
const emailsStatement = sql(
  "test.emails_of_a_pause",
  "SELECT count(*)::int AS times FROM emails WHERE organization_id = $1 AND customer_id = $2 AND kind = 'pause_begun'",
);

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

test.each(Object.entries(MISHAPS))(
  "a pause begins once, without an invoice, though %s any of its steps",
  async (_, mishap) => {
    for (let [n, reached] = [1, true]; reached; n += 1) {
      const sale = await openSale(world.one, shop, "starter", CARDS.pays);
      await pauseLongAgo(world.one, sale);
      const victim = mishapAt(world.first, n, mishap, isStep);
      const refused = runOnce(victim.ctx).catch((error: unknown) =>
        expect(error).toMatchObject({ code: "unavailable" }),
      );
      await Promise.race([refused, victim.died]);
      reached = victim.reached();

      await settle(world, sale);
      await runOnce(world.one);
      const { organizationId, subscriptionId, customerId } = sale;
      const { read } = world.one.db;
      expect([n, await lookAtPause(world.one, sale)]).toMatchObject([
        n,
        { status: "paused", periodNumber: 1, grantsSuspended: true },
      ]);
      expect(await read.query(eventsStatement, [organizationId, subscriptionId])).toEqual([
        { type: "subscription.paused", times: 1 },
      ]);
      expect(await read.query(emailsStatement, [organizationId, customerId])).toEqual([{ times: 1 }]);
      expect(await tally(world.one, sale)).toEqual(once(["checkout paid"]));
    }
  },
);
