import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countMetrics } from "../../src/actions/metrics/count.ts";
import { readMetrics, type Asked } from "../../src/actions/metrics/read.ts";
import { netOf, totalsOf } from "../../src/domain/metrics/series.ts";
import { sql } from "../../src/store/driver/db.ts";
import { listMovements, revenueByProduct } from "../../src/store/metric-reads.ts";
import { organizations } from "../../src/store/organizations.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let ada: string;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const { app, ok, plan, buy, travel } = story;
  await plan("pro", 3000);
  await plan("team", 6000);
  await plan("year", 36_500, { interval: "year" });
  await plan("trial", 2000, { trialDays: 14, group: "other" });
  await plan("book", 500, { interval: null });
  await ok(app.manage("PATCH", "/organization", { taxRates: [{ country: "DE", name: "USt", basisPoints: 1900 }] }));
  await ok(app.manage("POST", "/discounts", { code: "HALF", type: "percentage", basisPoints: 5000, duration: "once" }));
  const customer = (name: string) => ({
    email: `${name}@example.com`,
    externalId: name,
    billingAddress: { country: "DE" },
  });
  ada = (await buy({ productKey: "pro", customer: customer("ada"), discountCode: "HALF" }, CARDS.pays)).id;
  const ben = await buy({ productKey: "year", customer: customer("ben") }, CARDS.pays);
  await buy({ productKey: "trial", customer: customer("cleo") }, CARDS.pays);
  await buy({ productKey: "pro", customer: customer("dora") }, CARDS.failsLater);
  await buy({ productKey: "book", customer: customer("ada") }, CARDS.pays);
  await travel("2025-07-10");
  await story.change(ada, { productKey: "team", prorationBehavior: "invoice_now" });
  await ok(app.manage("POST", `/subscriptions/${ben.id}/cancel-now`, {}));
  await travel("2025-07-20");
  await buy({ productKey: "pro", customer: customer("ben") }, CARDS.pays);
  const [dora] = (await ok(app.manage("GET", "/customers?externalId=dora"))).data;
  await story.newCard(dora.id, CARDS.pays);
  const [first] = (await ok(app.manage("GET", `/invoices?subscriptionId=${ada}`))).data.toReversed();
  await ok(app.manage("POST", `/invoices/${first.id}/refunds`, { amount: 595 }));
  await story.settle();
});
afterAll(() => story.close());

const organization = async () => (await organizations.find(story.app.ctx.db.read, story.app.organization.id))!;
const read = async (asked: Asked) => readMetrics(story.app.ctx, await organization(), asked, "usd");

describe("the MRR of a shop (rules R1 to R5)", () => {
  test("by month", async () => {
    const { points, isComplete } = await read({ step: "month", from: "2025-05-01", to: "2025-07-31" });
    expect(isComplete).toBe(true);
    // June: Ada 15.00 (half price, once), Ben 365.00 a year, Cleo 20.00 after her trial, Dora 30.00.
    // July: Ada's price is 30.00, then 60.00. Ben leaves and comes back. Dora is past due for 19 days.
    const shown = points.map(({ name, mrr, subscriptions, movements }) => ({
      name,
      mrr,
      ...subscriptions,
      moved: Object.values(movements).map(({ amount }) => amount),
    }));
    expect(shown).toEqual([
      { name: "2025-05", mrr: 0, trialing: 0, active: 0, past_due: 0, paused: 0, moved: [0, 0, 0, 0, 0, 0, 0] },
      { name: "2025-06", mrr: 9542, trialing: 0, active: 4, past_due: 0, paused: 0, moved: [9542, 0, 0, 0, 0, 0, 0] },
      {
        name: "2025-07",
        mrr: 14_000,
        trialing: 0,
        active: 4,
        past_due: 0,
        paused: 0,
        moved: [0, 3000, 4500, 0, -3042, 0, 0],
      },
    ]);
  });

  test("by day, with the trial and the days past due", async () => {
    const { points, opening } = await read({ step: "day", from: "2025-06-14", to: "2025-07-11" });
    expect(opening).toBe(7542);
    const on = (day: string) => points.find(({ name }) => name === day)!;
    expect(on("2025-06-14").subscriptions).toEqual({ trialing: 1, active: 3, past_due: 0, paused: 0 });
    expect(on("2025-06-15")).toMatchObject({ mrr: 9542, subscriptions: { trialing: 0, active: 4, past_due: 0 } });
    expect(on("2025-07-01")).toMatchObject({ mrr: 11_042, subscriptions: { active: 3, past_due: 1 } });
    expect(on("2025-07-10").movements).toMatchObject({
      expansion: { amount: 3000, subscriptions: 1 },
      churn: { amount: -3042, subscriptions: 1 },
    });
  });

  test("each change leads to its Subscription", async () => {
    const asked = { currency: "usd", first: "2025-07-01", next: "2025-08-01", cursor: null, limit: 10 };
    const id = story.app.organization.id;
    const moved = await listMovements(story.app.ctx.db.read, id, { ...asked, kind: "expansion" });
    expect(moved.map(({ day, subscriptionId, amount }) => [day, subscriptionId, amount])).toEqual([
      ["2025-07-01", ada, 1500],
      ["2025-07-10", ada, 3000],
    ]);
    const after = await listMovements(story.app.ctx.db.read, id, { ...asked, kind: null, cursor: moved[0]! });
    expect(after.map(({ kind }) => kind).sort()).toEqual(["churn", "expansion", "reactivation"]);
  });

  test("is the same after it is counted again from the beginning", async () => {
    const before = await read({ step: "day", from: "2025-06-01", to: "2025-07-31" });
    const { db } = story.app.ctx;
    await db.tx(async (tx) => {
      for (const table of ["metric_days", "mrr_movements", "mrr_states"])
        await tx.query(sql(`test.forget_${table}`, `DELETE FROM ${table} WHERE organization_id = $1`), [
          story.app.organization.id,
        ]);
      const again = sql("test.recount", "UPDATE metric_progress SET read_until = '' WHERE organization_id = $1");
      await tx.query(again, [story.app.organization.id]);
    });
    expect((await countMetrics(story.app.ctx, story.app.organization.id, Infinity)).isComplete).toBe(true);
    expect(await read({ step: "day", from: "2025-06-01", to: "2025-07-31" })).toEqual(before);
    expect(await countMetrics(story.app.ctx, story.app.organization.id, Infinity)).toMatchObject({ isComplete: true });
    expect(await read({ step: "day", from: "2025-06-01", to: "2025-07-31" })).toEqual(before);
  });

  test("keeps its days if the time zone changes", async () => {
    const before = await read({ step: "day", from: "2025-06-01", to: "2025-07-31" });
    const zone = sql("test.zone", "UPDATE organizations SET time_zone = $2 WHERE id = $1");
    const setZone = (to: string) => story.app.ctx.db.tx((tx) => tx.query(zone, [story.app.organization.id, to]));
    await setZone("Pacific/Auckland");
    const after = await read({ step: "day", from: "2025-06-01", to: "2025-07-31" });
    await setZone("UTC");
    expect(after.points.map(({ mrr }) => mrr)).toEqual(before.points.map(({ mrr }) => mrr));
  });
});

describe("revenue (rule R7)", () => {
  test("by month is that of the ledger", async () => {
    const { points } = await read({ step: "month", from: "2025-06-01", to: "2025-07-31" });
    const statement = sql(
      "test.revenue",
      `SELECT sum(CASE WHEN credit_account = 'revenue' THEN amount ELSE -amount END)::bigint AS net
       FROM ledger_transfers WHERE organization_id = $1 AND 'revenue' IN (credit_account, debit_account)
       AND created_at >= $2 AND created_at < $3`,
    );
    for (const { start, end, revenue } of points) {
      const values = [story.app.organization.id, new Date(start).toISOString(), new Date(end).toISOString()];
      const [row] = await story.app.ctx.db.read.query<{ net: number }>(statement, values);
      expect(netOf(revenue)).toBe(row!.net);
    }
    // June, with a tax of 19 %: 15.00 + 365.00 + 30.00 + 5.00 + 20.00 after Cleo's trial.
    expect(points[0]!.revenue).toMatchObject({ sales: 51_765, refunds: 0, tax: 8265 });
    expect(points[1]!.revenue).toMatchObject({ refunds: 595, recovered: 3570, recoveredPayments: 1 });
  });

  test("by Product comes to the sums of the ledger", async () => {
    const series = await read({ step: "month", from: "2025-06-01", to: "2025-07-31" });
    const { revenue } = totalsOf(series);
    const within = { start: series.points[0]!.start, end: series.points.at(-1)!.end };
    const rows = await revenueByProduct(story.app.ctx.db.read, story.app.organization.id, within, "usd");
    expect(rows.map(({ productName }) => productName)).toEqual(["book", "pro", "team", "trial", "year"]);
    const sum = (of: "sales" | "refunds" | "tax") => rows.reduce((running, row) => running + row[of], 0);
    expect([sum("sales"), sum("refunds"), sum("tax")]).toEqual([revenue.sales, revenue.refunds, revenue.tax]);
    expect(rows.find(({ productName }) => productName === "pro")).toMatchObject({ refunds: 595 });
  });
});
