import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const SEATS = { en: { one: "seat", other: "seats" } };
const PLURAL = { quantity: { minimum: 2, maximum: 50 }, unitName: SEATS };

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2026-06-01T00:00:00Z" });
});
afterEach(async () => expect(await story.audit()).toEqual([]));
afterAll(() => story.close());

const plain = (text: string) => text.replaceAll("\u00a0", " ");
/** The lines of the Subscription's newest invoice, with its amount due. */
async function newest(subscriptionId: string): Promise<[lines: string[], due: number]> {
  const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${subscriptionId}`));
  const { lines, amountDue } = data[0];
  return [lines.map((line: Json) => `${plain(line.description)}: ${line.amount}`), amountDue];
}

test("the example of chapter Q: seats rise and fall, and the quantity alone keeps its price", async () => {
  const { app, ok } = story;
  const team = await story.plan("team", 1200, { name: "Team", ...PLURAL });
  const buyer = { customer: { email: "ada@example.com", externalId: "ada" } };
  const { id, customerId } = await story.buy({ productKey: "team", quantity: 5, ...buyer }, CARDS.pays);
  expect(await newest(id)).toEqual([["Team, 5 seats × US$12.00: 6000"], 6000]);
  await story.travel("2026-06-16T00:00:00Z");
  const risen = await story.change(id, { quantity: 8, prorationBehavior: "invoice_now" });
  expect(risen).toMatchObject({ quantity: 8, unitAmount: 1200, amount: 9600 });
  expect(await newest(id)).toEqual([
    [
      "Team, 5 seats × US$12.00, unused rest of the period: -3000",
      "Team, 8 seats × US$12.00, rest of the period: 4800",
    ],
    1800,
  ]);
  await story.change(id, { quantity: 5, prorationBehavior: "invoice_now" });
  expect(await newest(id)).toEqual([
    [
      "Team, 8 seats × US$12.00, unused rest of the period: -4800",
      "Team, 5 seats × US$12.00, rest of the period: 3000",
    ],
    0,
  ]);
  expect(await story.balance(customerId)).toBe(1800);
  await story.travel("2026-06-20T00:00:00Z");
  await ok(app.manage("PATCH", `/products/${team.id}`, { prices: [{ currency: "usd", amount: 1500 }] }));
  const ten = { quantity: 10, prorationBehavior: "next_period" };
  expect(await story.change(id, ten)).toMatchObject({
    quantity: 5,
    pendingChange: { productId: team.id, quantity: 10, unitAmount: 1200, amount: 12_000 },
  });
  const catalogue = { productKey: "team", price: "catalogue", ...ten };
  expect(await ok(app.manage("POST", `/subscriptions/${id}/preview`, catalogue))).toMatchObject({
    nextInvoice: { totalAmount: 15_000 },
  });
  expect(await app.api("PATCH", `/subscriptions/${id}`, { quantity: 51 })).toMatchObject({
    status: 422,
    body: { minimum: 2, maximum: 50, errors: [{ pointer: "/quantity", code: "quantity_not_offered" }] },
  });
  await story.travel("2026-07-01T00:00:00Z");
  expect(await newest(id)).toEqual([["Team, 10 seats × US$12.00: 12000"], 10_200]);
  expect(await story.subscription(id)).toMatchObject({ quantity: 10, amount: 12_000, pendingChange: null });
  const { data } = await ok(app.manage("GET", `/subscriptions/${id}/timeline`));
  const said = data.map(({ text }: Json) => plain(text)).join("\n");
  expect(said).toContain("The quantity was changed from 5 to 8, US$96.00 every month for 8 units.");
  expect(said).toContain("A change to Team, US$120.00 every month for 10 units, was scheduled for 1 July 2026.");
});

test("a trial of several units is changed without a line, and its end bills the present quantity", async () => {
  await story.plan("trial", 1000, { trialDays: 14, group: "trials", ...PLURAL });
  const buyer = { customer: { email: "ben@example.com", externalId: "ben" } };
  const { id } = await story.buy({ productKey: "trial", quantity: 3, ...buyer }, CARDS.pays);
  await story.change(id, { quantity: 4 });
  const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`));
  expect(data).toEqual([]);
  await story.travel("2026-07-15T00:00:00Z");
  expect(await newest(id)).toEqual([["trial, 4 seats × US$10.00: 4000"], 4000]);
});

test("a percentage is taken off the total, and a fixed amount once a period (rule Q4)", async () => {
  const { app, ok } = story;
  await story.plan("discounted", 1000, { group: "discounted", ...PLURAL });
  const forever = { duration: "forever" };
  await ok(app.manage("POST", "/discounts", { code: "TENTH", type: "percentage", basisPoints: 1000, ...forever }));
  await ok(app.manage("POST", "/discounts", { code: "FIVE", type: "fixed", amount: 500, currency: "usd", ...forever }));
  const due = async (discountCode: string, quantity: number) => {
    const { body } = await app.api("POST", "/checkouts", { productKey: "discounted", quantity, discountCode });
    return [body.subtotalAmount, body.discountAmount, body.unitAmount];
  };
  expect(await due("TENTH", 7)).toEqual([7000, 700, 1000]);
  expect(await due("FIVE", 7)).toEqual([7000, 500, 1000]);
});

test("several units of a one-time Product are one line (rule Q5)", async () => {
  const { app, ok } = story;
  await story.plan("book", 4900, { name: "Book", interval: null, quantity: { maximum: null } });
  const params = { productKey: "book", quantity: 3, customer: { email: "cleo@example.com", externalId: "cleo" } };
  const checkout = await story.buy(params, CARDS.pays);
  expect(checkout).toMatchObject({ quantity: 3, unitAmount: 4900, totalAmount: 14_700, recurringAmount: null });
  const invoice = await ok(app.manage("GET", `/invoices/${checkout.invoiceId}`));
  expect(invoice.lines).toMatchObject([{ quantity: 3, unitAmount: 4900, amount: 14_700 }]);
  expect(plain(invoice.lines[0].description)).toBe("Book, 3 × US$49.00");
  const { lines } = await ok(app.manage("GET", `/invoices/${checkout.invoiceId}/explanation`));
  expect(lines[0].amount).toMatchObject({
    amount: 14_700,
    rule: "Q4",
    inputs: { unitAmount: 4900, quantity: 3 },
    expression: "4900 × 3",
  });
});
