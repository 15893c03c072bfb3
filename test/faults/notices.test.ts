import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { attemptsOf, begin, notify, once, openWorld, settle, surrounded, tally, unavailable, type World } from "../support/faults.ts";
import { letLeasesRunOut } from "../support/processes.ts";
import { CARDS } from "../support/story.ts";
import { giveCard, openAnother, openSale, openShop, pay, payByHand, SOURCES, upgrade, type Sale, type Source } from "./sources.ts";

// The provider's notices have no content of their own: each makes somebody ask what is known of a payment.
let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

async function sell({ sells, prepare, simulated }: Source, card: string): Promise<Sale> {
  const sale = await openSale(world.one, simulated ? await openShop(world.one, true) : shop, sells, card);
  await prepare(world.one, sale);
  return sale;
}

const times = (n: number, make: () => Promise<void>) => Promise.all(Array.from({ length: n }, make));

/** The news that the buyer has answered: how it comes, if it does. `answer` is what the buyer does at the bank. */
const NEWS: Record<string, (sale: Sale, answer: () => Promise<void>) => Promise<void>> = {
  "comes once": async (sale, answer) => {
    await answer();
    await notify(world.one, sale);
  },
  "comes before it happens, and again": async (sale, answer) => {
    await times(2, () => notify(world.one, sale));
    await answer();
    await notify(world.other, sale);
  },
  "comes while it happens": async (sale, answer) => {
    await Promise.all([answer(), times(5, () => notify(world.one, sale))]);
    await notify(world.other, sale);
  },
  "comes five times at once": async (sale, answer) => {
    await answer();
    await Promise.all([times(3, () => notify(world.one, sale)), times(2, () => notify(world.other, sale)), runOnce(world.one)]);
  },
  "comes five times in a row": async (sale, answer) => {
    await answer();
    for (let n = 0; n < 5; n += 1) await notify(n % 2 ? world.one : world.other, sale);
  },
  "comes before older news": async (sale, answer) => {
    let overtaken = (): void => undefined;
    const slow = surrounded(world.first, async (turn, go) => {
      const found = await go();
      if (turn === "ask") await new Promise<void>((resolve) => void (overtaken = resolve));
      return found;
    });
    const late = notify(slow, sale);
    await expect.poll(() => overtaken.name).not.toBe("overtaken");
    await answer();
    await notify(world.one, sale);
    overtaken();
    await late;
  },
  "never comes, and the worker asks": async (_sale, answer) => {
    await answer();
    await letLeasesRunOut(world.one.db);
    await Promise.all([runOnce(world.one), runOnce(world.other)]);
  },
};
