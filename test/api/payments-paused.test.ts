import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { takeHostedCards } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { minutePasses } from "../support/pause.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const CLOSED = "The seller can’t take payments just now.";
const LATER = `${CLOSED} You were not charged. Leave this page open, or come back later.`;

let story: Story;
let names = 0;
beforeEach(async () => {
  story = await startStory({ clock: "2026-01-10T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 3000);
});
afterEach(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const customer = () => ({ email: `buyer-${(names += 1)}@example.com` });
const card = (number: string) => ({ number, expiry: "12 / 40", cvc: "123" });
async function open(productKey = "pro"): Promise<Json> {
  return story.ok(story.app.api("POST", "/checkouts", { productKey, customer: customer() }));
}
const read = ({ id }: Json) => story.ok(story.app.api("GET", `/checkouts/${id}`));
const payments = async (query: string): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", `/payments?${query}`))).data;
const said = async (url: string) => wordsOf((await get(url)).text);
const progress = async (url: string) => (await get(`${url}/status`)).text;
/** The seller has mended the account at the provider. Billow does not know of this yet. */
const mend = () => story.app.ctx.payments.sandbox.takeChargesAgain(story.app.organization.id);

/** Another buyer's card makes the provider refuse the account. No payment waits for the end of the pause. */
async function pause(): Promise<void> {
  const { id } = await open();
  await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.refusesAccount }));
}

describe("the page of a Checkout while the payments are paused", () => {
  it("says so before the buyer types, has no form, and records no attempt", async () => {
    const checkout = await open();
    expect(await progress(checkout.url)).toBe("open");
    await pause();
    const { status, text } = await get(checkout.url);
    expect(status).toBe(200);
    expect(wordsOf(text)).toContain(`Payments are paused ${LATER}`);
    expect(text).not.toMatch(/<form|<input|<button/);
    expect(await progress(checkout.url)).toBe("open payments_paused");
    const answer = await post(checkout.url, { ...card(CARDS.pays), expectedAmount: "3000" });
    expect(answer).toMatchObject({ status: 409, text: expect.stringContaining("Payments are paused") });
    expect(await payments(`checkoutId=${checkout.id}`)).toEqual([]);
    expect(await read(checkout)).toMatchObject({ status: "open", lastPaymentError: null });
  });

  it("has no button to the provider's page either", async () => {
    await takeHostedCards(story.app);
    const checkout = await open();
    expect(await said(checkout.url)).toContain("Continue to payment");
    await pause();
    expect(await said(checkout.url)).toContain(LATER);
    expect(await said(checkout.url)).not.toContain("Continue to payment");
  });

  it("answers the submission that meets the refusal with the same words, and 402", async () => {
    const checkout = await open();
    const refused = await post(checkout.url, { ...card(CARDS.refusesAccount), expectedAmount: "3000" });
    expect(refused.status).toBe(402);
    expect(wordsOf(refused.text)).toContain(LATER);
    expect(refused.text).not.toContain("<form");
    expect(await payments(`checkoutId=${checkout.id}`)).toMatchObject([
      { status: "failed", failureCode: "provider_refused" },
    ]);
    expect((await story.books()).captured).toEqual([]);
  });

  it("takes the attempt of a buyer each minute, and all buyers once the provider has taken one", async () => {
    await pause();
    const [ada, bob] = [await open(), await open()];
    await minutePasses(story.app);
    expect(await said(ada.url)).toContain("Card number");
    const form = { ...card(CARDS.pays), expectedAmount: "3000" };
    expect(await post(ada.url, form)).toMatchObject({ status: 402 });
    expect(await said(bob.url)).toContain(LATER);
    await mend();
    expect(await said(bob.url)).toContain(LATER);
    await minutePasses(story.app);
    expect(await progress(bob.url)).toBe("open");
    expect(await post(bob.url, form)).toMatchObject({ status: 303 });
    expect(await read(bob)).toMatchObject({ status: "completed" });
    expect(await said(ada.url)).toContain("Card number");
    expect(await post(ada.url, form)).toMatchObject({ status: 303 });
    expect(await story.books()).toEqual({ paid: [3000, 3000], captured: [3000, 3000] });
  });

  it("stays closed while a charge that waits is the probe, and opens with the success of this charge", async () => {
    const { customerId } = await story.buy({ productKey: "pro", customer: customer() }, CARDS.pays);
    await story.newCard(customerId, CARDS.refusesAccount);
    await story.app.manage("POST", "/sandbox/clock/advance", { to: "2026-02-10T09:00:00Z" });
    const { url } = await open();
    await minutePasses(story.app);
    expect(await said(url)).toContain(LATER);
    await mend();
    await minutePasses(story.app);
    expect(await said(url)).toContain("Card number");
    await story.travel("2026-02-10");
  });

  it("still sells where no card is needed", async () => {
    await story.plan("free", 0, { group: "free" });
    await story.plan("trial", 3000, { trialDays: 14, trialCard: "optional" });
    await pause();
    for (const [key, fields] of [
      ["free", {}],
      ["trial", { withCard: "no" }],
    ] as const) {
      const checkout = await open(key);
      expect(await said(checkout.url)).not.toContain(CLOSED);
      expect(await post(checkout.url, { expectedAmount: "0", ...fields })).toMatchObject({ status: 303 });
      expect(await read(checkout)).toMatchObject({ status: "completed" });
    }
  });
});

describe("an open invoice", () => {
  let customerId: string;
  let subscriptionId: string;
  let invoice: Json;
  beforeEach(async () => {
    const params = { productKey: "pro", customer: customer() };
    ({ customerId, id: subscriptionId } = await story.buy(params, CARDS.failsLater));
    await story.travel("2026-02-11");
    [invoice] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    await story.news();
  });
  const now = () => story.ok(story.app.manage("GET", `/invoices/${invoice.id}`));
  const attempts = async () =>
    (await payments(`invoiceId=${invoice.id}`)).map(({ trigger, failureCode }) => `${trigger} ${failureCode}`);
  const pay = (key: string) =>
    story.app.manage("POST", `/invoices/${invoice.id}/pay`, undefined, { "Idempotency-Key": key });

  it("tells the buyer on its page that the account is refused, and takes the card when this is over", async () => {
    const before = await now();
    const refused = await post(invoice.url, card(CARDS.refusesAccount));
    expect(refused.status).toBe(402);
    expect(wordsOf(refused.text)).toContain(`${CLOSED} You were not charged.`);
    expect(await story.news()).toEqual(["payments.paused", "payment.failed"]);
    expect(await attempts()).toEqual(["new_card provider_refused", "renewal card_declined"]);
    // Dunning goes on as if the buyer had not come.
    expect(await now()).toEqual({ ...before, updatedAt: expect.anything() });

    const { status, text } = await get(invoice.url);
    expect(status).toBe(200);
    expect(wordsOf(text)).toContain(LATER);
    expect(text).not.toContain("<form");
    expect(await post(invoice.url, card(CARDS.pays))).toMatchObject({ status: 409 });
    expect(await attempts()).toHaveLength(2);
    expect(await progress(invoice.url)).toBe("owed failed payments_paused");

    await mend();
    await minutePasses(story.app);
    expect(await progress(invoice.url)).toBe("owed failed");
    expect(await post(invoice.url, card(CARDS.pays))).toMatchObject({ status: 303 });
    expect(await story.news()).toEqual([
      "payments.resumed",
      "payment.succeeded",
      "invoice.paid",
      "subscription.recovered",
    ]);
    expect(await story.books()).toEqual({ paid: [3000, 3000], captured: [3000, 3000] });
  });

  it("tells the buyer on its page that one charge is refused, and takes another card at once", async () => {
    const refused = await post(invoice.url, card(CARDS.refused));
    expect(refused.status).toBe(402);
    expect(wordsOf(refused.text)).toContain(`Payment failed ${CLOSED} You were not charged. Try again later.`);
    expect(await now()).toMatchObject({ status: "open", heldReason: null });
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await post(invoice.url, card(CARDS.pays))).toMatchObject({ status: 303 });
    expect(await now()).toMatchObject({ status: "paid" });
  });

  /** Puts a card on file without a charge, as if the buyer had given the card before the renewal. */
  async function keep(number: string): Promise<void> {
    await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/mark-paid`, {}));
    await story.newCard(customerId, number);
    await story.app.manage("POST", "/sandbox/clock/advance", { to: "2026-03-11T09:00:00Z" });
    [invoice] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    await story.news();
  }

  it("is not charged for an operator whose account is refused, and a repetition gets the same answer", async () => {
    await keep(CARDS.refused);
    expect(await now()).toMatchObject({ heldReason: "amount_too_large" });
    await pause();
    await story.news();
    const refused = await pay("one");
    expect(refused).toMatchObject({
      status: 402,
      body: { code: "payment_refused", declineCode: "provider_refused", checkoutId: null, url: null },
    });
    expect(await pay("one")).toMatchObject({ status: 402, body: refused.body });
    await minutePasses(story.app);
    // This call is the probe, so the provider itself refuses.
    expect(await pay("two")).toMatchObject({ status: 402, body: { declineCode: "provider_refused" } });
    expect(await story.news()).toEqual(["payment.failed", "payment.failed"]);
    // The refusal of the account says nothing about this charge, so the invoice stays held as it was.
    expect(await now()).toMatchObject({ status: "open", heldReason: "amount_too_large" });
    expect((await story.books()).captured).toEqual([3000]);
    expect(await story.subscription(subscriptionId)).toMatchObject({ status: "active" });
  });

  it("is held if an operator's charge is refused alone", async () => {
    await keep(CARDS.refused);
    expect(await pay("one")).toMatchObject({
      status: 402,
      body: { code: "payment_refused", declineCode: "amount_too_large", url: null },
    });
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await now()).toMatchObject({ status: "open", heldReason: "amount_too_large", nextAttemptAt: null });
    expect((await story.books()).captured).toEqual([3000]);
  });
});
