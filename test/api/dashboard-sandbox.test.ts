import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginAdvance } from "../../src/actions/sandbox/advance-begin.ts";
import { carryOnFill } from "../../src/actions/scenario/company/carry-on.ts";
import { planCompany } from "../../src/actions/scenario/company/plan.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { addDays24, formatInstant, parseInstant } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import { findFill } from "../../src/store/sandbox-fills.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { killedAt, letLeasesRunOut } from "../support/processes.ts";
import { CARDS, ok, startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

let story: Story;
let owner: Desk;
let page: string;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 3000, { name: "Pro" });
  await story.buy({ productKey: "pro", customer: { email: "ada@example.com", name: "Ada" } }, CARDS.failsLater);
  owner = await openDashboard(story.app);
  page = `/dashboard/${story.app.organization.id}/sandbox`;
});
afterAll(() => story.close());

const newOnce = () => randomBytes(16).toString("base64url");
/** Sends a form with a key of its own. */
const send = (path: string, fields: Record<string, string> = {}) => owner.send(path, { once: newOnce(), ...fields });
/** Sends a step of the clock. On a busy machine a worker has to finish the advance. */
async function advance(fields: Record<string, string>): Promise<string> {
  const answer = await send(page, fields);
  expect([answer.status, location(answer)?.split("?")[0]]).toEqual([303, page]);
  await until(async () => {
    await story.app.runDue();
    return (await story.ok(story.app.manage("GET", "/sandbox/clock"))).target === null;
  });
  return location(answer)!;
}
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const clock = async () => (await story.ok(story.app.manage("GET", "/sandbox/clock"))).now;
const words = async (path: string) => wordsOf((await owner.get(path)).text);

describe("the clock", () => {
  test("shows where it stands, the things that are due next, and the last days", async () => {
    const shown = await words(page);
    expect(shown).toContain("The clock stands at 1 Mar 2026, 09:00");
    expect(shown).toContain("25 Mar 2026, 09:00 E-mail for Pro: the renewal comes soon Ada");
    // The renewal has a line of its own, with its date and price.
    expect(shown).toContain("1 Apr 2026, 09:00 Pro renews, price US$30.00 Ada");
    expect(shown).toMatch(/1 March 2026 ?: 1 new Customer, 1 new Subscription, 1 paid invoice · \d+ events/);
  });

  test("names an e-mail that is being written by its kind", async () => {
    // No mailer runs here, so the receipt of the purchase waits.
    const shown = await words(page);
    expect(shown).toContain("E-mails receipt (is being written)");
    for (const said of ["Not written yet", "no recipient"]) expect(shown).not.toContain(said);
  });

  test("steps to the next thing and by a month, with the events of the management API", async () => {
    await story.news();
    await advance({ step: "next" });
    expect(await clock()).toBe("2026-03-25T09:00:00.000Z");
    expect(await story.newsAndNotices()).toEqual(["subscription.renewal_upcoming"]);
    expect(await words(page)).toContain("1 Apr 2026, 09:00 Pro renews, price US$30.00 Ada");
    const after = await advance({ step: "next" });
    const news = await owner.get(after);
    expect(wordsOf(news.text)).toMatch(
      /The clock was advanced to 1 Apr 2026, 09:00 \. 1 renewal, 1 failed renewal, 1 failed charge · \d+ events, \d e-mails? \. Invoices , events \./,
    );
    expect(news.text).toContain(`<a href="${page.replace("/sandbox", "/invoices")}">Invoices</a>`);
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.failed",
      "invoice.payment_failed",
      "subscription.past_due",
    ]);
    expect(wordsOf(news.text)).toMatch(
      /The clock was advanced to .*4 Apr 2026, 09:00 Retry of the failed charge for Pro Ada/,
    );
    await advance({ step: "next" });
    await advance({ step: "P1M" });
    expect(await clock()).toBe("2026-05-04T09:00:00.000Z");
    expect(await story.news()).toContain("subscription.canceled");
  });

  test("takes a form that is sent twice once, and records the step", async () => {
    const once = newOnce();
    for (let n = 0; n < 2; n += 1) await advance({ step: "P1D", once });
    expect(await clock()).toBe("2026-05-05T09:00:00.000Z");
    const { data } = await story.ok(story.app.manage("GET", "/audit-log?limit=1"));
    expect(data[0]).toMatchObject({ operation: "advanceSandboxClock", actor: { type: "user" }, fields: ["by"] });
  });

  test("goes to the beginning of a day, and refuses a past day and a text that is no day", async () => {
    await advance({ step: "to", to: "2026-05-06" });
    expect(await clock()).toBe("2026-05-06T00:00:00.000Z");
    const past = await send(page, { step: "to", to: "2026-04-01" });
    expect(past.status).toBe(409);
    expect(wordsOf(past.text)).toContain("The clock is already past the beginning of this day.");
    const faulty = await send(page, { step: "to", to: "tomorrow" });
    expect([faulty.status, faulty.text.includes("Choose a day, such as 2026-12-31.")]).toEqual([422, true]);
  });

  describe("with an advance under way", () => {
    beforeAll(async () => {
      const to = parseInstant("2026-06-01T00:00:00.000Z")!;
      const { id } = story.app.organization;
      await beginAdvance(story.app.ctx, ownOrigin(id), { to });
      await letLeasesRunOut(story.app.ctx.db);
    });

    test("shows the progress, also as a part for the script, and refuses another step with the target", async () => {
      expect(await words(page)).toMatch(/Stop the clock Refresh .*clock advances to 1 Jun 2026, 00:00/);
      const part = await owner.get(`${page}/progress`);
      expect([part.status, part.text.startsWith('<div id="live"'), part.text.includes("data-live=")]).toEqual([
        200,
        true,
        true,
      ]);
      const refused = await send(page, { step: "P1D" });
      expect([
        refused.status,
        wordsOf(refused.text).includes("An advance to 2026-06-01T00:00:00.000Z is under way."),
      ]).toEqual([409, true]);
    });

    test("stops at the present instant, and joins an advance to the same day", async () => {
      expect(location(await send(`${page}/stop`))).toBe(`${page}?done=stopped`);
      expect(await clock()).toBe("2026-05-06T00:00:00.000Z");
      expect((await owner.get(`${page}/progress`)).text).not.toContain("data-live=");
      await beginAdvance(story.app.ctx, ownOrigin(story.app.organization.id), {
        to: parseInstant("2026-06-01T00:00:00.000Z")!,
      });
      await letLeasesRunOut(story.app.ctx.db);
      await advance({ step: "to", to: "2026-06-01" });
      expect(await clock()).toBe("2026-06-01T00:00:00.000Z");
    });
  });

  test("is not there for a live Organization, nor for another Organization's sandbox", async () => {
    const live = await story.app.otherOrganization({ mode: "live" });
    const other = await story.app.otherOrganization();
    await story.app.ctx.db.tx(async (tx) => {
      const [{ id }] = (await tx.query<{ id: string }>(userStatement)) as [{ id: string }];
      await tx.query(memberStatement, [live.organization.id, id]);
    });
    for (const { organization } of [live, other])
      for (const path of ["", "/progress", "/trigger"])
        expect((await owner.get(`/dashboard/${organization.id}/sandbox${path}`)).status, path).toBe(404);
    for (const { organization } of [live, other])
      for (const path of ["", "/stop", "/fill", "/trigger"])
        expect((await send(`/dashboard/${organization.id}/sandbox${path}`, { step: "P1D" })).status, path).toBe(404);
    expect((await owner.get(`/dashboard/${live.organization.id}`)).text).not.toContain(">Sandbox</a>");
  });
});

const userStatement = sql("test.sandbox_user", "SELECT id FROM users LIMIT 1");
const memberStatement = sql(
  "test.sandbox_member",
  "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())",
);

test("makes an event happen, and refuses an unknown one", async () => {
  await story.news();
  expect(location(await send(`${page}/trigger`, { type: "customer.created" }))).toBe(`${page}/trigger?done=triggered`);
  expect(await story.news()).toEqual(["customer.created"]);
  const refused = await send(`${page}/trigger`, { type: "moon.landed" });
  expect([refused.status, refused.text.includes("Choose an event of the list.")]).toEqual([422, true]);
});

test("pays an open Checkout with a test card, and shows a decline", async () => {
  const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
  const [checkout, pay] = [`${page.replace("/sandbox", "")}/checkouts/${id}`, `${page}/checkouts/${id}/pay`];
  expect((await owner.get(checkout)).text).toContain(`href="${pay}"`);
  const faulty = await send(pay, { card: CARDS.pays, email: "no address" });
  expect([faulty.status, faulty.text.includes('id="email-fault"')]).toEqual([422, true]);
  const buyer = { email: "grace@example.com" };
  expect(location(await send(pay, { card: CARDS.declined, ...buyer }))).toBe(checkout);
  expect(await words(checkout)).toMatch(/Status Open .*Last failure .*declined/);
  expect(location(await send(pay, { card: CARDS.pays, ...buyer }))).toBe(checkout);
  expect(await words(checkout)).toContain("Status Completed");
  const late = await send(pay, { card: CARDS.pays, ...buyer });
  expect([late.status, wordsOf(late.text).includes("The Checkout is being paid, was paid or has expired.")]).toEqual([
    409,
    true,
  ]);
  expect((await owner.get(`${page}/checkouts/chk_none/pay`)).status).toBe(404);
});

const forceLeaseStatement = sql(
  "test.fill_lease",
  "UPDATE sandbox_fills SET lease_until = now() WHERE lease_until IS NOT NULL",
);

type Empty = { id: string; home: string; manage: TestCall; api: TestCall };

describe("an empty sandbox", () => {
  /** A sandbox of the owner without Customers. `product`: sold for usd alone. */
  async function open(at: string, product?: object): Promise<Empty> {
    const made = await story.app.otherOrganization({ clock: at });
    const { id } = made.organization;
    await story.app.ctx.db.tx(async (tx) => {
      const [{ id: userId }] = (await tx.query<{ id: string }>(userStatement)) as [{ id: string }];
      await tx.query(memberStatement, [id, userId]);
    });
    const manage = caller(`${story.app.url}/manage/v1`, made.keys.manage);
    const api = caller(`${story.app.url}/public/v2`, made.keys.public);
    if (product) await ok(manage("POST", "/products", { ...product, prices: [{ currency: "usd", amount: 1000 }] }));
    return { id, home: `/dashboard/${id}`, manage, api };
  }
  const all = async (manage: TestCall, path: string): Promise<Json[]> =>
    (await ok(manage("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`))).data;
  const countsOf = (rows: Json[]) =>
    Object.fromEntries([...Map.groupBy(rows, ({ status }) => status)].map(([status, each]) => [status, each.length]));

  /** Lets workers take all steps of a filling. */
  const fillUp = (id: string) =>
    until(
      async () => {
        await story.app.runDue();
        return (await findFill(story.app.ctx.db.read, id))!.leaseUntil === null;
      },
      { seconds: 510 },
    );

  test("is filled once, although processes die and a person stops it", { timeout: 540_000 }, async () => {
    const { id, home, manage } = await open("2026-03-01T09:00:00Z");
    const { ctx } = story.app;
    for (const path of ["", "/customers", "/invoices"])
      expect((await owner.get(home + path)).text, path).toContain(`<a href="${home}/sandbox">Fill this sandbox</a>`);
    expect(await words(`${home}/sandbox`)).toMatch(
      /At the end, the clock shows this time again\..*No button removes the data later\./,
    );
    expect(location(await send(`${home}/sandbox/fill`))).toBe(`${home}/sandbox?done=filling`);
    expect(await words(`${home}/sandbox`)).toMatch(/being filled up to 1 March 2026: step 0 of \d+/);
    for (let n = 0; n < 6; n += 1) {
      const dying = killedAt(ctx, 20 + 37 * n);
      await Promise.race([dying.died, carryOnFill(dying.ctx, id, 60_000)]);
      await letLeasesRunOut(ctx.db);
      await ctx.db.tx((tx) => tx.query(forceLeaseStatement));
    }
    expect(location(await send(`${home}/sandbox/stop`))).toBe(`${home}/sandbox?done=stopped`);
    await story.app.runDue();
    const { done } = (await findFill(ctx.db.read, id))!;
    expect(await words(`${home}/sandbox`)).toMatch(
      new RegExp(`The filling was stopped. ${done} of \\d+ steps are done`),
    );
    await send(`${home}/sandbox/fill`);
    await fillUp(id);

    expect(await findFill(ctx.db.read, id)).toMatchObject({ fault: null });
    expect((await ok(manage("GET", "/sandbox/clock"))).now).toBe("2026-03-01T09:00:00.000Z");
    const customers = await all(manage, "/customers");
    expect(customers).toHaveLength(41);
    expect(customers.every(({ email }) => email.endsWith("@example.com"))).toBe(true);
    expect(new Set(customers.map(({ billingAddress }) => billingAddress?.country ?? null)).size).toBe(9);
    const subscriptions = countsOf(await all(manage, "/subscriptions"));
    expect(subscriptions).toMatchObject({ trialing: 1, past_due: 1 });
    expect(subscriptions["canceled"]).toBeGreaterThanOrEqual(3);
    expect(countsOf(await all(manage, "/refunds"))).toEqual({ succeeded: 1 });
    expect(countsOf(await all(manage, "/disputes"))).toEqual({ open: 1 });
    expect(countsOf(await all(manage, "/checkouts"))).toEqual({ completed: 40, open: 1 });
    expect(new Set((await all(manage, "/benefits")).map(({ type }) => type)).size).toBe(4);
    expect(await all(manage, "/discounts")).toMatchObject([{ code: "WELCOME20" }]);
    expect(await audit(ctx.db, id)).toEqual([]);
    expect(await words(home)).not.toContain("MRR and revenue appear here with the first purchase");

    const again = await send(`${home}/sandbox/fill`);
    expect([again.status, wordsOf(again.text).includes("This sandbox has Customers already.")]).toEqual([409, true]);
    expect((await owner.get(`${home}/customers`)).text).not.toContain("Fill this sandbox");
  });

  test("with a Checkout gets its purchases in the half year after the clock", async () => {
    const { id, home, api } = await open("2026-03-01T09:00:00Z", { key: "own", name: "Own" });
    await ok(api("POST", "/checkouts", { productKey: "own" }));
    expect(await words(`${home}/sandbox`)).toContain("The clock ends half a year after its present time.");
    await send(`${home}/sandbox/fill`);
    const fill = (await findFill(story.app.ctx.db.read, id))!;
    expect([formatInstant(fill.beginsAt), formatInstant(fill.endsAt)]).toEqual([
      "2026-03-01T09:00:00.000Z",
      "2026-09-01T09:00:00.000Z",
    ]);
    await send(`${home}/sandbox/stop`);
  });

  test("with a Product that a buyer can't pay for stops with the reason", async () => {
    const { id, home } = await open("2026-03-01T09:00:00Z", { key: "starter", name: "Mine", interval: "month" });
    await send(`${home}/sandbox/fill`);
    await fillUp(id);
    expect(await words(`${home}/sandbox`)).toMatch(/has no price in .* steps are done\. .*Continue filling/);
  });
});

test("the steps of a company follow from the id alone", () => {
  const from = parseInstant("2026-03-01T09:00:00.000Z")!;
  const plan = (id: string) => planCompany(id, from, addDays24(from, 184));
  expect(plan("org_one")).toEqual(plan("org_one"));
  expect(plan("org_one")).not.toEqual(plan("org_two"));
  const steps = plan("org_one");
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((one, other) => one - other));
});
