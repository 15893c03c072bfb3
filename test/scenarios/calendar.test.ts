import { describe, expect, it, test } from "vitest";
import { earliestDueCheckout } from "../../src/store/checkouts.ts";
import { earliestDue } from "../../src/store/subscriptions.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Runs a story of its own in a zone, and audits its books at the end. */
async function tell(
  options: { clock: string; timeZone?: string },
  work: (story: Story) => Promise<void>,
): Promise<void> {
  const story = await startStory(options);
  try {
    await work(story);
    expect(await story.audit()).toEqual([]);
  } finally {
    await story.close();
  }
}

/** The starts of a Subscription's periods, as its invoices show them. */
async function starts(story: Story, subscriptionId: string): Promise<string[]> {
  const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${subscriptionId}`));
  return data.map((invoice: Json) => invoice.periodStart.replace(":00.000Z", "Z")).reverse();
}

describe("boundaries are counted from the anchor, in the zone's calendar (rule T2)", () => {
  test.each<[what: string, timeZone: string, bought: string, plan: object, until: string, starts: string[]]>([
    [
      "the 31st, clamped to short months and back again",
      "UTC",
      "2024-01-31T09:00:00Z",
      {},
      "2024-07-01T00:00:00Z",
      [
        "2024-01-31T09:00Z",
        "2024-02-29T09:00Z",
        "2024-03-31T09:00Z",
        "2024-04-30T09:00Z",
        "2024-05-31T09:00Z",
        "2024-06-30T09:00Z",
      ],
    ],
    [
      "29 February, by years",
      "UTC",
      "2024-02-29T09:00:00Z",
      { interval: "year" },
      "2028-12-01T00:00:00Z",
      ["2024-02-29T09:00Z", "2025-02-28T09:00Z", "2026-02-28T09:00Z", "2027-02-28T09:00Z", "2028-02-29T09:00Z"],
    ],
    [
      "quarters from the end of November",
      "UTC",
      "2024-11-30T23:59:00Z",
      { intervalCount: 3 },
      "2025-12-01T00:00:00Z",
      ["2024-11-30T23:59Z", "2025-02-28T23:59Z", "2025-05-30T23:59Z", "2025-08-30T23:59Z", "2025-11-30T23:59Z"],
    ],
    [
      "nine in the morning in Berlin, summer and winter",
      "Europe/Berlin",
      "2025-02-10T08:00:00Z",
      { intervalCount: 2 },
      "2025-12-31T00:00:00Z",
      [
        "2025-02-10T08:00Z",
        "2025-04-10T07:00Z",
        "2025-06-10T07:00Z",
        "2025-08-10T07:00Z",
        "2025-10-10T07:00Z",
        "2025-12-10T08:00Z",
      ],
    ],
    [
      "an hour that New York leaves out in March",
      "America/New_York",
      "2025-02-09T07:30:00Z", // 02:30
      {},
      "2025-05-01T00:00:00Z",
      ["2025-02-09T07:30Z", "2025-03-09T07:30Z", "2025-04-09T06:30Z"],
    ],
    [
      "an hour that New York has twice in November",
      "America/New_York",
      "2025-10-02T05:30:00Z", // 01:30
      {},
      "2025-12-31T00:00:00Z",
      ["2025-10-02T05:30Z", "2025-11-02T05:30Z", "2025-12-02T06:30Z"],
    ],
    [
      "the last day of the month in Kiritimati, which is another one in UTC",
      "Pacific/Kiritimati",
      "2025-01-30T10:30:00Z", // the 31st, 00:30
      {},
      "2025-04-15T00:00:00Z",
      ["2025-01-30T10:30Z", "2025-02-27T10:30Z", "2025-03-30T10:30Z"],
    ],
    [
      "a fortnight over the change of clocks",
      "America/New_York",
      "2025-02-24T15:00:00Z",
      { interval: "week", intervalCount: 2 },
      "2025-03-25T00:00:00Z",
      ["2025-02-24T15:00Z", "2025-03-10T14:00Z", "2025-03-24T14:00Z"],
    ],
    [
      "days over the change of clocks",
      "Europe/London",
      "2025-03-28T12:00:00Z",
      { interval: "day" },
      "2025-03-31T12:00:00Z",
      ["2025-03-28T12:00Z", "2025-03-29T12:00Z", "2025-03-30T11:00Z", "2025-03-31T11:00Z"],
    ],
  ])("%s", async (_, timeZone, bought, plan, until, expected) => {
    await tell({ clock: bought, timeZone }, async (story) => {
      await story.plan("plan", 3000, plan);
      const { id } = await story.buy({ productKey: "plan", customer: { email: "ada@example.com" } }, CARDS.pays);
      await story.travel(until);
      expect(await starts(story, id)).toEqual(expected);
    });
  });

  it("a trial is days of the zone, and its end is the anchor", async () => {
    await tell({ clock: "2025-03-01T15:00:00Z", timeZone: "America/New_York" }, async (story) => {
      await story.plan("plan", 3000, { trialDays: 14 });
      const { id, trialEnd } = await story.buy(
        { productKey: "plan", customer: { email: "ada@example.com" } },
        CARDS.pays,
      );
      expect(trialEnd).toBe("2025-03-15T14:00:00.000Z");
      await story.travel("2025-12-01T00:00:00Z");
      expect((await starts(story, id)).filter((start) => /-(03|04|11)-/.test(start))).toEqual([
        "2025-03-15T14:00Z",
        "2025-04-15T14:00Z",
        "2025-11-15T15:00Z",
      ]);
    });
  });

  it("an Organization that moves to another zone keeps sold Subscriptions in the old one", async () => {
    await tell({ clock: "2025-01-10T08:00:00Z", timeZone: "Europe/Berlin" }, async (story) => {
      await story.plan("plan", 3000);
      await story.plan("quarter", 8000, { intervalCount: 3 });
      const { id } = await story.buy({ productKey: "plan", customer: { email: "ada@example.com" } }, CARDS.pays);
      await story.ok(story.app.manage("PATCH", "/organization", { timeZone: "UTC" }));
      await story.travel("2025-04-12T08:00:00Z");
      expect(await starts(story, id)).toEqual([
        "2025-01-10T08:00Z",
        "2025-02-10T08:00Z",
        "2025-03-10T08:00Z",
        "2025-04-10T07:00Z",
      ]);
      // Another interval has a new anchor, in the zone of that moment.
      await story.change(id, { productKey: "quarter" });
      expect(await story.subscription(id)).toMatchObject({ currentPeriodEnd: "2025-07-12T08:00:00.000Z" });
      await story.travel("2025-12-31T00:00:00Z");
      expect((await starts(story, id)).slice(-3)).toEqual([
        "2025-04-12T08:00Z",
        "2025-07-12T08:00Z",
        "2025-10-12T08:00Z",
      ]);
    });
  });

  it("retries and grace count days of 24 hours, also when the zone changes its clocks", async () => {
    await tell({ clock: "2025-02-07T15:00:00Z", timeZone: "America/New_York" }, async (story) => {
      await story.plan("plan", 3000);
      await story.buy({ productKey: "plan", customer: { email: "ada@example.com" } }, CARDS.failsLater);
      await story.travel("2025-03-10T00:00:00Z");
      const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
      expect([invoice.periodStart, invoice.nextAttemptAt]).toEqual([
        "2025-03-07T15:00:00.000Z",
        "2025-03-10T15:00:00.000Z",
      ]);
    });
  });
});

/** The parts that differ from one run to another: ids, and numbers and addresses made of them. */
const NAMES = /\b(evt|cus|chk|prd|sub|inv|iln|pay|bft|bgr)_[0-9a-z]{26}\b|-[0-9A-Z]{8}-(?=\d{4}")|"url":"[^"]*"/g;

/** A year with nearly every kind of event. `pass` moves the clock to an instant, in steps of its own. */
async function year(story: Story, pass: (to: string) => Promise<void>): Promise<string[]> {
  const buy = (productKey: string, name: string, card: string) =>
    story.buy({ productKey, customer: { email: `${name}@example.com`, externalId: name } }, card);
  const { id: sso } = await story.ok(
    story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
  );
  await story.plan("basic", 1000, { trialDays: 14 });
  await story.plan("pro", 3000, { benefitIds: [sso] });
  await story.plan("weekly", 700, { interval: "week", benefitIds: [sso] });
  await story.plan("yearly", 30_000, { interval: "year" });
  const ada = await buy("basic", "ada", CARDS.pays);
  const bob = await buy("weekly", "bob", CARDS.failsLater);
  const eve = await buy("pro", "eve", CARDS.failsLater);
  const kim = await buy("pro", "kim", CARDS.pays);
  await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", expiresInMinutes: 10_080 }));
  await pass("2025-02-20T13:30:00Z");
  await story.change(ada.id, { productKey: "pro" });
  await story.change(kim.id, { productKey: "weekly", prorationBehavior: "next_period" });
  await pass("2025-03-09T21:15:00Z");
  await story.newCard(eve.customerId, CARDS.pays);
  await story.change(ada.id, { productKey: "basic", prorationBehavior: "next_invoice" });
  await pass("2025-05-01T00:00:00Z");
  await story.change(kim.id, { cancelAtPeriodEnd: true });
  await story.change(eve.id, { productKey: "yearly" });
  await pass("2025-10-31T10:00:00Z");
  await story.change(ada.id, { productKey: "basic", prorationBehavior: "none" });
  await pass("2026-02-28T09:00:00Z");
  expect((await story.subscription(bob.id)).status).toBe("canceled");
  const events: Json[] = await story.events();
  return events.map((event) => JSON.stringify(event).replace(NAMES, ""));
}

describe("a year", () => {
  const START = { clock: "2025-01-31T09:00:00Z", timeZone: "Europe/Berlin" };

  const atOnce = (story: Story) => story.travel;

  const bySixDays = (story: Story) => async (to: string) => {
    const { now } = await story.ok(story.app.manage("GET", "/sandbox/clock"));
    const step = 6.3 * 86_400_000;
    for (let at = Date.parse(now) + step; at < Date.parse(to); at += step)
      await story.travel(new Date(at).toISOString());
    await story.travel(to);
  };

  const byWhatIsDue = (story: Story) => async (to: string) => {
    const { ctx, organization } = story.app;
    const due = async () => {
      const found = await Promise.all([
        earliestDue(ctx.db.read, organization.id),
        earliestDueCheckout(ctx.db.read, organization.id),
      ]);
      return Math.min(...found.map((at) => at ?? Infinity));
    };
    for (let at = await due(); at <= Date.parse(to); at = await due()) {
      const { now } = await story.ok(story.app.manage("POST", "/sandbox/clock/advance", { toNextDue: true }));
      expect(Date.parse(now)).toBe(at);
    }
    await story.travel(to);
  };

  it("at once is a year in small steps, event by event (rule T4)", async () => {
    const years: string[][] = [];
    for (const way of [atOnce, bySixDays, byWhatIsDue]) {
      await tell(START, async (story) => void years.push(await year(story, way(story))));
    }
    expect(years[0]!.length).toBeGreaterThan(150);
    expect(years[1]).toEqual(years[0]);
    expect(years[2]).toEqual(years[0]);
  });
});
