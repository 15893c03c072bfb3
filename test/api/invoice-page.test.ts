import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWebApp } from "../../src/web/app.ts";
import type { Json } from "../support/app.ts";
import { bankOf, keepsSilent, loses, type Bank } from "../support/bank.ts";
import { buyOnPage, loseKeys, startLiveStory, takeNoCards, takeSandboxCards } from "../support/downtime.ts";
import { get, post, wordsOf, type Page } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const NUMBER = "4242424242424242";
const CARD = { number: NUMBER, expiry: "12 / 40", cvc: "987" };
const DECLINED = { ...CARD, number: "4000 0000 0000 0002" };
const ASKS = { ...CARD, number: CARDS.asksBuyer };
const PAID = ["payment.succeeded", "invoice.paid", "subscription.recovered"];

let story: Story;
let bank: Bank;
let subscriptionId: string;
/** An invoice that is open since the day before, because the card on file was declined. */
let open: Json;

async function owe(): Promise<void> {
  story = await startStory({ clock: "2025-01-10T09:00:00Z" });
  bank = bankOf(story.app);
  await story.plan("pro", 3000);
  ({ id: subscriptionId } = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com" } },
    CARDS.failsLater,
  ));
  await story.travel("2025-02-11");
  [open] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
  await story.news();
}
async function close(): Promise<void> {
  expect(await story.audit()).toEqual([]);
  await story.close();
}

const hand = (operation: string) => story.ok(story.app.manage("POST", `/invoices/${open.id}/${operation}`));
const attempts = async () => (await story.ok(story.app.manage("GET", `/payments?invoiceId=${open.id}`))).data;
const hasForm = ({ text }: Page) => text.includes("<form");
const insteadIn = ({ text }: Page) => /name="instead" value="([^"]*)"/.exec(text)![1]!;

describe("the page of an open invoice", () => {
  beforeAll(owe);
  afterAll(close);

  it("takes a card by its whole link alone, and only as a form of ours", async () => {
    for (const wrong of [
      open.url.slice(0, -1),
      `${open.url}A`,
      open.url.replace(open.id, "inv_01kg8n5vq4e0rb7w9c3d6f2h1j"),
    ]) {
      expect(await post(wrong, CARD)).toMatchObject({ status: 404 });
      expect(await get(`${wrong}/status`)).toMatchObject({ status: 404 });
    }
    expect(await post(open.url, CARD, { "Sec-Fetch-Site": "cross-site" })).toMatchObject({ status: 403 });
    expect(await post(open.url, CARD, { Origin: "https://evil.example" })).toMatchObject({ status: 403 });
    expect(await post(open.url, CARD, { "Content-Type": "application/json" })).toMatchObject({ status: 415 });
    expect(await post(open.url, { ...CARD, more: "x".repeat(20_000) })).toMatchObject({ status: 413 });
    expect((await get(open.url, "DELETE")).headers.get("Allow")!.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
    expect(await attempts()).toHaveLength(1);
  });

  it("names the fault at each field, and never shows a card's number or code again", async () => {
    for (const [fields, said] of [
      [{}, ["Enter your card number.", "Enter the month and year", "Enter the security code"]],
      [{ ...CARD, number: "4242" }, ["Enter the full card number"]],
      [{ ...CARD, number: "4111 1111 1111 1111" }, ["A sandbox takes only its test cards"]],
      [{ ...CARD, expiry: "13 / 40" }, ["Enter the month and year"]],
      [{ ...CARD, expiry: "12 / 20" }, ["This date is in the past"]],
      [{ ...CARD, cvc: "98" }, ["Enter the 3 digits from the back of your card."]],
      [{ ...CARD, expiry: NUMBER }, ["Enter the month and year"]],
      [{ ...CARD, expiry: `"><script>` }, ["Enter the month and year"]],
      [DECLINED, ["Payment failed", "The card was declined. Try another card or ask your bank."]],
    ] as [Record<string, string>, string[]][]) {
      const { status, text } = await post(open.url, fields);
      expect(status, JSON.stringify(fields)).toBe(fields === DECLINED ? 402 : 422);
      for (const part of said) expect(wordsOf(text)).toContain(part);
      expect(text).toContain("<title>Error: Invoice");
      const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([input]) => input).join("\n");
      expect(inputs).not.toMatch(/42\s?42|00\s?02|98|script/);
    }
    expect(await attempts()).toHaveLength(2);
    expect((await post(open.url, { ...CARD, number: "" })).text).toContain('value="12 / 40"');
  });

  it("stays below the directory of a site", async () => {
    const pages = createWebApp({
      ...story.app.ctx,
      config: { ...story.app.ctx.config, publicOrigin: "https://shop.example/billing" },
    });
    const path = new URL(open.url).pathname;
    const asked = { client: "192.0.2.1", requestId: "req_1" };
    const answer = await pages.request(path, { method: "POST", body: new URLSearchParams(ASKS) }, asked);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/billing${path}`]);
    const page = await pages.request(path, {}, asked);
    expect(await page.text()).toContain(`href="/billing${path}/pdf"`);
  });

  it("counts the attempts of one address", async () => {
    const answers = await Promise.all(Array.from({ length: 31 }, () => post(open.url, {})));
    expect(answers.some(({ status, headers }) => status === 429 && headers.get("Retry-After") === "60")).toBe(true);
    expect(await attempts()).toHaveLength(3);
  });
});

describe("an invoice that is paid on its page", () => {
  beforeEach(owe);
  afterEach(close);

  it("is charged once by a double click", async () => {
    const answers = await Promise.all([post(open.url, CARD), post(open.url, CARD), post(open.url, CARD)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await story.news()).toEqual(PAID);
    expect((await story.books()).captured).toEqual([3000, 3000]);
    expect(wordsOf((await get(open.url)).text)).toContain("Paid on 11 February 2025");
  });

  it("keeps the bank's question that a double click met, and that the form did not show", async () => {
    await Promise.all([post(open.url, ASKS), post(open.url, ASKS)]);
    await post(open.url, CARD);
    expect(await story.news()).toEqual(["payment.action_required"]);
    const page = await get(open.url);
    const [waiting] = await attempts();
    expect(insteadIn(page)).toBe(waiting.id);
    expect(page.text).toContain(waiting.nextAction.url);
    expect(await post(open.url, { ...CARD, instead: waiting.id })).toMatchObject({ status: 303 });
    expect(await story.news()).toEqual(["payment.failed", ...PAID]);
  });

  it("is paid by the question where the buyer was faster than their other card", async () => {
    await post(open.url, ASKS);
    const instead = insteadIn(await get(open.url));
    await story.passAtBank();
    expect(await post(open.url, { ...CARD, instead })).toMatchObject({ status: 303 });
    expect((await attempts())[0]).toMatchObject({ status: "succeeded", method: { last4: "3220" } });
    expect((await story.books()).captured).toEqual([3000, 3000]);
  });

  it("is waited for where the bank's answer was lost", async () => {
    expect(await post(open.url, { ...CARD, number: CARDS.answerLost })).toMatchObject({ status: 303 });
    const page = await get(open.url);
    expect(wordsOf(page.text)).toContain("US$30.00 is being charged to Visa •••• 0507 right now.");
    expect(page.text).toContain('http-equiv="refresh"');
    expect(hasForm(page)).toBe(false);
    expect(await get(`${open.url}/status`)).toMatchObject({ status: 200, text: "paying unknown" });
    expect(await post(open.url, CARD)).toMatchObject({ status: 303 });
    await story.settle();
    expect(await get(`${open.url}/status`)).toMatchObject({ text: "settled" });
    expect(await story.news()).toEqual(PAID);
  });

  it("is charged as in the buyer's presence also where the request got lost first", async () => {
    bank.says(loses);
    await post(open.url, { ...CARD, number: CARDS.failsLater });
    bank.says(null);
    await story.settle();
    expect(await story.news()).toEqual(PAID);
  });

  it("gives no card to a Subscription that has ended meanwhile, and the money to the balance", async () => {
    bank.says(keepsSilent);
    await post(open.url, CARD);
    await story.ok(story.app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`));
    bank.says(null);
    await story.settle();
    expect(await story.balance(open.customerId)).toBe(3000);
    const { data } = await story.ok(story.app.manage("GET", `/customers/${open.customerId}/payment-methods`));
    expect(data.find((card: Json) => card.isDefault)).toMatchObject({ last4: "0341" });
    expect(hasForm(await get(open.url))).toBe(false);
  });

  it("can't be charged, voided or marked as paid by an operator meanwhile", async () => {
    bank.says(loses);
    await post(open.url, CARD);
    for (const operation of ["pay", "void", "mark-paid"]) {
      const answer = await story.app.manage("POST", `/invoices/${open.id}/${operation}`);
      expect(answer).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
    }
    bank.says(null);
    await story.settle();
  });

  it.each([
    ["void", "Voided on 11 February 2025"],
    ["mark-paid", "Paid on 11 February 2025"],
  ])("is a document where an operator was faster: %s", async (operation, said) => {
    expect(hasForm(await get(open.url))).toBe(true);
    await hand(operation);
    expect(await post(open.url, CARD)).toMatchObject({ status: 303 });
    const page = await get(open.url);
    expect(wordsOf(page.text)).toContain(said);
    expect(hasForm(page)).toBe(false);
    expect((await story.books()).captured).toEqual([3000]);
  });
});

describe("the 402 of an operator's hand", () => {
  beforeAll(owe);
  afterAll(close);

  it("has the address of the page, where the buyer pays", async () => {
    const refused = await story.app.manage("POST", `/invoices/${open.id}/pay`);
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_failed", url: open.url } });
    expect(await post(refused.body.url, CARD)).toMatchObject({ status: 303 });
    expect((await story.news()).slice(-PAID.length)).toEqual(PAID);
  });
});

describe("an invoice that has no amount to pay", () => {
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("once", 4900, { interval: null });
    await story.buy({ productKey: "once", customer: { email: "ada@example.com" } }, CARDS.pays);
    await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.failsLater);
    await story.travel("2025-03-20");
  });
  afterAll(close);

  it("is a document: paid, or of a Subscription that has ended", async () => {
    const { data } = await story.ok(story.app.manage("GET", "/invoices"));
    expect(data.map(({ status }: Json) => status)).toEqual(["void", "paid", "paid"]);
    for (const { url } of data) {
      expect(hasForm(await get(url))).toBe(false);
      expect(await post(url, CARD)).toMatchObject({ status: 303 });
    }
    expect((await story.books()).captured).toEqual([3000, 4900]);
  });
});

describe("in a live Organization", () => {
  beforeEach(async () => {
    story = await startLiveStory();
    await story.plan("pro", 3000);
    const customer = { email: "ada@example.com" };
    ({ id: subscriptionId } = await buyOnPage(story.app, { productKey: "pro", customer }, CARDS.failsLater));
    await story.endPeriod(subscriptionId);
  });
  afterEach(close);

  it("an invoice behind one that is being charged waits for it, and so does its page", async () => {
    bank = bankOf(story.app);
    await takeSandboxCards(story.app);
    bank.says(loses);
    await story.app.runDue();
    await story.endPeriod(subscriptionId);
    await story.app.runDue();
    [open] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    const page = await get(open.url);
    expect(wordsOf(page.text)).toContain("An earlier invoice is charged first, then this one.");
    expect(hasForm(page)).toBe(false);
    expect(await post(open.url, CARD)).toMatchObject({ status: 303 });
    expect(await attempts()).toEqual([]);
    bank.says(null);
    await story.settle();
    expect(hasForm(await get(open.url))).toBe(true);
  });

  it("the seller needs a payment provider, and without one the page says so and takes no card", async () => {
    await story.app.runDue();
    [open] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    expect(hasForm(await get(open.url))).toBe(true);
    for (const take of [takeNoCards, loseKeys]) {
      await take(story.app);
      const page = await get(open.url);
      expect(wordsOf(page.text)).toContain("The seller can’t take payments at the moment.");
      expect(page.text).not.toContain("Sandbox");
      expect(page.text).not.toContain("<form");
      expect(await post(open.url, CARD)).toMatchObject({ status: 409 });
    }
    await takeSandboxCards(story.app);
    expect(await post(open.url, CARD)).toMatchObject({ status: 303 });
    expect(await story.subscription(subscriptionId)).toMatchObject({ status: "active" });
  });
});
