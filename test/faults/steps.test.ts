import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnce } from "../../src/worker/worker.ts";
import { mishapAt, once, openWorld, settle, tally, type World } from "../support/faults.ts";
import { CARDS } from "../support/story.ts";
import { isStep, MISHAPS } from "./mishaps.ts";
import { RESUMES_OF_PAUSES } from "./pauses.ts";
import { openShop, sell, SOURCES } from "./sources.ts";

const COLUMNS = Object.entries({ ...SOURCES, ...RESUMES_OF_PAUSES });

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

describe.each(COLUMNS)("the money of %s is moved once", (_name, source) => {
  test.each(Object.entries(MISHAPS))("though %s any of its steps", async (_mishap, mishap) => {
    for (let [n, reached] = [1, true]; reached; n += 1) {
      const sale = await sell(world.one, shop, source, CARDS.pays);
      const victim = mishapAt(world.first, n, mishap, isStep);
      const refused = source
        .act(victim.ctx, sale)
        .catch((error: unknown) => expect(error).toMatchObject({ code: "unavailable" }));
      await Promise.race([refused, victim.died]);
      reached = victim.reached();

      await settle(world, sale);
      await source.act(world.one, sale);
      await runOnce(world.one);
      expect([n, await tally(world.one, sale)]).toEqual([n, once(source.paid.tally)]);
      expect(await source.look(world.one, sale)).toMatchObject(source.paid.seen);
    }
  });
});
