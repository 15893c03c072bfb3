import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { payOnPage } from "../payments/stripe-requests.ts";
import type { Json } from "../support/app.ts";
import { evaluate } from "../support/arithmetic.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { startStory, type Story } from "../support/story.ts";
import { connectStripe } from "../support/stripe.ts";

const VISA = "4242 4242 4242 4242";
const ADDRESS = { country: "KW" };
const BOUGHT = ["payment.succeeded", "subscription.created", "invoice.created", "invoice.paid", "checkout.completed"];

let stripe: StripeServer;
let story: Story;
let ada: Json;
let subscriptionId: string;

/** A sandbox in Kuwait that takes its payments at Stripe, where a charge of a dinar is a multiple of 10 fils. */
beforeAll(async () => {
  stripe = await startStripe();
  story = await startStory({ clock: "2026-06-01T00:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  const { manage } = story.app;
  await connectStripe(story.app, stripe);
  const rate = { country: "KW", basisPoints: 500, inclusive: false, name: "Tax" };
  await story.ok(manage("PATCH", "/organization", { taxRates: [rate] }));
  const dinars = (amount: number) => ({ prices: [{ currency: "kwd", amount }] });
  await story.plan("pro", 0, dinars(4370));
  await story.plan("team", 0, dinars(9730));
  await story.plan("free", 0, dinars(0));
  await story.plan("book", 0, { ...dinars(1230), interval: null });
  ada = await story.ok(
    story.app.api("POST", "/customers", { email: "ada@example.com", externalId: "ada", billingAddress: ADDRESS }),
  );
  await story.news();
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
  await stripe.close();
});

const read = (path: string) => story.ok(story.app.manage("GET", path));
const balance = async (customerId: string = ada.id): Promise<number> =>
  (await read(`/customers/${customerId}/balance`)).data.find(({ currency }: Json) => currency === "kwd")?.amount ?? 0;
/** The amounts of Stripe's charges and refunds, oldest first. */
const charges = () => [...stripe.book.charges.values()].map(({ amount }) => amount);
const refunds = () => [...stripe.book.refunds.values()].map(({ amount }) => amount);
const invoice = async (number: string): Promise<Json> =>
  (await read(`/invoices?customerId=${ada.id}`)).data.find((each: Json) => each.number.endsWith(number));

/** Pays a Checkout on Stripe's page, and comes back. Answers the completed Checkout. */
async function pay({ id, url }: Json, fields: Record<string, string> = {}): Promise<Json> {
  const expectedAmount = /name="expectedAmount" value="(\d+)"/.exec((await get(url)).text)![1]!;
  const answer = await post(url, { expectedAmount, ...fields });
  expect(answer.status, answer.text).toBe(303);
  const { location } = await payOnPage(redirectOf(url, answer), VISA);
  const back = await get(location!);
  await get(redirectOf(location!, back));
  return story.ok(story.app.api("GET", `/checkouts/${id}`));
}

describe("charges in dinars are multiples of 10 fils (rule M5)", () => {
  it("2026-06-01: a purchase of 4.589 with tax charges 4.580, and 0.009 is a debt", async () => {
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "pro", currency: "kwd", customerId: ada.id }),
    );
    const figures = { totalAmount: 4589, balanceApplied: 9, amountDue: 4580 };
    expect(checkout).toMatchObject(figures);
    expect(await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`))).toMatchObject(figures);
    expect(wordsOf((await get(checkout.url)).text)).toContain("Carried over to a later invoice");
    const paid = await pay(checkout);
    expect(paid).toMatchObject({ status: "completed", ...figures });
    ({ subscriptionId } = paid);
    expect(charges()).toEqual([4580]);
    expect(await balance()).toBe(-9);
    expect(await story.statement()).toEqual([
      "0001 checkout paid 4589 (balance 9)",
      "     pro 4370 2026-06-01 → 2026-07-01",
    ]);
    expect(await story.news()).toEqual(["checkout.created", ...BOUGHT]);
  });

  it("2026-06-16: an upgrade of 2.814 collects 0.006 of the debt, as its preview says", async () => {
    await story.travel("2026-06-16T00:00:00Z");
    const change = { productKey: "team", prorationBehavior: "invoice_now" };
    const path = `/subscriptions/${subscriptionId}`;
    const preview = await story.ok(story.app.manage("POST", `${path}/preview`, change));
    expect(preview).toMatchObject({ chargeAmount: 2820, balanceChange: 6 });
    await story.change(subscriptionId, change);
    expect(charges()).toEqual([4580, 2820]);
    expect(await balance()).toBe(-3);
    expect(await story.statement()).toEqual([
      "0002 product_change paid 2814 (balance -6)",
      "     pro, unused rest of the period -2185 2026-06-16 → 2026-07-01",
      "     team, rest of the period 4865 2026-06-16 → 2026-07-01",
    ]);
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
    ]);
  });

  it("2026-07-01: the renewal of 10.217 collects the rest, and the balance is 0", async () => {
    await story.travel("2026-07-01T00:00:00Z");
    await story.settle();
    expect(charges()).toEqual([4580, 2820, 10_220]);
    expect(await balance()).toBe(0);
    expect(await story.statement()).toEqual([
      "0003 renewal paid 10217 (balance -3)",
      "     team 9730 2026-07-01 → 2026-08-01",
    ]);
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
  });

  it("2026-07-01: an invoice explains the part that was not charged", async () => {
    const { balance: explained, due } = await read(`/invoices/${(await invoice("0001")).id}/explanation`);
    expect(explained).toMatchObject({ amount: 9, rule: "M5", inputs: { balance: 0, minimum: 500, step: 10 } });
    expect(explained.text.replaceAll("\u00a0", " ")).toBe(
      "A card is charged in multiples of KWD 0.010. The rest, KWD 0.009, stays on the balance as owed, and is paid " +
        "with a later invoice.",
    );
    expect(due).toMatchObject({ amount: 4580 });
  });

  it("2026-07-02: a refund to the card is a multiple of 10 fils, and the rest goes to the balance", async () => {
    await story.travel("2026-07-02T00:00:00Z");
    // The card paid 4.580. The upgrade has credited 2.294: the 0.009 that were a debt, and 2.285 of the card's money.
    const { id, refundableToCard } = await invoice("0001");
    expect(refundableToCard).toBe(2295);
    const refund = (body: object) => story.app.manage("POST", `/invoices/${id}/refunds`, body);
    const message = "The provider refunds multiples of 10 to this card. Refund 2290, and the rest to the `balance`.";
    const fault = { in: "body", pointer: "/amount", code: "between_steps", message };
    expect(await refund({ amount: 2295 })).toMatchObject({ status: 422, body: { errors: [fault] } });
    expect(await story.ok(refund({}))).toMatchObject({ amount: 2290, fromBalance: 0 });
    await story.settle();
    expect(refunds()).toEqual([2290]);
    expect(await story.ok(refund({ to: "balance" }))).toMatchObject({ amount: 5 });
    expect(await balance()).toBe(5);
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded", "refund.created", "invoice.refunded"]);
  });

  it("2026-07-16: credit of a downgrade is paid out in multiples of 10 fils", async () => {
    await story.travel("2026-07-16T12:00:00Z");
    await story.change(subscriptionId, { productKey: "free", prorationBehavior: "invoice_now" });
    expect(await balance()).toBe(5113);
    const payOut = (body: object = {}) =>
      story.app.manage("POST", `/customers/${ada.id}/balance-refunds`, { currency: "kwd", ...body });
    expect(await payOut({ amount: 5108 })).toMatchObject({ status: 409, body: { available: 5100 } });
    expect(await payOut({ amount: 505 })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/amount", code: "between_steps" }] },
    });
    const { data } = await story.ok(payOut());
    expect(data.map(({ amount }: Json) => amount)).toEqual([5100]);
    await story.settle();
    expect(refunds()).toEqual([2290, 5100]);
    expect(await balance()).toBe(13);
    expect(await payOut()).toMatchObject({ status: 409, body: { code: "nothing_to_pay_out" } });
    await story.news();
  });

  it("2026-07-16: the credit pays a part of a purchase, and the card a multiple of 10 fils", async () => {
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "book", currency: "kwd", customerId: ada.id }),
    );
    expect(checkout).toMatchObject({ totalAmount: 1292, balanceApplied: 22, amountDue: 1270 });
    const words = wordsOf((await get(checkout.url)).text);
    expect(words).toContain(
      "Paid from your balance −KWD 0.013 Carried over to a later invoice −KWD 0.009 Due today KWD 1.270",
    );
    const paid = await pay(checkout);
    expect(paid).toMatchObject({ status: "completed", balanceApplied: 22, amountDue: 1270 });
    expect(wordsOf((await get(checkout.url)).text)).toContain(
      "Carried over to a later invoice KWD 0.009 Paid KWD 1.270",
    );
    expect(await balance()).toBe(-9);
    expect(charges()).toEqual([4580, 2820, 10_220, 1270]);
  });

  it("2026-07-16: so is the charge of a buyer that only types an e-mail address", async () => {
    const buy = async (email: string) => {
      const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "book", currency: "kwd" }));
      expect(checkout).toMatchObject({ totalAmount: null, amountDue: null });
      const located = await post(checkout.url, { action: "update", email, ...ADDRESS });
      expect(wordsOf(located.text)).toContain("Carried over to a later invoice −KWD 0.002 Due today KWD 1.290");
      return pay(checkout, { email, ...ADDRESS });
    };
    const bob = await buy("bob@example.com");
    expect(bob).toMatchObject({ status: "completed", totalAmount: 1292, balanceApplied: 2, amountDue: 1290 });
    expect(await balance(bob.customerId)).toBe(-2);
    // The part between two steps goes to the balance of the Customer with this address.
    const again = await buy("ada@example.com");
    expect(again).toMatchObject({ customerId: ada.id, amountDue: 1290 });
    expect(await balance()).toBe(-11);
    expect(charges().slice(4)).toEqual([1290, 1290]);
  });

  it("2026-07-16: the page of a change shows the debt and the part that is left", async () => {
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "team", subscriptionId }));
    expect(checkout).toMatchObject({ amountDue: 10_220, balanceApplied: -3 });
    expect(wordsOf((await get(checkout.url)).text)).toContain(
      "Carried over from earlier KWD 0.011 Carried over to a later invoice −KWD 0.008 Due today KWD 10.220",
    );
    const paid = await pay(checkout);
    expect(paid).toMatchObject({ status: "completed", subscriptionId, amountDue: 10_220 });
    expect(await balance()).toBe(-8);
    expect(charges().at(-1)).toBe(10_220);
    await story.news();
  });

  it("2026-07-17: a discount can lead between two steps, too, in each answer and event", async () => {
    await story.ok(story.app.manage("PATCH", "/organization", { taxRates: [] }));
    const discount = { code: "LESS", type: "percentage", basisPoints: 1500, duration: "once" };
    await story.ok(story.app.manage("POST", "/discounts", discount));
    await story.news();
    const body = { productKey: "book", currency: "kwd", discountCode: "LESS" };
    const answers = [];
    for (const more of [{}, { customer: { email: "carol@example.com" } }]) {
      const made = await story.ok(story.app.api("POST", "/checkouts", { ...body, ...more }));
      const found = await story.ok(story.app.api("GET", `/checkouts/${made.id}`));
      const recorded = (await story.events()).find(({ data }) => data.id === made.id)!.data;
      const listed = (await read("/checkouts?status=open")).data.find(({ id }: Json) => id === made.id);
      answers.push(made, found, recorded, listed);
    }
    expect(answers.length).toBe(8);
    for (const answer of answers) expect(answer).toMatchObject({ balanceApplied: 5, amountDue: 1040 });
  });

  it("the books agree: Stripe's money is that of the invoices, and each explanation is right", async () => {
    const { data } = await read("/invoices?status=paid&limit=100");
    const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
    expect(sum(data.map(({ amountPaid }: Json) => amountPaid))).toBe(sum(charges()));
    expect([...charges(), ...refunds()].filter((amount) => amount % 10 !== 0)).toEqual([]);
    for (const { id, balanceApplied } of data) {
      const { balance: explained } = await read(`/invoices/${id}/explanation`);
      expect(evaluate(explained.expression)).toBe(balanceApplied);
    }
  });
});
