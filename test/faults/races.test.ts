import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { once, openWorld, settle, surrounded, tally, type World } from "../support/faults.ts";
import { CARDS, endPeriod } from "../support/story.ts";
import {
  askForRefund,
  giveCard,
  openAnother,
  openChange,
  openSale,
  openShop,
  owe,
  oweForDays,
  pay,
  payByHand,
  subscribe,
  subscribeLongAgo,
  upgrade,
  type Sale,
} from "./sources.ts";
import { answered } from "../support/answered.ts";

type Act = (ctx: Context, sale: Sale) => Promise<unknown>;

/** Two acts that compete for the same money, and the allowed ends: lists of items, each paid once. */
type Race = { sells?: "book"; prepare: Act; one: Act; other: Act; ends: readonly (readonly string[])[] };

const sweep: Act = (ctx) => runOnce(ctx);
const renew: Act = async (ctx, sale) => {
  await endPeriod(ctx, sale.organizationId, sale.subscriptionId);
  await runOnce(ctx);
};
const change: Act = (ctx, sale) => upgrade(ctx, sale);
const changeOnPage: Act = (ctx, sale) => pay(ctx, sale);
const subscribed: Act = (ctx, sale) => subscribe(ctx, sale);
const onPage: Act = async (ctx, sale) => {
  await subscribe(ctx, sale);
  await openChange(ctx, sale);
};

const RENEWED = ["checkout paid", "renewal paid"];
const CHANGED = ["checkout paid", "product_change paid"];

const RACES: Record<string, Race> = {
  "two tabs with one page of a plan": {
    prepare: async () => undefined,
    one: pay,
    other: pay,
    ends: [["checkout paid"]],
  },
  "two tabs with one page of a book": {
    sells: "book",
    prepare: async () => undefined,
    one: pay,
    other: pay,
    ends: [["checkout paid"]],
  },
  "two pages of one plan for one buyer": {
    prepare: async () => undefined,
    one: pay,
    other: async (ctx, sale) => pay(ctx, await openAnother(ctx, sale)),
    ends: [["checkout paid"]],
  },
  "two PATCHes": {
    prepare: subscribed,
    one: change,
    other: (ctx, sale) => upgrade(ctx, sale, "max", "other"),
    ends: [CHANGED, [...CHANGED, "product_change paid"], [...CHANGED, "product_change settled"]],
  },
  "a PATCH and a page that changes the same": {
    prepare: onPage,
    one: change,
    other: changeOnPage,
    ends: [CHANGED],
  },
  "a PATCH and the end of the period": {
    prepare: subscribed,
    one: change,
    other: renew,
    ends: [RENEWED, [...CHANGED, "renewal paid"]],
  },
  "a renewal that is due and a PATCH": {
    prepare: (ctx, sale) => subscribeLongAgo(ctx, sale),
    one: sweep,
    other: change,
    ends: [RENEWED, [...CHANGED, "renewal paid"]],
  },
  "a page that changes a Subscription and the end of its period": {
    prepare: onPage,
    one: changeOnPage,
    other: renew,
    ends: [RENEWED, [...CHANGED, "renewal paid"]],
  },
  "two workers at a renewal": {
    prepare: (ctx, sale) => subscribeLongAgo(ctx, sale),
    one: sweep,
    other: sweep,
    ends: [RENEWED],
  },
  "two workers at a retry": { prepare: oweForDays, one: sweep, other: sweep, ends: [RENEWED] },
  "two hands": {
    prepare: (ctx, sale) => owe(ctx, sale),
    one: (ctx, sale) => payByHand(ctx, sale),
    other: (ctx, sale) => payByHand(ctx, sale, "other"),
    ends: [RENEWED],
  },
  "a hand and a retry": {
    prepare: oweForDays,
    one: (ctx, sale) => payByHand(ctx, sale),
    other: sweep,
    ends: [RENEWED],
  },
  "a new card and a retry": {
    prepare: oweForDays,
    one: (ctx, sale) => giveCard(ctx, sale),
    other: sweep,
    ends: [RENEWED],
  },
  "a new card and a hand": {
    prepare: (ctx, sale) => owe(ctx, sale),
    one: (ctx, sale) => giveCard(ctx, sale),
    other: (ctx, sale) => payByHand(ctx, sale),
    ends: [RENEWED],
  },
  "two refunds of the whole": {
    sells: "book",
    prepare: (ctx, sale) => pay(ctx, sale),
    one: (ctx, sale) => askForRefund(ctx, sale, 500),
    other: async (ctx, sale) => {
      await askForRefund(ctx, sale, 500, "other");
      await runOnce(ctx);
    },
    ends: [["checkout paid", "refund succeeded"]],
  },
};

/** The same process, held before its transaction or provider call number `n` until `meanwhile` is over. */
function heldUpAt(ctx: Context, n: number, meanwhile: () => Promise<void>): { ctx: Context; reached(): boolean } {
  let steps = 0;
  const held = surrounded(ctx, async (turn, go) => {
    if (turn !== "read" && ++steps === n) await meanwhile();
    return go();
  });
  return { ctx: held, reached: () => steps >= n };
}

/** The act may be refused as any caller may be, but it must not fail. */
async function act(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    const problem = answered(error);
    expect(problem).toBeInstanceOf(AppError);
    expect((problem as AppError).status).toBeLessThan(500);
  });
}

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

describe.each(Object.entries(RACES))(
  "%s: all is paid once",
  (_name, { sells = "starter", prepare, one, other, ends }) => {
    test.each([
      ["one", one, other],
      ["the other", other, one],
    ])("wherever %s of them is held up by the other", async (_who, slow, fast) => {
      for (let [n, reached] = [1, true]; reached; n += 1) {
        const sale = await openSale(world.one, shop, sells, CARDS.pays);
        await prepare(world.one, sale);
        const held = heldUpAt(world.first, n, () => act(fast(world.other, sale)));
        await act(slow(held.ctx, sale));
        reached = held.reached();
        if (!reached) await act(fast(world.other, sale));
        await settle(world, sale);
        const found = await tally(world.one, sale);
        expect([n, ends.map(once)]).toEqual([n, expect.arrayContaining([found])]);
      }
    });
  },
);
