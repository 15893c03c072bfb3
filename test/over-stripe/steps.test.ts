import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { openShop, sell, SOURCES, type Sale, type Source } from "../faults/sources.ts";
import type { FaultKind } from "../payments/stripe/faults.ts";
import { mishapAt, once, openWorld, settle, tally, type World } from "../support/faults.ts";
import { createOverStripe } from "../support/over-stripe/provider.ts";
import { siteOf } from "../support/over-stripe/site.ts";
import { CARDS } from "../support/story.ts";
import { answered } from "../support/answered.ts";

// A call of the adapter is several requests to Stripe, and several transactions of its own. Each of them goes wrong.

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

const KINDS: Record<string, FaultKind> = {
  "is carried out, but its answer is lost": "after",
  "is carried out, and answered with 500": "500 done",
};

/** The operation as a caller sees it: an error tells the caller to try again. */
const attempt = (source: Source, ctx: Context, sale: Sale) =>
  source.act(ctx, sale).catch((error: unknown) => expect(answered(error)).toBeInstanceOf(AppError));

async function expectOnce(n: number, source: Source, sale: Sale): Promise<void> {
  await settle(world, sale);
  await source.act(world.one, sale);
  await runOnce(world.one);
  expect([n, await tally(world.one, sale)]).toEqual([n, once(source.paid.tally)]);
  expect(await source.look(world.one, sale)).toMatchObject(source.paid.seen);
}

describe.each(Object.entries(SOURCES))("the money of %s is moved once", (_name, source) => {
  test.each(Object.entries(KINDS))("though any request to Stripe %s", async (_kind, kind) => {
    for (let [n, reached] = [1, true]; reached; n += 1) {
      const sale = await sell(world.one, shop, source, CARDS.pays);
      const { stripe } = await siteOf(sale.organizationId);
      let seen = 0;
      const fault = stripe.fault(() => ++seen === n, kind);
      await attempt(source, world.first, sale);
      reached = fault.count() > 0;
      fault.lift();
      await expectOnce(n, source, sale);
    }
  });
});

const KILLED = ["a purchase of a plan", "a renewal", "a refund to the card"];

describe.each(KILLED)("the money of %s is moved once", (name) => {
  test("though the process dies before any transaction, the adapter's own among them", async () => {
    const source = SOURCES[name]!;
    for (let [n, reached] = [1, true]; reached; n += 1) {
      const sale = await sell(world.one, shop, source, CARDS.pays);
      const victim = mishapAt(
        world.first,
        n,
        (_go, die) => die(),
        (turn) => turn === "write",
      );
      const { payments, db } = victim.ctx;
      const process = { ...victim.ctx, payments: { ...payments, sandbox: createOverStripe(db) } };
      await Promise.race([attempt(source, process, sale), victim.died]);
      reached = victim.reached();
      await expectOnce(n, source, sale);
    }
  });
});
