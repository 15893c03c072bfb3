import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { once, openWorld, settle, surrounded, tally, unavailable, type Go, type World } from "../support/faults.ts";
import { KILLED } from "../support/processes.ts";
import { CARDS } from "../support/story.ts";
import { openShop, sell, SOURCES } from "./sources.ts";

/** What happens at a step, which is a transaction or a call of the provider: between two of them nothing is done. */
const MISHAPS: Record<string, (go: Go, die: () => Promise<never>) => Promise<unknown>> = {
  "the process dies before": (_go, die) => die(),
  "the process fails at": async () => {
    throw unavailable();
  },
  "the process is not told that it has done": async (go) => {
    await go();
    throw unavailable();
  },
};

/** The same process, with a mishap at its `n`th step. `reached`: whether it got there; `died`: that it is not to be waited for. */
function mishapAt(ctx: Context, n: number, mishap: (typeof MISHAPS)[string]) {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  let [steps, dead] = [0, false];
  const die = () => {
    dead = true;
    resolve();
    return KILLED;
  };
  const wrapped = surrounded(ctx, (turn, go) => {
    if (dead) return KILLED;
    if (turn === "read") return go();
    return ++steps === n ? mishap(go, die) : go();
  });
  return { ctx: wrapped, died, reached: () => steps >= n };
}

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
      const victim = mishapAt(world.first, n, mishap);
      const refused = source.act(victim.ctx, sale).catch((error: unknown) => expect(error).toMatchObject({ code: "unavailable" }));
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
