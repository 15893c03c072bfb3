import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { once, openWorld, settle, surrounded, tally, unavailable, type Go, type Turn, type World } from "../support/faults.ts";
import { KILLED } from "../support/processes.ts";
import { CARDS } from "../support/story.ts";
import { openSale, openShop, SOURCES, type Sale } from "./sources.ts";

class ProviderFailed extends Error {}

/** What happens at a step, each of which is a transaction or a call of the provider. Between two steps nothing is done. */
const MISHAPS: Record<string, (go: Go, turn: Turn, die: () => Promise<never>) => Promise<unknown>> = {
  "the process dies before": (_go, _turn, die) => die(),
  "it fails at": (_go, turn) => fail(turn),
  "it hears nothing of": async (go, turn) => {
    await go();
    return fail(turn);
  },
};

async function fail(turn: Turn): Promise<never> {
  throw turn === "write" ? unavailable() : new ProviderFailed("500 Internal Server Error");
}

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
    return ++steps === n ? mishap(go, turn, die) : go();
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
  const sell = async (): Promise<Sale> => {
    const sale = await openSale(world.one, source.simulated ? await openShop(world.one, true) : shop, source.sells, CARDS.pays);
    await source.prepare(world.one, sale);
    return sale;
  };

  test.each(Object.entries(MISHAPS))("though %s any of its steps", async (_mishap, mishap) => {
    for (let [n, reached] = [1, true]; reached; n += 1) {
      const sale = await sell();
      const victim = mishapAt(world.first, n, mishap);
      const refused = await Promise.race([source.act(victim.ctx, sale).then(() => null, (error: unknown) => error), victim.died]);
      reached = victim.reached();
      if (refused && !(refused instanceof ProviderFailed)) expect(refused).toMatchObject({ status: 503 } satisfies Partial<AppError>);

      await settle(world, sale);
      await source.act(world.one, sale);
      await settle(world, sale);
      expect([n, await tally(world.one, sale)]).toEqual([n, once(source.paid.tally)]);
      expect(await source.look(world.one, sale)).toMatchObject(source.paid.seen);
      if (refused instanceof ProviderFailed) console.log(_name, _mishap, n);
      if (!reached) console.log(_name, _mishap, "steps", n);
    }
  });
});
