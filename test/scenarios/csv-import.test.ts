import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { openCsvCommand, type CsvCommand, type TestRow } from "../support/csv-import.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let csv: CsvCommand;
beforeEach(async () => {
  story = await startStory({ clock: "2026-03-10T09:00:00Z" });
  csv = await openCsvCommand(story.app);
  await story.plan("pro", 3000, { name: "Pro", quantity: { minimum: 1, maximum: 10 } });
  await story.news();
});
afterEach(async () => {
  await csv.clear();
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const ADA: TestRow = {
  id: "row-1",
  customer_id: "ada",
  email: "ada@example.com",
  name: "Ada",
  product: "pro",
  started_at: "2025-06-20",
  period_end: "2026-03-20",
};

async function customer(externalId: string): Promise<Json> {
  return (await story.ok(story.app.manage("GET", `/customers?externalId=${externalId}`))).data[0];
}
async function subscriptionOf(externalId: string): Promise<Json> {
  const { id } = await customer(externalId);
  return (await story.ok(story.app.manage("GET", `/subscriptions?customerId=${id}`))).data[0];
}
/** The e-mails to Customers in order: `2026-03-10 card_request kept`. */
async function mails(): Promise<string[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", "/emails?limit=100"));
  return data
    .toReversed()
    .map(({ createdAt, kind, status, reason }: Json) =>
      [createdAt.slice(0, 10), kind, status, ...(reason ? [reason] : [])].join(" "),
    );
}
async function messages(kind: string): Promise<Json[]> {
  const { data } = await story.ok(story.app.manage("GET", `/emails?kind=${kind}`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
async function imported(rows: readonly TestRow[], ...options: string[]): Promise<void> {
  expect(await csv.run(rows, ...options)).toMatchObject({ code: 0 });
}

describe("a Subscription that comes from a table (rules V20, V21)", () => {
  test("without a card is asked for one, is past due at the renewal, and is paid on the page", async () => {
    // 10 March: the import. The card is asked for at once.
    await imported([ADA]);
    const subscription = await subscriptionOf("ada");
    expect(subscription).toMatchObject({
      status: "active",
      amount: 3000,
      currentPeriodStart: "2026-02-20T00:00:00.000Z",
      currentPeriodEnd: "2026-03-20T00:00:00.000Z",
      startedAt: "2025-06-20T00:00:00.000Z",
      imported: { source: "csv", reference: "row-1", held: false },
    });
    expect(await story.news()).toEqual(["customer.created", "subscription.created"]);
    expect(await story.statement()).toEqual([]);
    expect(await mails()).toEqual(["2026-03-10 card_request kept"]);

    // 13 March: the notice of the renewal. 17 March: the reminder.
    await story.travel("2026-03-19");
    expect(await mails()).toEqual([
      "2026-03-10 card_request kept",
      "2026-03-13 renewal_upcoming kept",
      "2026-03-17 card_request kept",
    ]);

    // 20 March: the renewal finds no card.
    await story.travel("2026-03-20");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "invoice.payment_failed",
      "subscription.past_due",
    ]);
    expect(await story.statement()).toEqual(["0001 renewal open 3000", "     Pro 3000 2026-03-20 → 2026-04-20"]);
    expect((await mails()).at(-1)).toBe("2026-03-20 payment_failed kept");

    // 21 March: Ada gives a card, which pays the invoice.
    await story.travel("2026-03-21");
    await story.newCard(subscription.customerId, CARDS.pays);
    expect(await story.news()).toContain("subscription.recovered");
    expect(await story.subscription(subscription.id)).toMatchObject({ status: "active" });

    // 20 April: the card pays.
    await story.travel("2026-04-20");
    await story.settle();
    expect(await story.books()).toEqual({ paid: [3000, 3000], captured: [3000, 3000] });
  });

  test("with a card in time is charged at the end of its period, and is not reminded", async () => {
    // 10 March: the import, with a request 7 days before the charge.
    await imported([ADA], "--ask-for-card", "7");
    expect(await mails()).toEqual([]);

    // 13 March: the request, and the notice.
    await story.travel("2026-03-13");
    expect(await mails()).toEqual(["2026-03-13 renewal_upcoming kept", "2026-03-13 card_request kept"]);
    await story.newCard((await customer("ada")).id, CARDS.pays);

    // 20 March: the card pays the renewal.
    await story.travel("2026-03-20");
    expect(await story.statement()).toEqual(["0001 renewal paid 3000", "     Pro 3000 2026-03-20 → 2026-04-20"]);
    expect(await mails()).toEqual([
      "2026-03-13 renewal_upcoming kept",
      "2026-03-13 card_request kept",
      "2026-03-20 receipt kept",
    ]);
  });

  test("in a trial without a card says what follows, and ends with the trial", async () => {
    // 10 March: the import in a trial that ends on 25 March.
    const { period_end: _, ...trial } = ADA;
    await imported([{ ...trial, started_at: "2026-02-25", trial_end: "2026-03-25" }]);
    const subscription = await subscriptionOf("ada");
    expect(subscription).toMatchObject({ status: "trialing", trialEnd: "2026-03-25T00:00:00.000Z" });
    expect(await mails()).toEqual(["2026-03-10 card_request kept"]);
    const [asked] = await messages("card_request");
    expect(asked!.subject).toBe("[Sandbox] Pro needs a card before 25 March 2026");
    const text = asked!.text.replaceAll(/[\u00a0\n]/g, " ");
    expect(text).toContain("Your trial of Pro ends on 25 March 2026. We have no card on file for you.");
    expect(text).toContain("your access ends on that day, and you will not be charged.");

    // 22 March: the notice of the end asks for a card, too, so there is no reminder.
    await story.travel("2026-03-24");
    expect(await mails()).toEqual(["2026-03-10 card_request kept", "2026-03-22 trial_ending kept"]);

    // 25 March: the trial ends, and the Subscription with it.
    await story.travel("2026-03-25");
    expect(await story.subscription(subscription.id)).toMatchObject({ status: "canceled" });
    expect(await story.statement()).toEqual([]);
  });

  test("in a trial gets one e-mail at the instant of the notice, also if the request is planned for it", async () => {
    const { period_end: _, ...trial } = ADA;
    await imported([{ ...trial, started_at: "2026-02-25", trial_end: "2026-03-25" }], "--ask-for-card", "3");
    await story.travel("2026-03-24");
    expect(await mails()).toEqual(["2026-03-22 trial_ending kept"]);

    // A trial of which less than 3 days are left has no notice.
    await imported([{ ...trial, id: "row-2", customer_id: "bob", email: "bob@example.com", trial_end: "2026-03-26" }]);
    expect((await mails()).at(-1)).toBe("2026-03-24 card_request kept");
  });

  test("with credit for one period is asked in the period before the first charge", async () => {
    // 10 March: the import with 45.00 of credit, which pays the renewal of 20 March.
    await imported([{ ...ADA, balance: "45.00" }]);
    await story.travel("2026-03-19");
    expect(await mails()).toEqual(["2026-03-13 renewal_upcoming kept"]);

    // 20 March: the credit pays 30.00. The renewal of 20 April lacks 15.00 and a card.
    await story.travel("2026-04-19");
    expect(await mails()).toEqual([
      "2026-03-13 renewal_upcoming kept",
      "2026-03-20 receipt kept",
      "2026-03-20 card_request kept",
      "2026-04-13 renewal_upcoming kept",
      "2026-04-17 card_request kept",
    ]);
    await story.newCard((await customer("ada")).id, CARDS.pays);

    // 20 April: the card pays the rest. The later charges ask for no card.
    await story.travel("2026-06-20");
    expect(await story.books()).toEqual({ paid: [1500, 3000, 3000], captured: [1500, 3000, 3000] });
    expect((await mails()).filter((mail) => mail.includes("card_request"))).toHaveLength(2);
  });

  test("in a trial that credit pays is asked when the trial is over", async () => {
    // 10 March: a trial until 25 March, with 30.00 of credit.
    const { period_end: _, ...trial } = ADA;
    await imported([{ ...trial, started_at: "2026-02-25", trial_end: "2026-03-25", balance: "30" }]);
    await story.travel("2026-04-23");
    expect((await mails()).filter((mail) => mail.includes("card_request"))).toEqual([
      "2026-03-25 card_request kept",
      "2026-04-22 card_request kept",
    ]);
  });

  test("keeps its price, quantity, discount, credit and planned end", async () => {
    const off = { code: "HALF", type: "percentage", basisPoints: 5000, duration: "repeating", months: 6 };
    await story.ok(story.app.manage("POST", "/discounts", off));
    // 10 March: the import of three seats at 20.00, for half of the price until 1 May, with 10.00 of credit.
    await imported([
      {
        ...ADA,
        quantity: "3",
        amount: "60.00",
        discount_code: "half",
        discount_until: "2026-05-01",
        balance: "10,00",
        "metadata.plan": "legacy",
      },
      { ...ADA, id: "row-2", customer_id: "bob", email: "bob@example.com", ends_at: "2026-03-20" },
    ]);
    const ada = await subscriptionOf("ada");
    expect(ada).toMatchObject({ amount: 6000, quantity: 3, unitAmount: 2000, metadata: { plan: "legacy" } });
    expect(await story.balance(ada.customerId)).toBe(1000);
    const bob = await subscriptionOf("bob");
    expect(bob).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: "2026-03-20T00:00:00.000Z" });
    // Bob pays no more, so there is no e-mail to him.
    expect(await mails()).toEqual(["2026-03-10 card_request kept"]);
    await story.newCard(ada.customerId, CARDS.pays);

    // 20 March: half of 60.00, less the credit. Bob's Subscription ends.
    await story.travel("2026-03-20");
    expect(await story.books()).toEqual({ paid: [2000], captured: [2000] });
    expect(await story.subscription(bob.id)).toMatchObject({ status: "canceled", cancellationReason: null });

    // 20 April: the period begins before 1 May, so the discount takes its half off the whole period. 20 May: 60.00.
    await story.travel("2026-05-20");
    expect(await story.books()).toEqual({ paid: [2000, 3000, 6000], captured: [2000, 3000, 6000] });
  });

  test("is asked once if the charge is near, and not for an amount of 0", async () => {
    // 10 March: two days are left for one, and the other one costs nothing.
    await imported([
      { ...ADA, period_end: "2026-03-12" },
      { ...ADA, id: "row-2", customer_id: "bob", email: "bob@example.com", amount: "0" },
    ]);
    expect(await mails()).toEqual(["2026-03-10 card_request kept"]);
    await story.travel("2026-03-21");
    expect((await mails()).filter((mail) => mail.includes("card_request"))).toEqual(["2026-03-10 card_request kept"]);
    expect(await subscriptionOf("bob")).toMatchObject({ status: "active", amount: 0 });
  });

  test("is not asked by an e-mail that waited until the card was there, or that is switched off", async () => {
    await imported([ADA]);
    await story.newCard((await customer("ada")).id, CARDS.pays);
    expect(await mails()).toEqual(["2026-03-10 card_request skipped no_longer_asked"]);
    await story.ok(story.app.manage("PATCH", "/organization", { emails: { cardRequest: false } }));
    await imported([{ ...ADA, id: "row-2", customer_id: "bob", email: "bob@example.com" }]);
    expect(await mails()).toHaveLength(1);
  });
});
