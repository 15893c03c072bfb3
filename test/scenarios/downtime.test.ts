import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approveCatchUp, readCatchUp, type CatchUp } from "../../src/actions/organization/catch-up.ts";
import { DAY } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import { organizations } from "../../src/store/organizations.ts";
import { runOnce, startWorker } from "../../src/worker/worker.ts";
import { caller, type Json } from "../support/app.ts";
import { bankOf, keepsSilent } from "../support/bank.ts";
import {
  boughtAt,
  buyOnPage,
  lastApproved,
  lastSeen,
  listening,
  pastDueFor,
  startLiveStory,
  takeSandboxCards,
} from "../support/downtime.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
beforeEach(async () => {
  story = await startLiveStory();
  await story.plan("daily", 100, { interval: "day", group: "daily" });
  await story.plan("monthly", 3000);
});
afterEach(async () => {
  expect(await story.audit()).toEqual([]);
  const { paid, captured } = await story.books();
  expect(captured).toEqual(paid);
  await story.close();
});

const buy = (productKey: string, name: string, card: string = CARDS.pays) =>
  buyOnPage(story.app, { productKey, customer: { email: `${name}@example.com`, externalId: name } }, card);

/** The instant `days` days ago. */
const ago = (days: number) => Date.now() - days * DAY;
const move = ({ id }: Json, start: number) => boughtAt(story.app.ctx, story.app.organization.id, id, start);

/** A Subscription's invoices without the first one, oldest first. */
async function renewals({ id }: Json): Promise<Json[]> {
  const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=100`));
  return data.reverse().slice(1);
}

/** A Subscription's payments without the first one, oldest first. */
async function attempts({ id }: Json): Promise<Json[]> {
  const { data } = await story.ok(story.app.manage("GET", `/payments?subscriptionId=${id}&limit=100`));
  return data.reverse().slice(1);
}

const recordedOf = async (subscription: Json, type: string) =>
  (await story.events())
    .filter((event) => event.type === type && event.data.id === subscription.id)
    .map((event) => Date.parse(event.createdAt));

async function read(): Promise<CatchUp> {
  const { ctx, organization } = story.app;
  return readCatchUp(ctx, (await organizations.find(ctx.db.read, organization.id))!);
}
const approve = async () => approveCatchUp(story.app.ctx, await read());

const gauge = async () =>
  /^billow_held_subscriptions (.*)$/m.exec(await (await fetch(`${story.app.url}/metrics`)).text())?.[1];

/**
 * The later periods of a month that began at `start`, as far as they have begun. Temporal computes them, not Billow's
 * own calendar.
 */
function months(start: number): { periodStart: string; periodEnd: string }[] {
  const anchor = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO("UTC");
  const boundary = (n: number) => new Date(anchor.add({ months: n }).epochMilliseconds).toISOString();
  const found = [];
  for (let n = 1; Date.parse(boundary(n)) <= Date.now(); n += 1)
    found.push({ periodStart: boundary(n), periodEnd: boundary(n + 1) });
  return found;
}

describe("three days without a process", () => {
  test("everything due is held, reported, and carried out once it is approved", async () => {
    const { app } = story;
    const [ada, bob, eve, kim] = [
      await buy("daily", "ada"),
      await buy("monthly", "bob"),
      await buy("monthly", "eve"),
      await buy("monthly", "kim"),
    ];
    await story.change(eve.id, { cancelAtPeriodEnd: true });
    await move(ada, ago(3.5)); // three days are over
    const start = ago(32);
    await move(bob, start); // a month is over
    await move(eve, start); // the last month is over
    const ends = Date.parse((await story.subscription(eve.id)).cancelAt);
    await story.news();
    await lastSeen(app.ctx, 3);
    const { ctx, errors } = listening(app.ctx);
    await runOnce(ctx);

    expect(errors).toMatchObject([
      { organizations: [app.organization.id], msg: expect.stringContaining("node bin/billow.mjs catch-up") },
    ]);
    expect(await story.news()).toEqual([]);
    expect(await gauge()).toBe("3");
    const held = await read();
    expect(held).toMatchObject({
      subscriptions: 3,
      periods: 4,
      amounts: new Map([["usd", 3300]]),
      oldest: Math.min(ends, held.oldest!),
    });
    expect(Math.round((held.now - held.since!) / DAY)).toBe(3);

    await approve();
    await app.runDue();
    expect(await gauge()).toBe("0");
    expect((await renewals(ada)).map(({ status, totalAmount }) => `${status} ${totalAmount}`)).toEqual([
      "paid 100",
      "paid 100",
      "paid 100",
    ]);
    expect(await renewals(bob)).toMatchObject([{ status: "paid", totalAmount: 3000, ...months(start)[0] }]);
    expect(await story.subscription(eve.id)).toMatchObject({
      status: "canceled",
      endedAt: new Date(ends).toISOString(),
    });
    expect(await renewals(kim)).toEqual([]);
    expect(await read()).toMatchObject({ since: null, subscriptions: 0, periods: 0, oldest: null });
  });

  test("held work can't be changed before it is carried out; the Customer buys on, and access is exact", async () => {
    const { app } = story;
    const { id: sso } = await story.ok(app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
    await story.plan("team", 5000, { group: "team", benefitIds: [sso] });
    const [ada, team] = [await buy("daily", "ada"), await buy("team", "ada")];
    await story.change(team.id, { cancelAtPeriodEnd: true });
    await move(team, ago(32));
    await move(ada, ago(3.5));
    const before = await story.subscription(ada.id);
    await lastSeen(app.ctx, 3);

    const path = `/subscriptions/${ada.id}`;
    const refused = { status: 409, body: { code: "catch_up_pending" } };
    // No worker has run yet.
    expect(await app.api("PATCH", `/subscriptions/${team.id}`, { cancelAtPeriodEnd: false })).toMatchObject(refused);
    await app.runDue();
    expect(await app.api("PATCH", path, { cancelAtPeriodEnd: true })).toMatchObject(refused);
    expect(await app.api("PATCH", path, { productKey: "monthly" })).toMatchObject(refused);
    expect(await app.manage("POST", `${path}/preview`, { productKey: "monthly" })).toMatchObject(refused);
    expect(await app.manage("POST", `${path}/cancel-now`, {})).toMatchObject(refused);
    expect(await app.manage("POST", `${path}/cancel-now/preview`, {})).toMatchObject(refused);
    for (const each of ["resume", "resume/preview"])
      expect(await app.manage("POST", `${path}/${each}`)).toMatchObject(refused);
    for (const each of ["discount", "discount/preview"])
      expect(await app.manage("POST", `${path}/${each}`, { discountCode: null })).toMatchObject(refused);
    for (const each of ["trial", "trial/preview"])
      expect(await app.manage("POST", `${path}/${each}`, { trialEnd: "2030-01-01T00:00:00Z" })).toMatchObject(refused);
    expect(await app.api("PATCH", path, { cancelAtPeriodEnd: true }, { "If-Match": '"old"' })).toMatchObject({
      status: 412,
    });
    expect(await story.subscription(ada.id)).toEqual(before);
    expect(await story.access("ada")).toEqual([]);

    const bought = await buy("monthly", "ada");
    await story.change(bought.id, { cancelAtPeriodEnd: true });
    const again = await app.api("POST", "/checkouts", { productKey: "daily", externalCustomerId: "ada" });
    expect(again).toMatchObject({ status: 409, body: { code: "already_subscribed", subscriptionId: ada.id } });

    await approve();
    await story.change(ada.id, { cancelAtPeriodEnd: true });
    expect(await renewals(ada)).toHaveLength(3);
    await app.runDue();
    expect(await story.subscription(team.id)).toMatchObject({ status: "canceled" });
  });

  test("a retry waits, too, and the next one counts from when it is made", async () => {
    const { app } = story;
    const ada = await buy("monthly", "ada", CARDS.failsLater);
    await move(ada, ago(32));
    await app.runDue();
    const [since] = await recordedOf(ada, "subscription.past_due");
    expect(await renewals(ada)).toMatchObject([
      { status: "open", nextAttemptAt: new Date(since! + 3 * DAY).toISOString() },
    ]);
    // The retries of days 3 and 7 are over, and so is the grace.
    await pastDueFor(app.ctx, app.organization.id, ada.id, 9);
    await lastSeen(app.ctx, 8);
    await app.runDue();
    expect(await attempts(ada)).toHaveLength(1);

    await approve();
    const began = Date.now();
    await app.runDue();
    const tried = await attempts(ada);
    expect(tried.map(({ trigger }) => trigger)).toEqual(["renewal", "retry"]);
    expect(Date.parse(tried[1].createdAt)).toBeGreaterThanOrEqual(began);
    // Day 7 is 2 days ago, so the next retry keeps its distance of 4 days.
    const [invoice] = await renewals(ada);
    expect(Math.floor((Date.parse(invoice.nextAttemptAt) - began) / DAY)).toBe(4);
  });

  test("no work is held in a sandbox", async () => {
    const { app } = story;
    const other = await app.otherOrganization();
    const [api, manage] = [
      caller(`${app.url}/public/v2`, other.keys.public),
      caller(`${app.url}/manage/v1`, other.keys.manage),
    ];
    const prices = [{ currency: "usd", amount: 100 }];
    await story.ok(manage("POST", "/products", { key: "daily", name: "Daily", interval: "day", prices }));
    const checkout = await story.ok(
      api("POST", "/checkouts", { productKey: "daily", customer: { email: "ada@example.com" } }),
    );
    const { subscriptionId } = await story.ok(
      manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    await boughtAt(app.ctx, other.organization.id, subscriptionId, ago(3.5));
    await lastSeen(app.ctx, 3);
    await app.runDue();
    const { data } = await story.ok(manage("GET", `/invoices?subscriptionId=${subscriptionId}`));
    expect(data.map(({ status }: Json) => status)).toEqual(["paid", "paid", "paid", "paid"]);
  });
});

describe("a year in which no work was done", () => {
  test("gives each period its own invoice, and each invoice one charge, in order", async () => {
    const start = ago(370);
    const [ada, bob] = [await buy("monthly", "ada"), await buy("monthly", "bob")];
    await move(ada, start);
    await move(bob, ago(40));
    await story.app.runDue();
    // The clock was noted all the while, so a Subscription that is one period behind is not held.
    expect(await renewals(bob)).toMatchObject([{ status: "paid" }]);
    expect(await read()).toMatchObject({ since: null, subscriptions: 1, periods: months(start).length });
    expect(await renewals(ada)).toEqual([]);

    await story.news();
    await approve();
    const began = Date.now();
    await story.app.runDue();
    const made = await renewals(ada);
    const expected = months(start);
    expect(made.map(({ periodStart, periodEnd }) => ({ periodStart, periodEnd }))).toEqual(expected);
    expect(made.map(({ createdAt }) => createdAt)).toEqual(expected.map(({ periodStart }) => periodStart));
    expect(made.every(({ status, totalAmount }) => status === "paid" && totalAmount === 3000)).toBe(true);
    const charges = await attempts(ada);
    expect(charges.map(({ invoiceId, status }) => [invoiceId, status])).toEqual(
      made.map(({ id }) => [id, "succeeded"]),
    );
    expect(charges.every(({ createdAt }) => Date.parse(createdAt) >= began)).toBe(true);
    expect(await story.news()).toEqual([
      ...expected.flatMap(() => ["subscription.renewed", "invoice.created"]),
      ...expected.flatMap(() => ["payment.succeeded", "invoice.paid"]),
    ]);
  });

  test("asks a card that declines once, and then by the schedule", async () => {
    const ada = await buy("monthly", "ada", CARDS.failsLater);
    await move(ada, ago(370));
    await story.app.runDue();
    await approve();
    const began = Date.now();
    await story.app.runDue();
    expect(await attempts(ada)).toMatchObject([{ status: "failed", trigger: "renewal" }]);
    const [since] = await recordedOf(ada, "subscription.past_due");
    expect(since).toBeGreaterThanOrEqual(began);
    const open = await renewals(ada);
    expect(open.length).toBe(months(ago(370)).length);
    for (const invoice of open) {
      expect(invoice).toMatchObject({ status: "open", nextAttemptAt: new Date(since! + 3 * DAY).toISOString() });
    }
  });

  test("waits for an outcome that is not known yet before it charges on", async () => {
    const ada = await buy("daily", "ada");
    await move(ada, ago(4.5));
    await story.app.runDue();
    const bank = bankOf(story.app);
    await takeSandboxCards(story.app);
    bank.says(keepsSilent);
    await approve();
    await story.app.runDue();
    expect((await attempts(ada)).map(({ status }) => status)).toEqual(["unknown"]);
    expect((await renewals(ada)).map(({ status }) => status)).toEqual(["open", "open", "open", "open"]);
    bank.says(null);
    await story.settle();
    expect((await renewals(ada)).map(({ status }) => status)).toEqual(["paid", "paid", "paid", "paid"]);
  });

  test("is told by a worker as soon as it comes by", async () => {
    const ada = await buy("daily", "ada");
    await move(ada, ago(300));
    const { ctx, errors } = listening(story.app.ctx);
    const worker = startWorker(ctx);
    try {
      await expect.poll(() => errors).not.toEqual([]);
    } finally {
      await worker.stop();
    }
    expect(errors).toMatchObject([
      { organizationId: story.app.organization.id, subscriptions: 1, msg: expect.stringContaining("held") },
    ]);
  });

  test("work that falls behind again after an approval is held again", async () => {
    const ada = await buy("daily", "ada");
    await move(ada, ago(300));
    await story.app.runDue();
    await approve();
    await lastApproved(story.app.ctx, 200);
    await move(ada, ago(3.5));
    await story.app.runDue();
    expect(await read()).toMatchObject({ subscriptions: 1, periods: 3 });
    expect(await renewals(ada)).toEqual([]);
  });
});

describe("several processes", () => {
  const both = (work: () => Promise<unknown>) => Promise.all([work(), work()]);

  test("that start at once after three days hold everything, and one of them says so", async () => {
    const bought = [];
    for (let n = 0; n < 12; n += 1) bought.push(await buy("monthly", `buyer-${n}`));
    for (const each of bought) await move(each, ago(32));
    await story.news();
    await lastSeen(story.app.ctx, 3);
    const { ctx, errors } = listening(story.app.ctx);
    await both(() => runOnce(ctx));
    expect(errors).toHaveLength(1);
    expect(await story.news()).toEqual([]);
    await approve();
    await both(() => runOnce(ctx));
    await story.app.runDue();
    for (const each of bought) expect(await renewals(each)).toMatchObject([{ status: "paid" }]);
  });

  test("lose no work when it is approved while it is being held", async () => {
    const bought = [];
    for (let n = 0; n < 12; n += 1) bought.push(await buy("daily", `buyer-${n}`));
    for (const each of bought) await move(each, ago(2.5));
    await Promise.all([runOnce(story.app.ctx), approve(), runOnce(story.app.ctx)]);
    await story.app.runDue();
    expect(await gauge()).toBe("0");
    for (const each of bought) expect(await renewals(each)).toMatchObject([{ status: "paid" }, { status: "paid" }]);
  });
});

describe("a clock", () => {
  test("that is first looked at has missed nothing", async () => {
    const ada = await buy("monthly", "ada");
    await move(ada, ago(32));
    await story.app.ctx.db.tx((tx) => tx.query(sql("test.never", "DELETE FROM worker_heartbeat")));
    await story.app.runDue();
    expect(await renewals(ada)).toMatchObject([{ status: "paid" }]);
  });

  test("that was ahead and was put right ends an approval for a time that never came", async () => {
    const { ctx } = story.app;
    await lastApproved(ctx, -300);
    await lastSeen(ctx, -300);
    const heard = listening(ctx);
    await runOnce(heard.ctx);
    expect(heard.errors).toMatchObject([{ msg: expect.stringContaining("went back") }]);
    const { organization, since, now } = await read();
    expect(since).toBeNull();
    expect(organization.catchUpApprovedUntil).toBeLessThanOrEqual(now);
  });
});
