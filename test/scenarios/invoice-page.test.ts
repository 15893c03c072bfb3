import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines } from "../support/bank.ts";
import { answerBank, BANK_PAGE, BANK_PAGE_OVER, linksOf } from "../support/bank-page.ts";
import { sql } from "../../src/store/driver/db.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const PAID = ["payment.succeeded", "invoice.paid"];
const FAILED = ["payment.failed", "invoice.payment_failed"];
const DECLINED = "4000000000000002";

let story: Story;

const typed = (number: string, more: Record<string, string> = {}) => ({
  number,
  expiry: "12 / 40",
  cvc: "123",
  ...more,
});
const newest = async (subscriptionId: string): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${subscriptionId}&limit=1`))).data[0];
const say = async (url: string) => wordsOf((await get(url)).text);
/** Types a card into the page as it stands. Returns the status. */
async function pay(url: string, number: string): Promise<number> {
  const instead = /name="instead" value="([^"]*)"/.exec((await get(url)).text)?.[1] ?? "";
  return (await post(url, typed(number, { instead }))).status;
}
/** Attempts of a Subscription, latest first. */
async function attempts(subscriptionId: string): Promise<string[]> {
  const { data } = await story.ok(story.app.manage("GET", `/payments?subscriptionId=${subscriptionId}`));
  return data.map(({ trigger, status, method }: Json) => `${trigger} ${method.last4} ${status}`);
}
const cards = async (customerId: string) =>
  (await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`))).data.map(
    (card: Json) => `${card.last4}${card.isDefault ? " default" : ""}`,
  );
const renameStatements = [
  `INSERT INTO payment_methods SELECT (jsonb_populate_record(m, '{"id": "pm_7zzzzzzzzzzzzzzzzzzzzzzzzz"}')).*
    FROM payment_methods m
   JOIN payments p ON (p.organization_id, p.payment_method_id) = (m.organization_id, m.id)
   WHERE p.status = 'requires_action'`,
  "UPDATE payments SET payment_method_id = 'pm_7zzzzzzzzzzzzzzzzzzzzzzzzz' WHERE status = 'requires_action'",
  `DELETE FROM payment_methods m WHERE NOT EXISTS (
     SELECT 1 FROM payments p WHERE (p.organization_id, p.payment_method_id) = (m.organization_id, m.id))
     AND EXISTS (SELECT 1 FROM payment_methods other WHERE other.organization_id = m.organization_id
     AND other.id = 'pm_7zzzzzzzzzzzzzzzzzzzzzzzzz' AND other.last4 = m.last4)`,
].map((text, n) => sql(`test.rename_${n}`, text));
/** Renames the challenged card's id, as if a process with a fast clock had made it. */
const giveLateId = () =>
  story.app.ctx.db.tx(async (tx) => {
    for (const statement of renameStatements) await tx.query(statement);
  });
async function sso(): Promise<string> {
  return (await story.ok(story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }))).id;
}

describe("a buyer with a declined renewal", () => {
  let id: string;
  let customerId: string;
  let url: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000, { benefitIds: [await sso()] });
    const customer = { email: "ada@example.com", externalId: "ada" };
    ({ id, customerId } = await story.buy({ productKey: "pro", customer }, CARDS.failsLater));
    await story.travel("2025-02-10");
    ({ url } = await newest(id));
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-02-10: is told the reason, the next attempt, and the end of access", async () => {
    const said = await say(url);
    expect(said).toContain("US$30.00 due");
    expect(said).toContain(
      "US$30.00 could not be charged to Visa •••• 0341 on 10 February 2025. The card was declined.",
    );
    expect(said).toContain("Unless you pay before then, we will try Visa •••• 0341 again on 13 February 2025.");
    expect(said).toContain("Without payment, your access ends on 17 February 2025.");
  });

  it("2025-02-11: another card is declined, and all else is as it was", async () => {
    await story.travel("2025-02-11");
    const before = await story.app.api("GET", `/subscriptions/${id}`);
    const { nextAttemptAt } = await newest(id);
    expect(await pay(url, DECLINED)).toBe(402);
    expect(await story.news()).toEqual(FAILED);
    const after = await story.app.api("GET", `/subscriptions/${id}`);
    expect([after.body, after.headers.get("ETag")]).toEqual([before.body, before.headers.get("ETag")]);
    expect(await newest(id)).toMatchObject({ status: "open", nextAttemptAt });
    expect(await attempts(id)).toEqual(["new_card 0002 failed", "renewal 0341 failed", "checkout 0341 succeeded"]);
    expect(await cards(customerId)).toEqual(["0341 default"]);
  });

  it("2025-02-18: after the grace there is no access", async () => {
    await story.travel("2025-02-18");
    expect(await story.access("ada")).toEqual([]);
    expect((await attempts(id)).slice(0, 2)).toEqual(["retry 0341 failed", "retry 0341 failed"]);
    expect(await say(url)).toContain("Your access is off until everything you owe is paid.");
    await story.news();
  });

  it("2025-02-19: a third card pays, brings back the access, and is charged from then on", async () => {
    await story.travel("2025-02-19");
    expect(await pay(url, CARDS.pays)).toBe(303);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered", "benefit_grant.granted"]);
    expect(await story.access("ada")).toEqual(["SSO"]);
    expect(await say(url)).toContain("Paid on 19 February 2025");
    const text = "Everything is paid, and you have access to pro";
    expect(await say(url)).toContain(text);
    expect(await cards(customerId)).toEqual(["4242 default", "0341"]);
    await story.travel("2025-03-10");
    expect(await say(url)).not.toContain(text);
    expect((await attempts(id)).slice(0, 2)).toEqual(["renewal 4242 succeeded", "new_card 4242 succeeded"]);
    expect(await story.books()).toEqual({ paid: [3000, 3000, 3000], captured: [3000, 3000, 3000] });
    expect(await story.audit()).toEqual([]);
  });
});

describe("a bank that asks the buyer", () => {
  let id: string;
  let url: string;
  beforeEach(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000);
    return () => story.close();
  });
  async function owe(card: string): Promise<void> {
    const bought = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
    id = bought.id;
    await story.newCard(bought.customerId, card);
    await story.travel("2025-02-10");
    ({ url } = await newest(id));
    await story.news();
  }
  const bankLink = async () => linksOf((await get(url)).text).find((link) => BANK_PAGE.test(link));
  /** The buyer answers the bank, and goes the way back to the page. Answers the page's address. */
  async function answer(pass: boolean): Promise<string> {
    const answered = await answerBank((await bankLink())!, pass);
    const page = redirectOf(url, await get(redirectOf(url, answered)));
    await get(page);
    return page;
  }

  it("about a renewal is answered by the link on the page", async () => {
    await owe(CARDS.asksBuyer);
    expect(await say(url)).toContain("Your bank asks you to confirm the payment of US$30.00 with Visa •••• 3220.");
    expect(await answer(true)).toBe(url);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect(await say(url)).toContain("Paid on 10 February 2025");
  });

  it("about a renewal is left for another card", async () => {
    await owe(CARDS.asksBuyer);
    expect(await pay(url, CARDS.pays)).toBe(303);
    expect(await story.news()).toEqual(["payment.failed", ...PAID, "subscription.recovered"]);
    expect((await attempts(id)).slice(0, 2)).toEqual(["new_card 4242 succeeded", "renewal 3220 failed"]);
  });

  it("about a card that was given on the page is no failure while the answer is awaited", async () => {
    await owe(CARDS.failsLater);
    expect(await pay(url, CARDS.asksBuyer)).toBe(303);
    expect(await story.news()).toEqual(["payment.action_required"]);
    await answer(true);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect(await story.books()).toEqual({ paid: [3000, 3000], captured: [3000, 3000] });
  });

  it("and is told no leaves everything as it was", async () => {
    await owe(CARDS.failsLater);
    const before = await story.subscription(id);
    await pay(url, CARDS.asksBuyer);
    await answer(false);
    expect(await story.news()).toEqual(["payment.action_required", ...FAILED]);
    expect(await story.subscription(id)).toEqual(before);
    expect(await say(url)).toContain(
      "could not be charged to Visa •••• 3220 on 10 February 2025. The payment was not confirmed with your bank.",
    );
  });

  it("is left for another card, without asking the one on file again", async () => {
    await owe(CARDS.failsLater);
    await pay(url, CARDS.asksBuyer);
    expect(await pay(url, DECLINED)).toBe(402);
    expect(await story.news()).toEqual(["payment.action_required", "payment.failed", ...FAILED]);
    expect((await attempts(id)).slice(0, 3)).toEqual([
      "new_card 0002 failed",
      "new_card 3220 failed",
      "renewal 0341 failed",
    ]);
  });

  it("and is never answered is given up by the next retry, which has its own outcome", async () => {
    await owe(CARDS.failsLater);
    await pay(url, CARDS.asksBuyer);
    const link = (await bankLink())!;
    await story.travel("2025-02-13");
    await story.settle();
    expect((await attempts(id)).slice(0, 3)).toEqual([
      "retry 0341 failed",
      "new_card 3220 failed",
      "renewal 0341 failed",
    ]);
    expect(await newest(id)).toMatchObject({ status: "open", nextAttemptAt: "2025-02-17T09:00:00.000Z" });
    expect((await get(link)).text).toMatch(BANK_PAGE_OVER);
    expect(await story.audit()).toEqual([]);
  });

  it("and is never answered is given up with the invoice", async () => {
    await owe(CARDS.failsLater);
    await pay(url, CARDS.asksBuyer);
    await story.ok(story.app.manage("POST", `/invoices/${(await newest(id)).id}/void`));
    expect(await story.news()).toEqual([
      "payment.action_required",
      "payment.failed",
      "invoice.voided",
      "subscription.recovered",
    ]);
    expect(await bankLink()).toBeUndefined();
    expect((await story.books()).captured).toEqual([3000]);
  });

  it("loses against a card that the Customer gives meanwhile", async () => {
    await owe(CARDS.failsLater);
    await pay(url, CARDS.asksBuyer);
    const { customerId } = await story.subscription(id);
    await story.newCard(customerId, CARDS.pays);
    expect((await attempts(id)).slice(0, 2)).toEqual(["new_card 4242 succeeded", "new_card 3220 failed"]);
    expect(await cards(customerId)).toContain("4242 default");
    expect(await story.audit()).toEqual([]);
  });

  it("loses against a card that is given later, though that one's id is the smaller one", async () => {
    await owe(CARDS.failsLater);
    await pay(url, CARDS.asksBuyer);
    await giveLateId();
    await story.travel("2025-02-11");
    const { customerId } = await story.subscription(id);
    await story.newCard(customerId, CARDS.pays);
    expect((await attempts(id)).slice(0, 2)).toEqual(["new_card 4242 succeeded", "new_card 3220 failed"]);
    expect(await story.audit()).toEqual([]);
  });

  it("pays after all, and leaves the card that was given later, though that one's id is the smaller one", async () => {
    await owe(CARDS.failsLater);
    await pay(url, CARDS.asksBuyer);
    await giveLateId();
    await story.travel("2025-02-11");
    await story.passAtBank();
    const { customerId } = await story.subscription(id);
    await story.newCard(customerId, CARDS.pays);
    expect((await attempts(id))[0]).toBe("new_card 3220 succeeded");
    expect(await cards(customerId)).toContain("4242 default");
    expect(await story.audit()).toEqual([]);
  });
});

describe("a card that pays one of several open invoices", () => {
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-06T09:00:00Z" });
    await story.ok(
      story.app.manage("PATCH", "/organization", { dunning: { retryDays: [3, 7, 14, 21], graceDays: 30 } }),
    );
    await story.plan("weekly", 500, { interval: "week" });
    await story.plan("addon", 700, { interval: "week", group: "addons" });
  });
  afterAll(() => story.close());

  it("pays the others, too, and the Customer's other debts", async () => {
    const customer = { email: "ada@example.com" };
    const weekly = await story.buy({ productKey: "weekly", customer }, CARDS.pays);
    const addon = await story.buy({ productKey: "addon", customer }, CARDS.failsLater);
    await story.travel("2025-01-28");
    const { data: open } = await story.ok(story.app.manage("GET", `/invoices?status=open&subscriptionId=${weekly.id}`));
    expect(open.length).toBeGreaterThan(2);
    expect(await story.subscription(addon.id)).toMatchObject({ status: "past_due" });
    expect(await pay(open[0].url, CARDS.pays)).toBe(303);
    await story.settle();
    expect(await story.subscription(weekly.id)).toMatchObject({ status: "active" });
    expect(await story.subscription(addon.id)).toMatchObject({ status: "active" });
    expect((await attempts(weekly.id)).slice(0, open.length)).toEqual(open.map(() => "new_card 4242 succeeded"));
    expect((await attempts(addon.id))[0]).toBe("new_card 4242 succeeded");
    expect(await story.audit()).toEqual([]);
  });
});

describe("a buyer that only typed an e-mail address", () => {
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("addon", 500, { group: "addons" });
  });
  afterAll(() => story.close());

  it("pays for their own purchase alone", async () => {
    const ada = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.failsLater);
    const { id: checkoutId } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "addon" }));
    const typedBy = { card: CARDS.failsLater, email: "ada@example.com" };
    const { subscriptionId } = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, typedBy),
    );
    await story.travel("2025-02-10");
    expect(await pay((await newest(subscriptionId)).url, CARDS.pays)).toBe(303);
    await story.settle();
    expect(await story.subscription(subscriptionId)).toMatchObject({ status: "active" });
    expect(await story.subscription(ada.id)).toMatchObject({ status: "past_due" });
    expect(await cards(ada.customerId)).toContain("0341 default");
    await story.travel("2025-03-10");
    expect((await attempts(subscriptionId)).slice(0, 2)).toEqual(["renewal 4242 succeeded", "new_card 4242 succeeded"]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a Subscription that was sold by hand, to a Customer without a card", () => {
  beforeAll(async () => void (story = await startStory({ clock: "2025-01-10T09:00:00Z" })));
  afterAll(() => story.close());

  it("is paid on the page of its first invoice", async () => {
    await story.plan("pro", 3000, { benefitIds: [await sso()] });
    const { id: customerId } = await story.ok(
      story.app.api("POST", "/customers", { email: "ada@example.com", externalId: "ada" }),
    );
    const { id } = await story.ok(story.app.manage("POST", "/subscriptions", { customerId, productKey: "pro" }));
    const { url } = await newest(id);
    const said = await say(url);
    expect(said).toContain("There is no card on file that can be charged.");
    expect(said).not.toContain("charged again");
    expect(await pay(url, CARDS.pays)).toBe(303);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    expect(await cards(customerId)).toEqual(["4242 default"]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a bank that declines every card", () => {
  beforeAll(async () => void (story = await startStory({ clock: "2025-01-10T09:00:00Z" })));
  afterAll(() => story.close());

  it("is asked ten times for an invoice, and the schedule goes on", async () => {
    await story.plan("pro", 3000);
    const { id } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.failsLater);
    await story.travel("2025-02-10");
    const { url } = await newest(id);
    const bank = bankOf(story.app);
    bank.says(declines("insufficient_funds"));
    for (let n = 0; n < 10; n += 1) expect(await pay(url, CARDS.pays)).toBe(402);
    bank.says(null);
    expect(await pay(url, CARDS.pays)).toBe(409);
    expect(await say(url)).toContain("Too many cards were declined");
    expect((await attempts(id)).length).toBe(12);
    await story.travel("2025-02-13");
    expect((await attempts(id))[0]).toBe("retry 0341 failed");
    expect(await newest(id)).toMatchObject({ status: "open", nextAttemptAt: "2025-02-17T09:00:00.000Z" });
  });
});
