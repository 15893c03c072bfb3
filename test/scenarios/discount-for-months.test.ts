import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "../support/arithmetic.ts";
import type { Json } from "../support/app.ts";
import { get } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Dates mean 09:00, so dates are whole days apart. */
const START = { clock: "2025-06-01T09:00:00Z" };
const buyer = (name: string) => ({ customer: { email: `${name}@example.com`, externalId: name } });
const at = (date: string) => `${date}T09:00:00.000Z`;

async function openShop(): Promise<Story> {
  const story = await startStory(START);
  await story.plan("month", 3650);
  await story.plan("year", 36_500, { interval: "year" });
  await story.plan("big-year", 73_000, { interval: "year" });
  const discount = (body: object) =>
    story.ok(story.app.manage("POST", "/discounts", { duration: "repeating", ...body }));
  await discount({ code: "TWO-FREE", type: "percentage", basisPoints: 10_000, months: 2 });
  await discount({ code: "HALF", type: "percentage", basisPoints: 5000, months: 3 });
  await discount({ code: "FIFTY", type: "fixed", amount: 7300, currency: "usd", months: 3 });
  await discount({ code: "LONG", type: "percentage", basisPoints: 10_000, months: 11 });
  return story;
}

async function newest({ app, ok }: Story, subscriptionId: string): Promise<Json> {
  const { data } = await ok(app.manage("GET", `/invoices?subscriptionId=${subscriptionId}&limit=1`));
  return data[0];
}

async function linesOf(story: Story, subscriptionId: string): Promise<string[]> {
  const { lines, totalAmount } = await newest(story, subscriptionId);
  return [
    ...lines.map(({ description, amount, discountAmount: off }: Json) => `${description} ${amount} −${off}`),
    `${totalAmount}`,
  ];
}

/** The explanation of a line's discount. Its arithmetic must agree with the invoice. */
async function discountExplained(story: Story, subscriptionId: string, line: number): Promise<Json> {
  const invoice = await newest(story, subscriptionId);
  const { lines } = await story.ok(story.app.manage("GET", `/invoices/${invoice.id}/explanation`));
  const { discount } = lines[line];
  expect([discount.amount, evaluate(discount.expression)]).toEqual(Array(2).fill(invoice.lines[line].discountAmount));
  return discount;
}

describe("two months free, and an upgrade to a year after the first", () => {
  let story: Story;
  let id: string;
  beforeAll(async () => {
    story = await openShop();
  });
  afterAll(() => story.close());

  it("2025-06-01: the first month costs nothing", async () => {
    ({ id } = await story.buy({ productKey: "month", discountCode: "TWO-FREE", ...buyer("grace") }, CARDS.pays));
    expect(await linesOf(story, id)).toEqual(["month 3650 −3650", "0"]);
    expect((await newest(story, id)).lines[0].discountedPart).toBeNull();
  });

  it("2025-06-11: the page of an upgrade says until when the year would be free", async () => {
    await story.travel("2025-06-11");
    const { url } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "year", subscriptionId: id }));
    const { text } = await get(url);
    // 51 of 365 days.
    expect(text).toContain('<dt>Discount TWO-FREE, until 1 August 2025</dt><dd class="amount">−US$51.00</dd>');
    expect(text).toContain("Then US$365.00 every year from 11 June 2026, until you cancel.");
  });

  it("2025-07-01: the year is free for its first 31 of 365 days, no longer", async () => {
    await story.travel("2025-07-01");
    await story.change(id, { productKey: "year" });
    // The second free month had begun, and its unused rest is worth 0.
    expect(await linesOf(story, id)).toEqual(["year 36500 −3100", "33400"]);
    const { lines, amountPaid } = await newest(story, id);
    expect(amountPaid).toBe(33_400);
    expect(lines[0].discountedPart).toEqual({
      start: at("2025-07-01"),
      until: at("2025-08-01"),
      end: at("2026-07-01"),
    });
    expect(await discountExplained(story, id, 0)).toMatchObject({
      rule: "X1",
      inputs: { price: 36_500, basisPoints: 10_000, covered: 31 * 86_400_000, period: 365 * 86_400_000 },
      text: expect.stringContaining(
        "It is taken off for 1 of 12 months: 31 days of 365 days from 1 July 2025 on. That is US$31.00.",
      ),
    });
  });

  it("2025-09-12: a change of the year bills both sides by that part, and there and back comes to zero", async () => {
    await story.travel("2025-09-12");
    await story.change(id, { productKey: "big-year" });
    // 292 of 365 days are left, of 334.00 and of 730.00 less its 31 of 365 days.
    const [credit, debit] = ["year, unused rest of the period -26720 −0", "big-year, rest of the period 53440 −0"];
    expect(await linesOf(story, id)).toEqual([credit, debit, "26720"]);
    await story.change(id, { productKey: "year" });
    expect((await newest(story, id)).totalAmount).toBe(-26_720);
    expect(await story.balance((await newest(story, id)).customerId)).toBe(26_720);
  });

  it("2026-07-01: the next year has its full price", async () => {
    await story.travel("2026-07-01");
    expect(await linesOf(story, id)).toEqual(["year 36500 −0", "36500"]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a year that is bought with a code for three months", () => {
  let story: Story;
  beforeAll(async () => {
    story = await openShop();
  });
  afterAll(() => story.close());

  it("2025-06-01: half of it is taken off for 92 of 365 days", async () => {
    const { id } = await story.buy({ productKey: "year", discountCode: "HALF", ...buyer("half") }, CARDS.pays);
    expect(await linesOf(story, id)).toEqual(["year 36500 −4600", "31900"]);
    expect((await discountExplained(story, id, 0)).text).toBe(
      "Discount HALF: 50 % of US$365.00 is US$182.50. It is taken off for 3 of 12 months: " +
        "92 days of 365 days from 1 June 2025 on. " +
        "That is US$46.00.",
    );
  });

  it("2025-06-01: and so is a fixed amount", async () => {
    const { id } = await story.buy({ productKey: "year", discountCode: "FIFTY", ...buyer("fixed") }, CARDS.pays);
    expect(await linesOf(story, id)).toEqual(["year 36500 −1840", "34660"]);
    expect((await discountExplained(story, id, 0)).expression).toMatch(/^round\(min\(7300, 36500\) × \d+ ÷ \d+\)$/);
  });

  it("all of it for some of the months asks for a card, since something is due", async () => {
    const asked = { productKey: "year", discountCode: "TWO-FREE", ...buyer("card") };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", asked));
    expect(checkout).toMatchObject({ subtotalAmount: 36_500, discountAmount: 6100, totalAmount: 30_400 });
    const without = await story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {});
    expect([without.status, without.body.errors[0].pointer]).toEqual([422, "/card"]);
  });

  it("a code is refused where it leaves less than can be charged (rule M5)", async () => {
    await story.plan("cheap", 500, { interval: "year" });
    const asked = { productKey: "cheap", discountCode: "LONG", ...buyer("cheap") };
    const refused = await story.app.api("POST", "/checkouts", asked);
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ pointer: "/discountCode", code: "discount_below_minimum" }],
    ]);
  });

  it("after a trial, the months count from its end", async () => {
    await story.plan("tried", 36_500, { interval: "year", trialDays: 14, group: "trials" });
    const { id } = await story.buy({ productKey: "tried", discountCode: "HALF", ...buyer("trying") }, CARDS.pays);
    await story.travel("2025-06-15");
    expect(await linesOf(story, id)).toEqual(["tried 36500 −4600", "31900"]);
    const { discountedPart: part } = (await newest(story, id)).lines[0];
    expect(part).toEqual({ start: at("2025-06-15"), until: at("2025-09-15"), end: at("2026-06-15") });
    expect(await story.audit()).toEqual([]);
  });

  it("after a trial without a card, access goes on only where the first period is free", async () => {
    const trial = { trialDays: 14, trialCard: "optional", group: "optional" };
    await story.plan("year-tried", 36_500, { interval: "year", ...trial });
    await story.plan("month-tried", 3650, trial);
    const endOf = async (productKey: string) => {
      const checkout = { productKey, discountCode: "TWO-FREE", ...buyer(productKey) };
      const { id } = await story.ok(story.app.api("POST", "/checkouts", checkout));
      const { subscriptionId } = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, {}));
      await story.travel(`2025-0${productKey === "year-tried" ? 8 : 9}-15`);
      return (await story.subscription(subscriptionId)).status;
    };
    expect(await endOf("year-tried")).toBe("canceled");
    expect(await endOf("month-tried")).toBe("active");
  });

  it("2025-11-29 to 11-30: a buyer that pays a day later, with shorter months, pays the shown amount", async () => {
    await story.travel("2025-11-29");
    const asked = { productKey: "year", discountCode: "HALF", expiresInMinutes: 2880, ...buyer("later") };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", asked));
    expect(checkout).toMatchObject({ discountAmount: 4550, totalAmount: 31_950 });
    await story.travel("2025-11-30");
    const { subscriptionId: id } = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    expect(await linesOf(story, id)).toEqual(["year 36500 −4550", "31950"]);
    expect((await newest(story, id)).lines[0].discountedPart).toEqual({
      start: at("2025-11-29"),
      until: at("2026-02-28"),
      end: at("2026-11-29"),
    });
  });

  it("2025-12-10: a change of that year, there and back, comes to zero", async () => {
    const { data } = await story.ok(story.app.manage("GET", "/customers?externalId=later"));
    const { data: found } = await story.ok(story.app.manage("GET", `/subscriptions?customerId=${data[0].id}`));
    await story.travel("2025-12-10");
    await story.change(found[0].id, { productKey: "big-year" });
    const there = (await newest(story, found[0].id)).totalAmount;
    await story.change(found[0].id, { productKey: "year" });
    expect((await newest(story, found[0].id)).totalAmount).toBe(-there);
  });
});

describe("half off for three months, over a suspension", () => {
  let story: Story;
  let [id, customerId] = ["", ""];
  beforeAll(async () => {
    story = await startStory({ clock: "2026-01-01T09:00:00Z" });
    await story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [3, 60], graceDays: 2 } }));
    await story.plan("pro", 3000);
    const half = { code: "HALF", type: "percentage", basisPoints: 5000, duration: "repeating", months: 3 };
    await story.ok(story.app.manage("POST", "/discounts", half));
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("2026-01-01: the first month costs half", async () => {
    const order = { productKey: "pro", discountCode: "HALF", ...buyer("ida") };
    ({ id, customerId } = await story.buy(order, CARDS.failsLater));
    expect(await linesOf(story, id)).toEqual(["pro 3000 −1500", "1500"]);
  });

  it("2026-02-01: the second month costs half, and is not paid", async () => {
    await story.travel("2026-03-30");
    expect(await linesOf(story, id)).toEqual(["pro 3000 −1500", "1500"]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due", currentPeriodEnd: at("2026-03-01") });
  });

  it("2026-03-31: a new card pays it, and the third month, which costs half", async () => {
    await story.travel("2026-03-31");
    await story.newCard(customerId, CARDS.pays);
    const { currentPeriodStart, currentPeriodEnd, status } = await story.subscription(id);
    expect([status, currentPeriodStart, currentPeriodEnd]).toEqual(["active", at("2026-03-31"), at("2026-04-30")]);
    expect(await linesOf(story, id)).toEqual(["pro 3000 −1500", "1500"]);
  });

  it("2026-04-30: the fourth month has its full price", async () => {
    await story.travel("2026-05-01");
    expect(await linesOf(story, id)).toEqual(["pro 3000 −0", "3000"]);
  });
});
