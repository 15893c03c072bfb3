import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteBenefit } from "../../src/actions/catalogue/delete-benefit.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { updateProduct } from "../../src/actions/catalogue/products.ts";
import { sweepCustomers } from "../../src/actions/due.ts";
import { syncBenefit } from "../../src/actions/catalogue/sync-benefit.ts";
import { syncProduct } from "../../src/actions/catalogue/sync-product.ts";
import type { Context } from "../../src/context.ts";
import { MINUTE } from "../../src/domain/calendar.ts";
import type { Database, Tx } from "../../src/store/driver/db.ts";
import { SWEEPS } from "../../src/worker/schedule.ts";
import { caller, type Json } from "../support/app.ts";
import { lockWaiters } from "../support/locks.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

const fail = (key: string, error: unknown): never => {
  throw new Error(`due work of ${key} failed`, { cause: error });
};

const HOLDS_PRODUCT = /JOIN products\b.* FOR SHARE OF x$/s;
const HOLDS_BENEFIT = /FROM benefits\b.* FOR SHARE$/s;
const MOVES_CURSOR = /UPDATE benefits SET sync_cursor/;

let story: Story;
let org: string;
let made = 0;
const origin = <Row>() => ownOrigin<Row>(org);
const newBenefit = async () => {
  const key = `benefit-${(made += 1)}`;
  return (await story.ok(story.app.manage("POST", "/benefits", { key, type: "feature", name: key }))).id as string;
};
const newPlan = async (benefitIds: string[]) => story.plan(`plan-${(made += 1)}`, 1000, { group: null, benefitIds });
const newBuyer = () => ({ email: `buyer-${(made += 1)}@example.com`, externalId: `buyer-${made}` });
const edit = (id: string, name = "Edited") => story.ok(story.app.manage("PATCH", `/benefits/${id}`, { name }));
const include = (product: Json, benefitIds: string[]) =>
  story.ok(story.app.manage("PATCH", `/products/${product.id}`, { benefitIds }));
const included = async ({ id }: Json) => (await story.ok(story.app.manage("GET", `/products/${id}`))).benefitIds;
const active = async (benefitId: string) =>
  (await story.ok(story.app.manage("GET", `/benefit-grants?benefitId=${benefitId}&status=active`))).data as Json[];

beforeAll(async () => {
  story = await startStory({});
  org = story.app.organization.id;
});
afterAll(() => story.close());

/**
 * `one` stops after its first statement that matches `at`, until `other` is over or waits for it. Returns the number
 * of transactions that were begun anew: 0 if both lock in one order, because then there is no deadlock.
 */
async function race(
  at: RegExp,
  one: (ctx: Context) => Promise<unknown>,
  other: (ctx: Context) => Promise<unknown>,
): Promise<number> {
  const { ctx } = story.app;
  let anew = 0;
  const counted = (watch: (tx: Tx) => Tx): Context => {
    const tx: Database["tx"] = (work) => {
      let runs = 0;
      return ctx.db.tx((open) => {
        anew += runs++ > 0 ? 1 : 0;
        return work(watch(open));
      });
    };
    return { ...ctx, db: { ...ctx.db, tx } };
  };
  let racing: Promise<unknown> | undefined;
  const meanwhile = async () => {
    let over = false;
    racing = other(counted((tx) => tx)).finally(() => void (over = true));
    await until(async () => over || (await lockWaiters(ctx.db.read)) > 0);
  };
  const watched = (tx: Tx): Tx => ({
    ...tx,
    async query(statement, values) {
      const rows = await tx.query<never>(statement, values);
      if (at.test(statement.text) && !racing) await meanwhile();
      return rows;
    },
  });
  await one(counted(watched));
  expect(racing).toBeDefined();
  await racing;
  return anew;
}

/** A Customer with two Subscriptions that change at this moment, the first one to the Product with the greater id. */
async function twoChanges(customer: object, small: Json, great: Json): Promise<string> {
  let customerId = "";
  for (const target of [great, small]) {
    const { key } = await newPlan([]);
    const sold = await story.buy({ productKey: key, ...(customerId ? { customerId } : { customer }) }, CARDS.pays);
    customerId = sold.customerId;
    await story.change(sold.id, { productKey: target.key, prorationBehavior: "next_period" });
    await story.endPeriod(sold.id);
  }
  return customerId;
}

describe("no transactions wait in a circle", () => {
  it("where a Benefit is deleted while it is granted", async () => {
    const benefitId = await newBenefit();
    const plan = await newPlan([]);
    for (let n = 0; n < 3; n++) await story.buy({ productKey: plan.key, customer: newBuyer() }, CARDS.pays);
    await include(plan, [benefitId]);
    const anew = await race(
      HOLDS_PRODUCT,
      (ctx) => syncProduct(ctx, org, plan.id, MINUTE),
      (ctx) => deleteBenefit(ctx, origin(), benefitId),
    );
    expect(anew).toBe(0);
    await story.app.runDue();
    expect(await included(plan)).toEqual([]);
    expect(await active(benefitId)).toEqual([]);
  });

  it("where it is deleted while two Products that include it are granted to one Customer", async () => {
    const benefitId = await newBenefit();
    const [small, great] = [await newPlan([benefitId]), await newPlan([benefitId])];
    const customerId = await twoChanges(newBuyer(), small, great);
    const anew = await race(
      HOLDS_PRODUCT,
      async (ctx) => {
        const swept = await sweepCustomers(ctx, [{ organizationId: org, id: customerId }]);
        for (const each of swept) if ("error" in each) fail(each.id, each.error);
      },
      (ctx) => deleteBenefit(ctx, origin(), benefitId),
    );
    expect(anew).toBe(0);
    await story.app.runDue();
    expect([await included(small), await included(great)]).toEqual([[], []]);
    expect(await active(benefitId)).toEqual([]);
  });

  it.each([
    ["before the cursor", HOLDS_PRODUCT],
    ["after it", MOVES_CURSOR],
  ])("where a Product is edited while a buyer with a due change to it tells of its Benefit: %s", async (_when, at) => {
    const [benefitId, more] = [await newBenefit(), await newBenefit()];
    const [has, gets] = [await newPlan([benefitId]), await newPlan([benefitId])];
    const { id, customerId } = await story.buy({ productKey: has.key, customer: newBuyer() }, CARDS.pays);
    await story.change(id, { productKey: gets.key, prorationBehavior: "next_period" });
    await story.endPeriod(id);
    await edit(benefitId);
    const anew = await race(
      at,
      (ctx) => syncBenefit(ctx, org, benefitId, MINUTE),
      (ctx) => updateProduct(ctx, origin(), gets.id, { benefitIds: [benefitId, more] }),
    );
    expect(anew).toBe(0);
    await story.app.runDue();
    expect((await active(more)).map((grant) => grant.customerId)).toEqual([customerId]);
  });

  it("where a Product gets a Benefit that is being deleted, and does not keep it", async () => {
    const benefitId = await newBenefit();
    const [had, gets] = [await newPlan([benefitId]), await newPlan([])];
    const anew = await race(
      HOLDS_BENEFIT,
      (ctx) => updateProduct(ctx, origin(), gets.id, { benefitIds: [benefitId] }),
      (ctx) => deleteBenefit(ctx, origin(), benefitId),
    );
    expect(anew).toBe(0);
    expect([await included(had), await included(gets)]).toEqual([[], []]);
    expect((await story.app.manage("DELETE", `/benefits/${benefitId}`)).status).toBe(404);
    await story.app.runDue();
  });
});

describe.each(["benefits", "products"] as const)("the sweep of edited %s", (name) => {
  const sweep = SWEEPS.find((each) => each.name === name)!;
  const found = async () => (await sweep.find(story.app.ctx)).map(({ key }) => key);
  /** A Benefit or Product of three buyers that was edited. */
  const edited = async (buyers = 3) => {
    const benefitId = await newBenefit();
    const plan = await newPlan(name === "benefits" ? [benefitId] : []);
    for (let n = 0; n < buyers; n++) await story.buy({ productKey: plan.key, customer: newBuyer() }, CARDS.pays);
    if (name === "benefits") await edit(benefitId);
    else await include(plan, [benefitId]);
    return { id: name === "benefits" ? benefitId : (plan.id as string), benefitId };
  };
  const sync = name === "benefits" ? syncBenefit : syncProduct;

  it("goes back to other due work when its time is up, and goes on where it was", async () => {
    const buyers = name === "benefits" ? 3 : 11;
    const { id, benefitId } = await edited(buyers);
    const { ctx } = story.app;
    const steps = [];
    for (let n = 0; n < 5; n++) steps.push(await sync(ctx, org, id, 0));
    expect(steps).toEqual(name === "benefits" ? [1, 1, 2, 0, 0] : [10, 2, 0, 0, 0]);
    expect(await active(benefitId)).toHaveLength(buyers);
  });

  it("answers 0 where somebody else is at it", async () => {
    const { id } = await edited();
    const { ctx } = story.app;
    let others: Promise<number> | undefined;
    const query: Database["read"]["query"] = async (statement, values) => {
      const rows = await ctx.db.read.query<never>(statement, values);
      await (others ??= sync(ctx, org, id, MINUTE));
      return rows;
    };
    const late: Context = { ...ctx, db: { ...ctx.db, read: { kind: "read", query } } };
    expect(await sync(late, org, id, MINUTE)).toBe(0);
    expect(await others).toBe(4);
    await edited();
    const [item] = await sweep.find(ctx);
    expect([await item!.run(fail), await item!.run(fail)]).toEqual([4, 0]);
  });

  it("takes few at a time, of each Organization in turn, and passes over the failed ones", async () => {
    const { app } = story;
    const ids = [];
    for (let n = 0; n < 9; n++) ids.push((await edited(0)).id);
    const other = await app.otherOrganization();
    const manage = caller(`${app.url}/manage/v1`, other.keys.manage);
    const { id: benefitId } = (await manage("POST", "/benefits", { key: "own", type: "feature", name: "Own" })).body;
    const product = { key: "own", name: "Own", interval: "month", prices: [{ currency: "usd", amount: 1000 }] };
    const { id: productId } = (await manage("POST", "/products", product)).body;
    if (name === "benefits") await manage("PATCH", `/benefits/${benefitId}`, { name: "Edited" });
    else await manage("PATCH", `/products/${productId}`, { benefitIds: [benefitId] });
    const own = name === "benefits" ? benefitId : productId;
    expect(await found()).toEqual([ids[0], own, ...ids.slice(1, 7)]);
    const rest = await sweep.find(app.ctx, [ids[0]!, ids[3]!]);
    expect(rest.map(({ key }) => key)).toEqual([ids[1], own, ids[2], ...ids.slice(4, 9)]);
    await app.runDue();
    expect(await found()).toEqual([]);
  });
});
