import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, loses } from "../support/bank.ts";
import { expireHostedPages, payHosted, redirectOf, takeHostedCards } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const PAY = /\/sandbox\/pay\/org_\w+\/[\w-]{32}$/;
const RETURN = /\/return\/[\w-]{95}$/;
const BOUGHT = ["payment.succeeded", "subscription.created", "invoice.created", "invoice.paid", "checkout.completed"];

let story: Story;
let names = 0;

beforeAll(async () => {
  story = await startStory({ clock: "2026-02-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await takeHostedCards(story.app);
  await story.plan("pro", 3000);
  await story.plan("max", 9000);
  await story.plan("trial", 3000, { trialDays: 14 });
  await story.plan("trial-optional", 3000, { trialDays: 14, trialCard: "optional" });
  await story.plan("book", 4900, { interval: null });
  await story.plan("free", 0, { group: "free" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

async function open(productKey: string, more: object = {}): Promise<Json> {
  const customer = { email: `buyer-${(names += 1)}@example.com`, externalId: `buyer-${names}` };
  const body = "subscriptionId" in more ? { productKey, ...more } : { productKey, customer, ...more };
  const checkout = await story.ok(story.app.api("POST", "/checkouts", body));
  await story.news();
  return checkout;
}
const read = (id: string) => story.ok(story.app.api("GET", `/checkouts/${id}`));
const agreed = (text: string) => /name="expectedAmount" value="(\d+)"/.exec(text)![1]!;
const paymentsOf = async (id: string) =>
  (await story.ok(story.app.manage("GET", "/payments?limit=100"))).data.filter((each: Json) => each.checkoutId === id);

/** Submits the page of a Checkout. Returns the answer's redirect. */
async function submit(url: string, fields: Record<string, string> = {}): Promise<string> {
  const expectedAmount = agreed((await get(url)).text);
  const answer = await post(url, { expectedAmount, ...fields });
  expect(answer.status, answer.text).toBe(303);
  return redirectOf(url, answer);
}

/** Follows redirects from a return address to the page of the buyer. */
async function comeBack(address: string): Promise<{ to: string; text: string }> {
  expect(address).toMatch(RETURN);
  const back = await get(address);
  expect(back.status).toBe(303);
  const to = redirectOf(address, back);
  return { to, text: (await get(to)).text };
}

describe("a Checkout with a hosted entry", () => {
  it("has no field for a card, and lets its form lead to the provider alone", async () => {
    const { url } = await open("pro");
    const { text, headers } = await get(url);
    expect(text).not.toContain('name="number"');
    expect(wordsOf(text)).toContain("You’ll pay on Sandbox Pay ’s page.");
    expect(wordsOf(text)).toContain("Continue to payment");
    expect(headers.get("Content-Security-Policy")).toContain(`form-action 'self' ${new URL(url).origin};`);
  });

  it("is paid on the provider's page, with one redirect there and one back", async () => {
    const { id, url } = await open("pro");
    const page = await submit(url);
    expect(page).toMatch(PAY);
    expect(await read(id)).toMatchObject({ status: "processing" });
    expect(await story.news()).toEqual([]);
    const shown = wordsOf((await get(page)).text);
    expect(shown).toContain("Pay US$30.00 to Test");
    const { to, text } = await comeBack(await payHosted(page, CARDS.pays));
    expect(to).toBe(url);
    expect(text).toContain("Thank you");
    expect(await read(id)).toMatchObject({ status: "completed" });
    expect(await story.news()).toEqual(BOUGHT);
    expect(await paymentsOf(id)).toMatchObject([{ status: "succeeded", method: { last4: "4242" } }]);
    expect(wordsOf((await get(page)).text)).toContain("Your card was accepted.");
  });

  it("waits for another card after a declined one, and counts no failed attempt", async () => {
    const { id, url } = await open("pro");
    const page = await submit(url);
    expect(await payHosted(page, CARDS.declined)).toBe(page);
    expect(wordsOf((await get(page)).text)).toContain("The card was declined.");
    expect(await read(id)).toMatchObject({ status: "processing", lastPaymentError: null });
    await comeBack(await payHosted(page, CARDS.paysToo));
    expect(await story.news()).toEqual(BOUGHT);
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  it("names the field of a card that can't be read, without showing the number again", async () => {
    const { url } = await open("pro");
    const page = await submit(url);
    const wrong = await post(page, { number: "4111 1111 1111 1111", expiry: "12 / 40", cvc: "987" });
    expect([wrong.status, wordsOf(wrong.text)]).toEqual([422, expect.stringContaining("takes only its test cards")]);
    expect(wrong.text).not.toMatch(/4111|987/);
    expect((await post(page, {})).status).toBe(422);
    expect(await get(`${page.slice(0, -1)}${page.endsWith("_") ? "-" : "_"}`)).toMatchObject({ status: 404 });
  });

  it("leads to the bank if the card asks for it, and from a refusal back to the provider's page", async () => {
    const { id, url } = await open("pro");
    const page = await submit(url);
    const bank = await payHosted(page, CARDS.asksBuyer);
    expect(bank).toContain("/sandbox/challenge/");
    expect(redirectOf(bank, await post(bank, { answer: "fail" }))).toBe(page);
    expect(wordsOf((await get(page)).text)).toContain("The payment was not confirmed with your bank.");
    const again = await payHosted(page, CARDS.asksBuyer);
    await comeBack(redirectOf(again, await post(again, { answer: "pass" })));
    expect(await read(id)).toMatchObject({ status: "completed" });
    expect((await story.news()).filter((type) => type === "payment.action_required")).toEqual([]);
  });

  it("shows a second tab the way on, and makes no second payment of a double click", async () => {
    const { id, url } = await open("pro");
    const expectedAmount = agreed((await get(url)).text);
    const clicks = await Promise.all([1, 2, 3].map(() => post(url, { expectedAmount })));
    const pages = clicks.map((click) => redirectOf(url, click));
    const page = pages.find((each) => PAY.test(each))!;
    for (const each of pages) expect([page, url]).toContain(each);
    expect(await paymentsOf(id)).toHaveLength(1);
    const { text } = await get(url);
    expect(wordsOf(text)).toContain("Pay US$30.00 on Sandbox Pay ’s page. You’ll then come back here.");
    expect(text).toContain(`<a class="button" href="${page}"`);
    expect(text).not.toContain("expectedAmount");
    await payHosted(page, CARDS.pays);
    expect(await get(url)).toMatchObject({ text: expect.stringContaining("Thank you") });
  });

  it("opens again if the buyer wants to pay another way, and the provider's page takes no card any more", async () => {
    const { id, url } = await open("pro");
    const page = await submit(url);
    expect(redirectOf(url, await post(url, { action: "give-up" }))).toBe(url);
    expect(await read(id)).toMatchObject({ status: "open", lastPaymentError: { code: "canceled" } });
    const { text } = await get(url);
    expect(wordsOf(text)).toContain("Payment cancelled The payment was cancelled. The card was not charged.");
    expect(wordsOf((await get(page)).text)).toContain("This page has expired");
    await comeBack(await payHosted(page, CARDS.pays));
    expect(await paymentsOf(id)).toMatchObject([{ status: "failed", failureCode: "canceled", method: null }]);
    const next = await submit(url);
    expect(next).not.toBe(page);
    await comeBack(await payHosted(next, CARDS.pays));
    expect(await read(id)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("is completed if the buyer had paid before giving up", async () => {
    const { id, url } = await open("pro");
    const page = await submit(url);
    const [organizationId, token] = page.split("/").slice(-2) as [string, string];
    const typed = { number: CARDS.pays, expMonth: 12, expYear: 2040, cvc: "123" };
    await story.app.ctx.payments.sandbox.payOnPage(organizationId, token, typed);
    await post(url, { action: "give-up" });
    expect(await read(id)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("opens again if the provider's page has expired", async () => {
    const { id, url } = await open("pro");
    const page = await submit(url);
    await expireHostedPages(story.app);
    expect(wordsOf((await get(page)).text)).toContain("This page has expired");
    expect(wordsOf((await get(url)).text)).toContain("Payment cancelled");
    expect(await read(id)).toMatchObject({ status: "open" });
    await story.news();
  });

  it("tells the buyer to wait if the provider did not answer, and goes on once the page is made", async () => {
    const bank = bankOf(story.app);
    const { id, url } = await open("pro");
    bank.says(loses);
    expect(await submit(url)).toBe(url);
    expect(wordsOf((await get(url)).text)).toContain("We’re preparing the page for your card.");
    bank.says(null);
    await story.settle();
    const [, page] = /href="([^"]+\/sandbox\/pay\/[^"]+)"/.exec((await get(url)).text)!;
    await comeBack(await payHosted(page!, CARDS.pays));
    expect(await read(id)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("keeps the form in use if the entry changes while a page is open", async () => {
    const { id, url } = await open("pro");
    const expectedAmount = agreed((await get(url)).text);
    await story.ok(story.app.manage("PATCH", "/organization", { sandboxEntry: "typed" }));
    const typed = await post(url, { expectedAmount });
    expect([typed.status, wordsOf(typed.text)]).toEqual([422, expect.stringContaining("Enter your card number.")]);
    await takeHostedCards(story.app);
    // The fields of a typed form are not sent to the provider.
    const page = redirectOf(url, await post(url, { expectedAmount, number: CARDS.declined, expiry: "1", cvc: "x" }));
    await comeBack(await payHosted(page, CARDS.pays));
    expect(await read(id)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("still works with the tools of a sandbox, which have no browser", async () => {
    const { id } = await open("pro");
    const pay = (card: string) => story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card });
    expect(await pay(CARDS.declined)).toMatchObject({ body: { lastPaymentError: { code: "card_declined" } } });
    expect(await pay(CARDS.pays)).toMatchObject({ status: 200, body: { status: "completed", nextAction: null } });
    await story.news();
  });
});

describe("a hosted entry without a charge", () => {
  it("saves the card of a trial", async () => {
    const { id, url } = await open("trial");
    expect(wordsOf((await get(url)).text)).toContain("You’ll enter your card on Sandbox Pay ’s page.");
    const page = await submit(url);
    expect(wordsOf((await get(page)).text)).toContain("Save a card for Test Your card won’t be charged now.");
    expect(wordsOf((await get(url)).text)).toContain("Enter your card to continue");
    await comeBack(await payHosted(page, CARDS.pays));
    const { subscriptionId } = await read(id);
    expect(await story.subscription(subscriptionId)).toMatchObject({ status: "trialing" });
    expect(await story.news()).toEqual(["subscription.created", "checkout.completed"]);
    expect((await story.books()).captured).toHaveLength((await story.books()).paid.length);
  });

  it("lets the buyer choose a trial with a card or without", async () => {
    const { url } = await open("trial-optional");
    expect(await submit(url, { withCard: "no" })).toBe(url);
    expect(await story.news()).toEqual(["subscription.created", "checkout.completed"]);
    const other = await open("trial-optional");
    const page = await submit(other.url, { withCard: "yes" });
    expect(page).toMatch(PAY);
    await comeBack(await payHosted(page, CARDS.pays));
    expect(await read(other.id)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("does not leave the page for a price of 0", async () => {
    const { id, url } = await open("free");
    expect(wordsOf((await get(url)).text)).not.toContain("Sandbox Pay");
    expect(await submit(url)).toBe(url);
    expect(await read(id)).toMatchObject({ status: "completed" });
    await story.news();
  });
});

describe("the reservations of a hosted payment", () => {
  it("end after 30 minutes, though the Checkout is still open then", async () => {
    const name = { externalId: "reserved", email: "reserved@example.com" };
    const { id, url } = await open("pro", { customer: name });
    const other = await open("max", { customer: name });
    const page = await submit(url);
    const tool = () => story.app.manage("POST", `/sandbox/checkouts/${other.id}/pay`, { card: CARDS.pays });
    expect(await tool()).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
    await story.travel("2026-02-01T09:29:59.999Z");
    expect(await read(id)).toMatchObject({ status: "processing" });
    await story.travel("2026-02-01T09:30:00Z");
    expect(await read(id)).toMatchObject({ status: "open", lastPaymentError: { code: "canceled" } });
    expect(await story.news()).toEqual(["payment.failed", "checkout.payment_failed"]);
    expect(wordsOf((await get(page)).text)).toContain("This page has expired");
    expect(await tool()).toMatchObject({ status: 200, body: { status: "completed" } });
    await story.news();
  });

  it("end with the Checkout, if that has expired meanwhile", async () => {
    const { id, url } = await open("book", { expiresInMinutes: 5 });
    await submit(url);
    await story.travel("2026-02-01T09:59:59Z");
    expect(await read(id)).toMatchObject({ status: "processing" });
    await story.travel("2026-02-01T10:00:00Z");
    expect(await read(id)).toMatchObject({ status: "expired" });
    expect(await story.news()).toEqual(["payment.failed", "checkout.payment_failed", "checkout.expired"]);
  });

  it("are kept by a payment in time", async () => {
    const { id, url } = await open("book", { expiresInMinutes: 5 });
    const page = await submit(url);
    await payHosted(page, CARDS.pays);
    await story.travel("2026-02-01T10:40:00Z");
    expect(await read(id)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("release a change of a Subscription", async () => {
    const bought = await story.buy({ productKey: "pro", customer: { email: "c@example.com" } }, CARDS.pays);
    const { id, url } = await open("max", { subscriptionId: bought.id });
    const answer = await get(url);
    const fields = {
      expectedAmount: agreed(answer.text),
      shownAt: /name="shownAt" value="([^"]+)"/.exec(answer.text)![1]!,
    };
    await submit(url, fields);
    const blocked = await story.app.api("PATCH", `/subscriptions/${bought.id}`, { productKey: "max" });
    expect(blocked).toMatchObject({ status: 409, body: { code: "change_in_progress" } });
    await story.travel("2026-02-01T11:10:00Z");
    expect(await read(id)).toMatchObject({ status: "open" });
    const page = await submit(url);
    await comeBack(await payHosted(page, CARDS.paysToo));
    expect(await story.subscription(bought.id)).toMatchObject({ status: "active", amount: 9000 });
  });
});
