import { describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { bankOf, declines } from "../support/bank.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { signInTo, type WebClient } from "../support/portal.ts";
import { ada, bring, manage, PAID, raise, rows, story, tell } from "../support/price-story.ts";
import { CARDS } from "../support/story.ts";

const RESTARTED = [
  "subscription.price_change_applied",
  "subscription.recovered",
  "subscription.renewed",
  "invoice.created",
  "benefit_grant.granted",
  ...PAID,
];
const ASKED = ["payment.action_required", "invoice.payment_failed"];
const BACK = "You pay the US$30.00 that you owe, plus US$36.00 for pro until 20 April 2026.";
const typed = (number: string) => ({ number, expiry: "12 / 40", cvc: "123" });
const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, n, v]) => [n!, v!]));
const portal = () => `/portal/${story.app.organization.id}`;

let url: string;
let round: string;

/** Ada's period is over on 10 March without access, and her new price of that day has no consent. */
async function stall(card: string = CARDS.failsLater): Promise<void> {
  await manage("PATCH", "/organization", { dunning: { retryDays: [3, 60], graceDays: 2 } });
  await story.newCard(ada["customerId"], card);
  await story.travel("2026-01-15");
  await raise(3600);
  round = await bring({ consent: "required", noticeDays: 30 });
  await story.travel("2026-03-20");
  const { data } = await manage("GET", `/invoices?subscriptionId=${ada["id"]}&status=open`);
  url = data[0].url;
  expect(await story.subscription(ada["id"])).toMatchObject({ status: "past_due", priceChange: { consentedAt: null } });
  await story.news();
  await story.statement();
}
const present = (): Promise<Json> => story.subscription(ada["id"]);
async function expectRestart(): Promise<void> {
  await story.settle();
  expect(await story.news()).toEqual(["subscription.updated", ...PAID, ...RESTARTED]);
  expect(await story.statement()).toEqual([
    "0002 renewal paid 3000",
    "0003 renewal paid 3600",
    "     pro 3600 2026-03-20 → 2026-04-20",
  ]);
  expect(await present()).toMatchObject({ status: "active", amount: 3600, priceChange: null });
  expect(await rows(round)).toMatchObject([{ status: "applied", consentedAt: "2026-03-20T09:00:00.000Z" }]);
}

describe("the page of an invoice, and a restart at a new price without a consent (rules D8f, N6)", () => {
  tell();

  it("20 March: shows the debt and the new period", async () => {
    await stall();
    expect(wordsOf((await get(url)).text)).toContain(BACK);
  });

  it("20 March: takes no payment for a page that showed the new period at no new price", async () => {
    const fields = fieldsOf((await get(url)).text);
    for (const shown of [{}, { ...fields, price: "" }, { ...fields, price: "pch_other" }])
      expect((await post(url, { ...typed(CARDS.pays), ...shown })).status).toBe(303);
    await story.settle();
    expect(await story.news()).toEqual([]);
  });

  it("20 March: the click agrees to the new price, and the new period begins", async () => {
    await post(url, { ...typed(CARDS.pays), ...fieldsOf((await get(url)).text) });
    await expectRestart();
  });
});

describe("the card of the portal, and a restart at a new price without a consent (rules D8g, N6)", () => {
  tell();
  let there: WebClient;

  it("20 March: the page of a card shows the debt and the new period", async () => {
    await stall();
    there = await signInTo(story, ada["customerId"]);
    expect(wordsOf((await there.get(portal())).text)).not.toContain("unless you agree");
    const said = wordsOf((await there.get(`${portal()}/card`)).text);
    expect(said).toContain("US$66.00");
    expect(said).toContain(BACK);
  });

  it("20 March: takes no card from a page without the new price", async () => {
    expect((await there.post(`${portal()}/card`, typed(CARDS.paysToo))).status).toBe(409);
    expect(await story.news()).toEqual([]);
  });

  it("20 March: the click agrees to the new price, and the new period begins", async () => {
    const fields = fieldsOf((await there.get(`${portal()}/card`)).text);
    expect((await there.post(`${portal()}/card`, { ...typed(CARDS.paysToo), ...fields })).status).toBe(303);
    await expectRestart();
  });
});

describe("a bank that asks about a retry, and a restart at a new price without a consent (rules D8f, N6)", () => {
  tell();

  it("20 March: the page asks for the consent before it leads to the bank", async () => {
    await stall();
    await story.newCard(ada["customerId"], CARDS.asksBuyer);
    await story.settle();
    expect(await story.news()).toEqual(ASKED);
    const { text } = await get(url);
    expect(wordsOf(text)).toContain(BACK);
    expect([/Agree to the new price/.test(text), /Continue to your bank/.test(text)]).toEqual([true, false]);
    const stale = await post(url, { ...fieldsOf(text), price: "pch_other", action: "agree" });
    expect([stale.status, (await present())["priceChange"].consentedAt]).toEqual([303, null]);
    expect((await post(url, { ...fieldsOf(text), action: "agree" })).status).toBe(303);
    const after = (await get(url)).text;
    expect([/Agree to the new price/.test(after), /Continue to your bank/.test(after)]).toEqual([false, true]);
    expect(await story.news()).toEqual(["subscription.updated"]);
    await story.answerChallenge(true);
    expect((await story.news()).slice(0, PAID.length + 1)).toEqual([...PAID, "subscription.price_change_applied"]);
    expect(await present()).toMatchObject({ amount: 3600, priceChange: null });
  });
});

describe("a retry, and a new price without a consent (rules D8d, N6)", () => {
  tell();
  let bank: ReturnType<typeof bankOf>;
  const ENDS = "again on 11 April 2026. If that succeeds, pro ends, because you have not agreed to its new price.";

  it("13 February: the retry fails, and the e-mail says that the next one ends the Subscription", async () => {
    bank = bankOf(story.app);
    bank.says(declines("card_declined"));
    await stall(CARDS.pays);
    await mailOnce(story.app.ctx);
    const { data } = await manage("GET", `/emails?customerId=${ada["customerId"]}&kind=payment_failed`);
    const { text } = await manage("GET", `/emails/${data[0].id}`);
    expect(text.replaceAll(/\s+/g, " ")).toContain("We will try again on 11 April 2026, unless you pay before then.");
    expect(text.replaceAll(/\s+/g, " ")).toContain("If that succeeds, pro ends, because you have not agreed");
  });

  it("20 March: the portal says so, too, with the way to stay", async () => {
    const there = await signInTo(story, ada["customerId"]);
    const said = wordsOf((await there.get(portal())).text).replaceAll("\u00a0", " ");
    expect(said).toContain(BACK);
    expect(said).toContain(ENDS);
  });

  it("11 April: the retry pays the debt, and the Subscription ends", async () => {
    bank.says(null);
    await story.travel("2026-04-12");
    expect(await story.news()).toEqual([...PAID, "subscription.canceled"]);
    expect(await present()).toMatchObject({ status: "canceled", cancellationReason: "price_not_accepted" });
  });
});

describe("a payment without a page, and a new price without a consent (rules D8g, N6)", () => {
  tell();

  it("20 March: an invoice that was paid outside ends the Subscription, and no new period is charged", async () => {
    await stall();
    const [{ id }] = (await manage("GET", `/invoices?subscriptionId=${ada["id"]}&status=open`))["data"];
    await manage("POST", `/invoices/${id}/mark-paid`);
    await story.settle();
    expect(await story.news()).toEqual(["invoice.paid", "subscription.canceled"]);
    expect(await present()).toMatchObject({ status: "canceled", cancellationReason: "price_not_accepted" });
  });
});
