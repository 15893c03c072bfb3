import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countMetrics } from "../../src/actions/metrics/count.ts";
import { forgetOldEvents } from "../../src/actions/retention/forget-events.ts";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

// Ids have real time, so no event of a test is old. The setting of no days makes every event old that was counted.
const retention = { events: 0, deliveries: 30, emails: 30, requests: 7 };
let story: Story;
let ada: Json;
beforeAll(async () => {
  story = await startStory({ clock: "2025-01-01T09:00:00Z" }, { retention });
  await story.plan("pro", 3000);
  await story.plan("team", 6000);
  ada = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
  for (const day of ["2025-02-02", "2025-03-02", "2025-04-02"]) await story.travel(day);
});
afterAll(() => story.close());

const settleStatement = sql(
  "test.old_events_settle",
  `UPDATE metric_progress SET delete_at = '-infinity', read_until = $2 WHERE organization_id = $1`,
);
/** As if the events up to this one had been counted more than ten minutes ago, and a worker came by. */
async function letPass({ id }: Json, work: () => Promise<unknown> = story.app.runDue): Promise<void> {
  const { ctx, organization } = story.app;
  await countMetrics(ctx, organization.id, Infinity);
  await ctx.db.tx((tx) => tx.query(settleStatement, [organization.id, id]));
  await work();
}

const invoices = async () => (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${ada.id}`))).data;
const timeline = async (): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", `/subscriptions/${ada.id}/timeline?limit=100`))).data;
const explained = async ({ id }: Json) => story.ok(story.app.manage("GET", `/invoices/${id}/explanation`));
const mrr = async () =>
  (await story.ok(story.app.manage("GET", "/metrics?from=2025-01-01&to=2025-04-30&interval=month"))).data;

describe("events older than the setting (rule I4f)", () => {
  test("vanish, and invoices, explanations, figures and the books stay", async () => {
    const [before, entries, figures] = [await story.events(), await timeline(), await mrr()];
    const documents = await invoices();
    const reasons = await Promise.all(documents.map(explained));
    const renewal = before.find(({ type, data }) => type === "subscription.renewed" && data.id === ada.id)!;
    const kept = before.filter(({ id }) => id >= renewal.id);
    expect(kept.length).toBeLessThan(before.length);

    await letPass(renewal);

    expect(await story.events()).toEqual(kept);
    expect(await timeline()).toEqual(entries.filter(({ eventId }) => eventId >= renewal.id));
    expect(await invoices()).toEqual(documents);
    expect(await Promise.all(documents.map(explained))).toEqual(reasons);
    expect(await mrr()).toEqual(figures);
    expect(await story.audit()).toEqual([]);
  });

  test("are not compared with later ones in the timeline", async () => {
    await story.change(ada.id, { productKey: "team", prorationBehavior: "invoice_now" });
    const [last] = (await story.events()).filter(({ type }) => type === "subscription.updated");
    expect((await timeline()).find(({ eventId }) => eventId === last!.id)!.text).toContain("changed from pro to team");
    await letPass(last!);
    expect((await timeline())[0]).toMatchObject({ eventId: last!.id, text: "The Subscription was changed." });
    expect(await story.audit()).toEqual([]);
  });

  test("leave each Subscription as it is for later renewals and later counts", async () => {
    await story.travel("2025-06-02");
    expect((await invoices())[0]).toMatchObject({ status: "paid", totalAmount: 6000 });
    const [{ mrr: amount }] = (await story.ok(story.app.manage("GET", "/metrics?from=2025-06-02&to=2025-06-02"))).data;
    expect(amount).toBe(6000);
    expect(await story.audit()).toEqual([]);
  });

  test("go in batches, the oldest first", async () => {
    const { ctx, organization } = story.app;
    const all = await story.events();
    const numbers: number[] = [];
    await letPass(all.at(-1)!, async () => {
      for (let times = 0; times < 3; times += 1) numbers.push(await forgetOldEvents(ctx, organization.id, 0, 2));
    });
    expect(numbers).toEqual([2, 2, 2]);
    expect(await story.events()).toEqual(all.slice(6));
    expect(await story.audit()).toEqual([]);
  });

  test("stay while one of their deliveries is kept, with all later ones", async () => {
    const { api, manage } = story.app;
    const { id } = await story.ok(manage("POST", "/webhook-endpoints", { url: "https://receiver.invalid/" }));
    await story.ok(manage("PATCH", `/webhook-endpoints/${id}`, { status: "disabled" }));
    await story.ok(api("POST", "/customers", { email: "ben@example.com" }));
    await story.app.runDue();
    expect((await story.ok(manage("GET", `/webhook-endpoints/${id}/deliveries`))).data).toMatchObject([
      { status: "skipped" },
    ]);
    await story.ok(api("POST", "/customers", { email: "cleo@example.com" }));
    await letPass((await story.events()).at(-1)!);
    expect((await story.events()).map(({ data }) => data.email)).toEqual(["ben@example.com", "cleo@example.com"]);
    expect(await story.audit()).toEqual([]);
  });

  test("are skipped by a page of a list by time that begins behind a deleted event", async () => {
    const page = "/events?createdAfter=2020-01-01T00:00:00Z&cursor=evt_00000000000000000000000000";
    const { data } = await story.ok(story.app.manage("GET", page));
    expect(data).toEqual(await story.events());
  });
});
