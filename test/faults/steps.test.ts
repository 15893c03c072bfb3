import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnce } from "../../src/worker/worker.ts";
import {
  mishapAt,
  once,
  openWorld,
  settle,
  tally,
  unavailable,
  type Mishap,
  type Turn,
  type World,
} from "../support/faults.ts";
import { CARDS } from "../support/story.ts";
import { openShop, sell, SOURCES } from "./sources.ts";

const MISHAPS: Record<string, Mishap> = {
  "the process dies before": (_go, die) => die(),
  "the process fails at": async () => {
    throw unavailable();
  },
  "the process is not told that it has done": async (go) => {
    await go();
    throw unavailable();
  },
};

/** Every step that leaves a trace: a transaction, or a call of the provider. */
const isStep = (turn: Turn) => turn !== "read";

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

describe.each(Object.entries(SOURCES))("the money of %s is moved once", (_name, source) => {
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
