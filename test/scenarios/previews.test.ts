import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDate, parseInstant } from "../../src/domain/calendar.ts";
import { ENGLISH } from "../../src/texts/words.ts";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let buyers = 0;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("basic", 1000);
  await story.plan("pro", 3000);
  await story.plan("year", 30_000, { interval: "year" });
  await story.plan("free", 0);
  await story.plan("trial", 2000, { group: "trials", trialDays: 10, trialCard: "optional" });
  await manage("PATCH", "/organization", { taxRates: [{ country: "DE", name: "VAT", basisPoints: 1900 }] });
  await manage("POST", "/discounts", { code: "TENTH", type: "percentage", basisPoints: 1000, duration: "forever" });
  await manage("POST", "/discounts", {
    code: "FIVE",
    type: "fixed",
    amount: 500,
    currency: "usd",
    duration: "repeating",
    months: 2,
  });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const manage = (method: string, path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));
const newest = async (list: string, id: string): Promise<Json> =>
  (await manage("GET", `/${list}?subscriptionId=${id}&limit=1`)).data[0];
const money = (amount: number) => ENGLISH.money(amount, "usd");
const dayText = (at: string) => formatDate(parseInstant(at)!, "UTC");

async function sayInPortal(customerId: string): Promise<string> {
  const { url } = await manage("POST", `/customers/${customerId}/portal-sessions`);
  const there = startWebClient(story.app.url);
  await there.post(new URL(url).pathname);
  return wordsOf((await there.get(`/portal/${story.app.organization.id}`)).text);
}

/** Advances the clock by an amount, from its present time. */
async function wait(days: number): Promise<void> {
  const { now } = await manage("GET", "/sandbox/clock");
  await story.travel(new Date(Date.parse(now) + days * 86_400_000).toISOString());
}

const anyBuyer = fc.record({
  productKey: fc.constantFrom("pro", "basic", "year", "trial"),
  discountCode: fc.constantFrom(undefined, "TENTH", "FIVE"),
  country: fc.constantFrom("DE", "US"),
  hasCard: fc.constantFrom(true, true, false),
});
const anyAsked = fc.record({
  productKey: fc.constantFrom("basic", "pro", "year", "free"),
  prorationBehavior: fc.constantFrom("invoice_now", "next_invoice", "none", "next_period"),
});
const anyHistory = fc.record({
  balance: fc.constantFrom(0, 0, 700, -400),
  days: fc.integer({ min: 1, max: 6 }),
  before: fc.option(anyAsked, { nil: null }),
  isDisputed: fc.constantFrom(false, false, true),
  /** Before any request, `isArchived` archives the Product of a pending change and `isEnding` plans the end. */
  isArchived: fc.boolean(),
  isEnding: fc.constantFrom(false, false, true),
});
type Buyer = typeof anyBuyer extends fc.Arbitrary<infer T> ? T : never;
type History = typeof anyHistory extends fc.Arbitrary<infer T> ? T : never;

/** Sells a Subscription to a new buyer, and lets some things happen to it. */
async function live({ productKey, discountCode, country, hasCard }: Buyer, history: History): Promise<Json> {
  const email = `buyer-${(buyers += 1)}@example.com`;
  const customer = { email, externalId: email, billingAddress: { country } };
  const checkout = await story.ok(
    story.app.api("POST", "/checkouts", { productKey, customer, ...(discountCode && { discountCode }) }),
  );
  const card = hasCard || productKey !== "trial" ? { card: CARDS.pays } : {};
  const { subscriptionId: id, customerId } = await manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, card);
  const { balance, days, before, isDisputed, isArchived, isEnding } = history;
  if (balance !== 0) {
    await manage("POST", `/customers/${customerId}/balance-adjustments`, {
      currency: "usd",
      amount: balance,
      reason: "By hand",
    });
  }
  await wait(days);
  if (before) await story.app.api("PATCH", `/subscriptions/${id}`, before);
  if (isArchived) await archiveNext(id);
  const paid = isDisputed && (await newest("payments", id));
  if (paid) await manage("POST", `/sandbox/payments/${paid.id}/dispute`, {});
  if (isEnding) await story.change(id, { cancelAtPeriodEnd: true });
  await wait(1);
  return story.subscription(id);
}

/** Plans a change to a Product that is archived before the change takes place. */
async function archiveNext(subscriptionId: string): Promise<void> {
  const product = await story.plan(`gone-${buyers}`, 4000);
  await story.app.api("PATCH", `/subscriptions/${subscriptionId}`, {
    productId: product.id,
    prorationBehavior: "next_period",
  });
  await manage("PATCH", `/products/${product.id}`, { archived: true });
}

/** The money that a Subscription has moved: the charges that succeeded, and the balance. */
async function purse({ id, customerId }: Json): Promise<{ charged: number; balance: number }> {
  const { data } = await manage("GET", `/payments?subscriptionId=${id}&status=succeeded&limit=100`);
  const charged = data.reduce((sum: number, { amount }: Json) => sum + amount, 0);
  return { charged, balance: await story.balance(customerId) };
}

/** The portal's words about the next charge; null: there is no next charge. */
async function nextCharge(customerId: string): Promise<string | null> {
  return (
    / Next charge (.*?) (Access |Change plan|Cancel|Keep )/.exec(await sayInPortal(customerId))?.[1]?.trim() ?? null
  );
}

/** The words for an invoice's charge, up to the card. */
function chargeOf({ totalAmount, amountDue, createdAt }: Json): string {
  const words =
    amountDue > 0
      ? money(amountDue)
      : totalAmount > 0
        ? `${money(totalAmount)} from your account balance`
        : "no charge";
  return `${dayText(createdAt)}: ${words}`;
}

/** Ends the period. Its invoice must be the one that the preview and, for a renewal, the portal have foretold. */
async function holdPeriodEnd({ id, customerId }: Json, foretold: Json): Promise<void> {
  const [before, last] = [await story.subscription(id), await newest("invoices", id)];
  const inPortal = await nextCharge(customerId);
  await story.travel(before.currentPeriodEnd);
  const made = await newest("invoices", id);
  if (foretold === null) return expect(made?.id).toBe(last?.id);
  const { createdAt, totalAmount } = made;
  const lines = made.lines.map(({ id: _made, ...line }: Json) => line);
  expect({ date: createdAt, lines, totalAmount }).toEqual(foretold);
  if (before.cancelAtPeriodEnd) expect(inPortal).toBeNull();
  else expect(inPortal?.startsWith(chargeOf(made)), `${inPortal} is not ${chargeOf(made)}`).toBe(true);
}

describe("a preview agrees with the operation (rule P8)", () => {
  const anyBody = fc.oneof(
    { weight: 3, arbitrary: anyAsked },
    { weight: 1, arbitrary: anyAsked.map((asked) => ({ ...asked, cancelAtPeriodEnd: false })) },
    { weight: 1, arbitrary: fc.boolean().map((cancelAtPeriodEnd) => ({ cancelAtPeriodEnd })) },
  );

  it("for any change of any Subscription", async () => {
    const run = async (buyer: Buyer, history: History, body: object) => {
      const subscription = await live(buyer, history);
      const path = `/subscriptions/${subscription.id}`;
      const before = await purse(subscription);
      const preview = await story.app.manage("POST", `${path}/preview`, body);
      const changed = await story.app.api("PATCH", path, body);
      const after = await purse(subscription);
      const moved = { chargeAmount: after.charged - before.charged, balanceChange: after.balance - before.balance };
      // A preview assumes that the charge succeeds, but the charge of a disputed card fails (rule D6).
      if (changed.status !== 402 || changed.body.code !== "payment_failed") {
        const refusal = preview.status === 200 ? {} : { code: preview.body.code };
        expect([changed.status, changed.body]).toMatchObject([preview.status, refusal]);
        const { chargeAmount, balanceChange } =
          preview.status === 200 ? preview.body : { chargeAmount: 0, balanceChange: 0 };
        expect(moved).toEqual({ chargeAmount, balanceChange });
        const again = { cancelAtPeriodEnd: (await story.subscription(subscription.id)).cancelAtPeriodEnd };
        const next = (preview.status === 200 ? preview : await story.app.manage("POST", `${path}/preview`, again)).body
          .nextInvoice;
        await holdPeriodEnd(subscription, next);
      } else expect(moved).toEqual({ chargeAmount: 0, balanceChange: 0 });
      await story.app.manage("POST", `${path}/cancel-now`);
    };
    await fc.assert(fc.asyncProperty(anyBuyer, anyHistory, anyBody, run), { numRuns: 25, endOnFailure: true });
  }, 540_000);

  it("on the page of a Checkout that changes a Subscription", async () => {
    const run = async (buyer: Buyer, history: History, productKey: string) => {
      const subscription = await live(buyer, { ...history, isEnding: false });
      const { id } = subscription;
      const opened = await story.app.api("POST", "/checkouts", { productKey, subscriptionId: id });
      if (opened.status < 300) {
        const before = await purse(subscription);
        const page = wordsOf((await startWebClient(story.app.url).get(new URL(opened.body.url).pathname)).text);
        const paid = await manage("POST", `/sandbox/checkouts/${opened.body.id}/pay`, { card: CARDS.paysToo });
        const { charged } = await purse(subscription);
        expect([paid.status, paid.totalAmount]).toEqual(["completed", charged - before.charged]);
        expect(page).toContain(`Due today ${money(charged - before.charged)}`);
        const bill = paid.invoiceId === null ? { lines: [] } : await manage("GET", `/invoices/${paid.invoiceId}`);
        for (const { description, amount } of bill.lines) expect(page).toContain(`${description} ${money(amount)}`);
        const { nextInvoice } = await manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: false });
        await holdPeriodEnd(subscription, nextInvoice);
        const full = nextInvoice.lines.at(-1);
        const regular = `${money(full.amount - full.discountAmount)}${full.taxAmount > 0 ? " plus 19% VAT" : ""}`;
        if (full.amount > 0) expect(page).toContain(`Then ${regular} `);
      }
      await story.app.manage("POST", `/subscriptions/${id}/cancel-now`);
    };
    const anyTarget = fc.constantFrom("basic", "pro", "year");
    await fc.assert(fc.asyncProperty(anyBuyer, anyHistory, anyTarget, run), { numRuns: 15, endOnFailure: true });
  }, 540_000);
});

/**
 * The credit of a disputed payment goes to the balance and is held there. The rest of the invoice is charged (rule
 * D7).
 */
describe("a renewal with a total below zero that is charged all the same", () => {
  let id: string;
  let customerId: string;
  let end: string;
  beforeAll(async () => {
    await story.plan("hundred", 10_000, { group: "held" });
    await story.plan("ten", 1000, { group: "held" });
    const customer = { email: "held@example.com", externalId: "held", billingAddress: { country: "US" } };
    ({ id, customerId, currentPeriodEnd: end } = await story.buy({ productKey: "hundred", customer }, CARDS.pays));
    await wait(10);
    await story.change(id, { productKey: "ten", prorationBehavior: "next_invoice" });
    const { id: paymentId } = await newest("payments", id);
    await manage("POST", `/sandbox/payments/${paymentId}/dispute`, {});
    await story.newCard(customerId, CARDS.paysToo);
  });

  it("is foretold by the portal and by the e-mail ahead", async () => {
    const inPortal = await nextCharge(customerId);
    await story.travel(end);
    const renewal = await newest("invoices", id);
    expect(renewal).toMatchObject({ reason: "renewal", status: "paid" });
    expect([renewal.totalAmount < 0, renewal.amountPaid > 0]).toEqual([true, true]);
    expect(inPortal).toBe(`${dayText(end)}: ${money(renewal.amountPaid)} to Visa •••• 5556`);
    const {
      data: [email],
    } = await manage("GET", `/emails?customerId=${customerId}&kind=renewal_upcoming`);
    const { text } = await manage("GET", `/emails/${email.id}`);
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      `We will charge ${money(renewal.amountPaid)} to Visa •••• 5556 for the next month.`,
    );
  });
});

/**
 * At the end the open invoice becomes void, and the credit that had waited for it is billed a last time (rules S4,
 * S5).
 */
describe("a planned end while an invoice with credit is open", () => {
  it("is foretold with its last invoice", async () => {
    await story.plan("weekly", 20_000, { interval: "week" });
    const customer = { email: "ends@example.com", externalId: "ends", billingAddress: { country: "US" } };
    const { id, customerId, currentPeriodEnd } = await story.buy({ productKey: "pro", customer }, CARDS.pays);
    await wait(10);
    await story.change(id, { productKey: "basic", prorationBehavior: "next_invoice" });
    await story.change(id, { productKey: "weekly", prorationBehavior: "next_period" });
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel(currentPeriodEnd);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    const { nextInvoice } = await manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: true });
    await story.change(id, { cancelAtPeriodEnd: true });
    expect(nextInvoice.totalAmount).toBeLessThan(0);
    await holdPeriodEnd({ id, customerId }, nextInvoice);
    expect(await story.subscription(id)).toMatchObject({ status: "canceled" });
    expect(await story.balance(customerId)).toBe(0 - nextInvoice.totalAmount);
  });
});

describe("the page of a completed change that is to come", () => {
  it("tells of the change only as long as it can be made (rule P6)", async () => {
    const later = await story.plan("later", 5000);
    const customer = { email: "later@example.com", externalId: "later", billingAddress: { country: "US" } };
    const { id } = await story.buy({ productKey: "free", customer }, CARDS.pays);
    const asked = await story.app.api("PATCH", `/subscriptions/${id}`, {
      productKey: "later",
      prorationBehavior: "next_period",
    });
    expect([asked.status, asked.body.code]).toEqual([402, "payment_method_required"]);
    await manage("POST", `/sandbox/checkouts/${asked.body.checkoutId}/pay`, { card: CARDS.pays });
    const read = async () => wordsOf((await startWebClient(story.app.url).get(new URL(asked.body.url).pathname)).text);
    expect(await read()).toContain("Your subscription changes to later on");
    await manage("PATCH", `/products/${later.id}`, { archived: true });
    expect(await read()).toContain("Your subscription was changed.");
  });
});
