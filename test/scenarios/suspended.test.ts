import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines } from "../support/bank.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const PAID = ["payment.succeeded", "invoice.paid"];
const FAILED = ["payment.failed", "invoice.payment_failed"];
const RESTARTED = ["subscription.recovered", "subscription.renewed", "invoice.created", "benefit_grant.granted"];

let story: Story;
let bank: ReturnType<typeof bankOf>;
let id: string;
let customerId: string;

/** A daily plan at 5.00 that Ada bought on 1 June. Its renewal of 2 June failed, and the grace is 2 days. */
function tell(card: string, more: object = {}) {
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    bank = bankOf(story.app);
    await story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [3, 10, 20], graceDays: 2 } }));
    const sso = await story.ok(story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
    await story.plan("daily", 500, { interval: "day", benefitIds: [sso.id], ...more });
    await story.plan("premium", 900, { interval: "day", benefitIds: [sso.id] });
    const customer = { email: "ada@example.com", externalId: "ada" };
    ({ id, customerId } = await story.buy({ productKey: "daily", customer }, card));
    if (card === CARDS.pays) bank.says(declines("card_declined"));
    await story.travel("2025-06-04");
    await story.news();
    await story.statement();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });
}

/** Open invoices, oldest first. */
const openInvoices = async (): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&status=open`))).data.reverse();
const newestInvoice = async (): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data[0];

describe("a daily plan that fails, is suspended and comes back on the page", () => {
  tell(CARDS.failsLater);

  it("2025-06-04: access is suspended before the third renewal, and no period begins", async () => {
    expect(await openInvoices()).toMatchObject([
      { periodStart: "2025-06-02T09:00:00.000Z", restarted: false },
      { periodStart: "2025-06-03T09:00:00.000Z", restarted: false },
    ]);
    expect(await story.access("ada")).toEqual([]);
    await story.travel("2025-06-10");
    expect(await story.news()).toEqual(FAILED); // the retry of 5 June
    expect(await story.subscription(id)).toMatchObject({
      status: "past_due",
      currentPeriodEnd: "2025-06-04T09:00:00.000Z",
    });
  });

  it("2025-06-10: the page shows the debt and the new period as one amount", async () => {
    const [oldest] = await openInvoices();
    const words = wordsOf((await get(oldest!["url"])).text);
    expect(words).toContain("US$15.00 due");
    expect(words).toContain(
      "Your last period has ended. You pay the US$10.00 that you owe, plus US$5.00 for daily until 11 June 2025.",
    );
    expect(words).toContain("Pay US$15.00");
  });

  it("2025-06-10: a page from before the period's end charges no amount that the buyer has not seen", async () => {
    const [oldest] = await openInvoices();
    const typed = { number: CARDS.pays, expiry: "12 / 40", cvc: "123", instead: "", period: "0" };
    expect((await post(oldest!["url"], typed)).status).toBe(303);
    expect(await story.news()).toEqual([]);
  });

  it("2025-06-10: one card pays the debt and the new period, which has a new anchor", async () => {
    const [oldest] = await openInvoices();
    const typed = { number: CARDS.pays, expiry: "12 / 40", cvc: "123", instead: "", period: "500" };
    expect((await post(oldest!["url"], typed)).status).toBe(303);
    await story.settle();
    expect(await story.news()).toEqual([...PAID, ...PAID, ...RESTARTED, ...PAID]);
    expect(await story.statement()).toEqual([
      "0002 renewal paid 500",
      "0003 renewal paid 500",
      "0004 renewal paid 500",
      "     daily 500 2025-06-10 → 2025-06-11",
    ]);
    expect(await newestInvoice()).toMatchObject({ restarted: true, reason: "renewal" });
    expect(await story.access("ada")).toEqual(["SSO"]);
  });

  it("2025-06-10: the timeline tells the gap in words", async () => {
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline?limit=100`));
    const texts = data.map(({ text }: Json) => text);
    expect(texts).toContain("SSO: revoked, because a payment failed and no days of grace were left.");
    expect(texts).toContain(
      "All owed amounts are paid. The Subscription is active again. " +
        "The last period was over on 4 June 2025, so a new one begins now.",
    );
    expect(texts.join("\n")).toMatch(/US\$5.00 was due. Its period began after a time without access./);
  });

  it("2025-06-12: the next periods follow without a gap", async () => {
    await story.travel("2025-06-12");
    expect((await story.statement()).filter((line) => line.startsWith(" "))).toEqual([
      "     daily 500 2025-06-11 → 2025-06-12",
      "     daily 500 2025-06-12 → 2025-06-13",
    ]);
  });
});

describe("a daily plan whose retry pays", () => {
  tell(CARDS.pays);

  it("2025-06-12: the retry pays the debt, and the card on file pays the new period", async () => {
    await story.change(id, { productKey: "premium", prorationBehavior: "next_period" });
    await story.travel("2025-06-11");
    await story.news();
    bank.says(null);
    await story.travel("2025-06-12"); // 10 days after 2 June
    expect(await story.news()).toEqual([...PAID, ...PAID, ...RESTARTED, ...PAID]);
    expect((await story.statement()).slice(-2)).toEqual([
      "0004 renewal paid 900",
      "     premium 900 2025-06-12 → 2025-06-13", // the pending change waited for the new period
    ]);
    const { data } = await story.ok(story.app.manage("GET", `/payments?subscriptionId=${id}&limit=1`));
    expect(data).toMatchObject([{ trigger: "renewal", amount: 900, status: "succeeded" }]);
  });
});

describe("a new period whose first charge fails", () => {
  tell(CARDS.failsLater);

  it("2025-06-06: access comes back with the money from outside, and goes with the failed charge", async () => {
    await story.travel("2025-06-06");
    await story.news();
    for (const { id: invoice } of await openInvoices())
      await story.ok(story.app.manage("POST", `/invoices/${invoice}/mark-paid`, {}));
    await story.settle();
    expect(await story.news()).toEqual([
      "invoice.paid",
      "invoice.paid",
      ...RESTARTED,
      ...FAILED,
      "subscription.past_due",
      "benefit_grant.revoked",
    ]);
    expect(await story.access("ada")).toEqual([]);
    await story.travel("2025-06-08");
    expect((await openInvoices()).length).toBe(1);
  });
});

describe("a suspended plan whose invoices become void", () => {
  tell(CARDS.failsLater);

  it("2025-06-06 to 2025-06-22: no period begins, and the retries run out without a charge", async () => {
    await story.travel("2025-06-06");
    await story.news();
    for (const { id: invoice } of await openInvoices())
      await story.ok(story.app.manage("POST", `/invoices/${invoice}/void`, {}));
    expect(await story.news()).toEqual(["invoice.voided", "invoice.voided"]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    expect(await story.audit()).toEqual([]);
    await story.newCard(customerId, CARDS.pays);
    await story.travel("2025-06-21");
    expect(await story.news()).toEqual([]);
    await story.travel("2025-06-22"); // 20 days after 2 June
    expect(await story.news()).toEqual(["subscription.canceled"]);
    expect(await story.subscription(id)).toMatchObject({ status: "canceled", cancellationReason: "payment_failed" });
  });
});

describe("a suspended plan that is canceled at the period's end", () => {
  tell(CARDS.failsLater);

  it("2025-06-06: ends at once, because the period is over", async () => {
    await story.travel("2025-06-06");
    await story.news();
    const preview = await story.ok(
      story.app.manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: true }),
    );
    expect(preview).toMatchObject({ chargeAmount: 0, effectiveAt: "2025-06-06T09:00:00.000Z", nextInvoice: null });
    const ended = await story.change(id, { cancelAtPeriodEnd: true });
    expect(ended).toMatchObject({
      status: "canceled",
      cancelAtPeriodEnd: true,
      cancelAt: "2025-06-06T09:00:00.000Z",
      endedAt: "2025-06-06T09:00:00.000Z",
    });
    expect(await story.news()).toEqual([
      "subscription.cancellation_scheduled",
      "subscription.canceled",
      "invoice.voided",
      "invoice.voided",
    ]);
  });
});

describe("a plan with a trial, for which no invoice was ever paid", () => {
  const trial = { trialDays: 1, interval: "month" };

  describe("and whose card is declined", () => {
    tell(CARDS.failsLater, trial);

    it("2025-06-02: is suspended at once (rule D4b)", async () => {
      expect(await story.access("ada")).toEqual([]);
      const { graceEndsAt, status } = await story.subscription(id);
      expect({ graceEndsAt, status }).toEqual({ graceEndsAt: undefined, status: "past_due" });
      const { data } = await story.ok(story.app.manage("GET", `/benefit-grants?customerId=${customerId}`));
      expect(data).toMatchObject([{ status: "revoked", revokedAt: "2025-06-02T09:00:00.000Z" }]);
    });

    it("2025-06-05: comes back for the rest of the period with another card (rule D8c)", async () => {
      await story.travel("2025-06-05");
      await story.newCard(customerId, CARDS.pays);
      expect((await story.news()).slice(-4)).toEqual([...PAID, "subscription.recovered", "benefit_grant.granted"]);
      expect(await newestInvoice()).toMatchObject({ status: "paid", restarted: false });
    });
  });

  describe("and that has no card", () => {
    tell(CARDS.pays);

    it("2025-06-04: keeps the grace", async () => {
      const grace = { externalId: "grace", email: "grace@example.com" };
      const { id: customer } = await story.ok(story.app.api("POST", "/customers", grace));
      const sold = await story.ok(
        story.app.manage("POST", "/subscriptions", { customerId: customer, productKey: "premium" }),
      );
      expect(sold).toMatchObject({ status: "past_due" });
      expect(await story.access("grace")).toEqual(["SSO"]);
      const { data } = await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=grace"));
      expect(data).toMatchObject([{ expiresAt: "2025-06-06T09:00:00.000Z" }]);
    });
  });
});

describe("a cancellation at the instant of the period's end, without access", () => {
  tell(CARDS.failsLater);

  it("2025-06-04: the planned end is due at once, although the clock stands still", async () => {
    expect(await story.subscription(id)).toMatchObject({
      status: "past_due",
      currentPeriodEnd: "2025-06-04T09:00:00.000Z",
    });
    expect(await story.change(id, { cancelAtPeriodEnd: true })).toMatchObject({
      status: "canceled",
      cancelAtPeriodEnd: true,
      endedAt: "2025-06-04T09:00:00.000Z",
    });
    const ended = ["subscription.canceled", "invoice.voided", "invoice.voided"];
    expect(await story.news()).toEqual(["subscription.cancellation_scheduled", ...ended]);
  });
});
