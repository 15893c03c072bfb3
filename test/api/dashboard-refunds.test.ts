import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { ageSessions, openDashboard, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs, seen } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { openRefundShop, type RefundShop } from "../support/refunds.ts";
import { CARDS } from "../support/story.ts";

let shop: RefundShop;
let home: string;
let owner: Desk;
let support: Desk;
let finance: Desk;
beforeAll(async () => {
  shop = await openRefundShop();
  const { app } = shop.story;
  home = `/dashboard/${app.organization.id}`;
  owner = await openDashboard(app);
  [support, finance] = [await joinAs(app, "support"), await joinAs(app, "finance")];
});
afterEach(() => shop.expectToAgree());
afterAll(() => shop.story.close());

const pageOf = (invoice: Json) => `${home}/customers/${invoice.customerId}/invoices/${invoice.id}/refund`;
/** The page with the effect of the typed values. */
const effectOf = (invoice: Json, query = "") => `${pageOf(invoice)}?preview=yes&${query}`;
const customerPage = async (desk: Desk, { customerId }: Json) =>
  wordsOf((await desk.get(`${home}/customers/${customerId}`)).text);
const refundsOf = (invoice: Json) => shop.listed(`/refunds?invoiceId=${invoice.id}`);
const limit = (text: string) => owner.sendOnce(`${home}/team/refund-limit`, { limit: text });

test("the page says the exact effect first, and the click refunds exactly this amount", async () => {
  const invoice = await shop.sell("pro", CARDS.pays, shop.someone("DE"));
  expect(await customerPage(finance, invoice)).toContain("Refund invoice");
  const page = await seen(finance, effectOf(invoice, "amount=5.00&reason=Outage"));
  const words = wordsOf(page.text);
  expect(words).toContain("US$5.00 goes to Visa •••• 4242.");
  expect(words).toContain("A credit note of US$5.00, of which US$0.80 is tax, is created once the refund");
  expect(words).toContain("The Subscription and its access continue.");
  expect(words).toContain("After that, US$6.90 to the card can still be refunded.");
  await shop.story.news();

  const fields = actionFieldsOf(page.text)!;
  const first = await finance.post(pageOf(invoice), fields);
  expect([first.status, first.headers.get("Location")]).toEqual([
    303,
    `${home}/customers/${invoice.customerId}?refunded=${invoice.id}`,
  ]);
  const again = await finance.post(pageOf(invoice), fields);
  expect([again.status, again.headers.get("Location")]).toEqual([303, first.headers.get("Location")]);
  const other = await finance.post(pageOf(invoice), { ...fields, amount: "6.00" });
  expect([other.status, wordsOf(other.text).includes("This form was sent before")]).toEqual([409, true]);
  const made = await refundsOf(invoice);
  expect(made).toMatchObject([{ amount: 500, taxAmount: 80, to: "card", reason: "Outage" }]);
  await shop.story.settle();
  expect(await shop.story.news()).toEqual(["refund.created", "invoice.refunded"]);
  expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 500, refundableToCard: 690 });
  const [entry] = (await shop.read("/audit-log?limit=1")).data;
  expect(entry).toMatchObject({ operation: "refundInvoice", resourceId: invoice.id, actor: { type: "user" } });
  expect(wordsOf((await owner.get(`${home}/audit-log?operation=refundInvoice`)).text)).toContain("amount: US$5.00");
  expect(wordsOf((await finance.get(first.headers.get("Location")!)).text)).toMatch(
    /Refund of US\$5\.00 to Visa •••• 4242\. The refund has succeeded\. Credit note \S+ was created\. See the refund/,
  );
  const invoicePage = await customerPage(finance, invoice);
  expect(invoicePage).toContain("Paid Partly refunded");
  expect(wordsOf((await finance.get(`${home}/invoices`)).text)).toContain("Paid Partly refunded");
  expect(wordsOf((await finance.get(`${home}/payments`)).text)).toContain(
    "Succeeded Partly refunded Refund of US$11.90",
  );
  expect(invoicePage).toContain("Why US$5.00?");
  expect(invoicePage).toContain("US$5.00 of “pro” , of which US$0.80 is tax");
});

test("the effect and its button appear after a preview alone, in the place of the form", async () => {
  const invoice = await shop.sell("pro", CARDS.pays, shop.someone("DE"));
  const form = await finance.get(pageOf(invoice));
  expect(actionFieldsOf(form.text)).toBeNull();
  expect(wordsOf(form.text)).not.toContain("goes to Visa");
  expect(form.text).toContain('value="11.90"');
  const address = await finance.get(`${pageOf(invoice)}?amount=3.00&to=card&preview=yes`);
  expect([actionFieldsOf(address.text), address.text.includes("3.00")]).toEqual([null, false]);
  const effect = await seen(finance, effectOf(invoice, "to=card&amount=3.00&reason=Outage"));
  expect(actionFieldsOf(effect.text)).toMatchObject({ to: "card", amount: "3.00", reason: "Outage" });
  expect(effect.text).not.toContain('id="amount"');
  expect(wordsOf(effect.text)).toContain("The reason for your records: “Outage” .");
  const fields = actionFieldsOf(effect.text)!;
  const again = await finance.post(pageOf(invoice), { ...fields, action: "values" });
  expect([actionFieldsOf(again.text), again.text.includes('value="3.00"')]).toEqual([null, true]);
});

test("without an amount the page proposes the whole refundable amount, also as credit", async () => {
  const invoice = await shop.sell("book");
  const words = wordsOf((await seen(finance, effectOf(invoice))).text);
  expect(words).toContain("US$9.00 goes to Visa •••• 4242.");
  expect(words).toContain("No amount of this invoice can be refunded after that.");
  const credit = wordsOf((await seen(finance, effectOf(invoice, "to=balance&amount=4"))).text);
  expect(credit).toContain("US$4.00 is added to the balance as credit now. No money leaves.");
  expect(credit).toContain("The balance changes from US$0.00 to US$4.00.");
  expect((await doAction(finance, effectOf(invoice, "to=balance&amount=4"))).status).toBe(303);
  expect(await shop.story.balance(invoice.customerId)).toBe(400);
  // More than is left of the price: the rest is the credit that was just given.
  const more = wordsOf((await seen(finance, effectOf(invoice, "amount=9"))).text);
  expect(more).toContain("Of this, US$4.00 is earlier credit of this invoice, and is deducted from the balance.");
  expect(more).toContain("The balance changes from US$4.00 to US$0.00.");
  expect((await doAction(finance, effectOf(invoice, "amount=9"))).status).toBe(303);
  expect(await refundsOf(invoice)).toMatchObject([
    { amount: 900, fromBalance: 400, to: "card" },
    { amount: 400, to: "balance" },
  ]);
  await shop.story.settle();
  expect(await shop.story.balance(invoice.customerId)).toBe(0);
  expect(await customerPage(finance, invoice)).not.toContain("Refund invoice");
  for (const list of ["invoices", "payments"])
    expect(wordsOf((await finance.get(`${home}/${list}`)).text), list).toMatch(/(Paid|Succeeded) Refunded/);
});

test("the list of payments leads to the refund of a payment, for roles that may refund", async () => {
  const invoice = await shop.sell("book");
  const link = `href="${pageOf(invoice)}"`;
  for (const list of [`${home}/payments`, `${home}/customers/${invoice.customerId}`]) {
    expect((await finance.get(list)).text, list).toContain(link);
    expect((await support.get(list)).text, list).not.toContain(link);
  }
  const answer = await doAction(finance, effectOf(invoice));
  await shop.story.settle();
  expect((await finance.get(`${home}/payments`)).text).not.toContain(link);
  const credit = await shop.sell("book");
  const done = await doAction(finance, effectOf(credit, "to=balance&amount=4"));
  for (const [{ headers }, words] of [
    [answer, "Refund of US$9.00 to Visa •••• 4242. The refund has succeeded."],
    [done, "Refund of US$4.00 to the balance. The credit is on the balance now."],
  ] as const)
    expect(wordsOf((await finance.get(headers.get("Location")!)).text)).toContain(words);
});

test("a one-time purchase can lose its access with the refund", async () => {
  const { story, manage } = shop;
  const benefit = await story.ok(manage("POST", "/benefits", { key: "f", type: "feature", name: "Reports" }));
  await story.plan("lifetime", 1200, { interval: null, benefitIds: [benefit.id] });
  const invoice = await shop.sell("lifetime");
  expect(wordsOf((await seen(finance, effectOf(invoice))).text)).toContain("The purchased access stays.");
  const path = effectOf(invoice, "revokeGrants=yes");
  expect(wordsOf((await seen(finance, path)).text)).toContain("Access to “Reports” ends now.");
  expect((await doAction(finance, path)).status).toBe(303);
  await story.settle();
  expect((await shop.listed(`/benefit-grants?customerId=${invoice.customerId}`))[0]).toMatchObject({
    status: "revoked",
    reason: "refunded",
  });
});

test.each([
  ["amount=12.345", "An amount in USD has at most 2 decimals."],
  ["amount=abc", "Enter an amount such as 50.00, without a currency."],
  ["amount=12", "Refund at most US$9.00 of this invoice to the card."],
  ["to=moon", "card"],
])("an amount that can't be refunded is refused in words: %s", async (query, words) => {
  const invoice = await shop.sell("book");
  const page = await seen(finance, effectOf(invoice, query));
  expect([page.status, actionFieldsOf(page.text)]).toEqual([422, null]);
  expect(wordsOf(page.text)).toContain(words);
  const { once } = actionFieldsOf((await seen(finance, effectOf(invoice))).text)!;
  const sent = await finance.send(pageOf(invoice), { once: once!, ...Object.fromEntries(new URLSearchParams(query)) });
  expect([sent.status, wordsOf(sent.text).includes(words)]).toEqual([422, true]);
  expect(await refundsOf(invoice)).toEqual([]);
});

test("an invoice that has changed since its page is refused", async () => {
  const invoice = await shop.sell("book");
  const fields = actionFieldsOf((await seen(finance, effectOf(invoice, "amount=1"))).text)!;
  await shop.story.ok(shop.refund(invoice.id, { amount: 100 }));
  const late = await finance.post(pageOf(invoice), fields);
  expect(late.status).toBe(409);
  expect(wordsOf(late.text)).toContain("The data has changed since you opened this page.");
  expect((await finance.post(pageOf(invoice), actionFieldsOf(late.text)!)).status).toBe(303);
  expect(await refundsOf(invoice)).toHaveLength(2);
});

test("an invoice that is refunded in full meanwhile is refused", async () => {
  const invoice = await shop.sell("book");
  const fields = actionFieldsOf((await seen(finance, effectOf(invoice))).text)!;
  await shop.story.ok(shop.refund(invoice.id));
  const late = await finance.post(pageOf(invoice), fields);
  expect([
    late.status,
    wordsOf(late.text).includes("The whole amount is refunded, being refunded or disputed."),
  ]).toEqual([409, true]);
  expect(await refundsOf(invoice)).toHaveLength(1);
});

describe("support", () => {
  test("without a limit makes no refund", async () => {
    const invoice = await shop.sell("book");
    expect(await customerPage(support, invoice)).not.toContain("Refund invoice");
    const page = await support.get(pageOf(invoice));
    expect(actionFieldsOf(page.text)).toBeNull();
    expect(wordsOf(page.text)).toContain("Your role can refund at most US$0.00 more of this invoice.");
  });

  test("refunds up to the limit of one invoice, in however many refunds", async () => {
    expect((await limit("6.00")).status).toBe(303);
    const invoice = await shop.sell("book");
    expect(await customerPage(support, invoice)).toContain("Refund invoice");
    expect(wordsOf((await support.get(pageOf(invoice))).text)).toContain(
      "Support can refund up to US$6.00 of one invoice. US$6.00 is left.",
    );
    const proposed = await seen(support, effectOf(invoice));
    expect(actionFieldsOf(proposed.text)).toMatchObject({ amount: "6.00", to: "card" });
    expect((await doAction(support, effectOf(invoice, "amount=5"))).status).toBe(303);
    for (const query of ["amount=1.01", "amount=1.01&to=balance"])
      expect(wordsOf((await seen(support, effectOf(invoice, query))).text), query).toContain(
        "Your role can refund at most US$1.00 more of this invoice.",
      );
    // A form with another amount than its page.
    const fields = actionFieldsOf((await seen(support, effectOf(invoice))).text)!;
    expect(fields.amount).toBe("1.00");
    expect((await support.post(pageOf(invoice), { ...fields, amount: "1.01" })).status).toBe(422);
    expect((await support.post(pageOf(invoice), { ...fields })).status).toBe(303);
    expect((await refundsOf(invoice)).map(({ amount }) => amount)).toEqual([100, 500]);
    expect((await doAction(finance, effectOf(invoice))).status).toBe(303);
    expect((await limit("")).status).toBe(303);
  });

  test("two forms at the same time do not pass the limit together", async () => {
    await limit("6.00");
    const invoice = await shop.sell("book");
    const pages = await Promise.all([0, 1].map(() => seen(support, effectOf(invoice, "amount=6"))));
    const answers = await Promise.all(pages.map(({ text }) => support.post(pageOf(invoice), actionFieldsOf(text)!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect(await refundsOf(invoice)).toHaveLength(1);
    await limit("");
  });

  test("refunds in the default currency alone", async () => {
    await limit("6.00");
    await shop.story.plan("euro", 900, { interval: null, prices: [{ currency: "eur", amount: 900 }] });
    const customer = shop.someone();
    const open = await shop.story.ok(
      shop.story.app.api("POST", "/checkouts", { productKey: "euro", currency: "eur", customer }),
    );
    await shop.story.ok(shop.manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card: CARDS.pays }));
    const { invoiceId } = await shop.story.ok(shop.story.app.api("GET", `/checkouts/${open.id}`));
    const invoice = await shop.read(`/invoices/${invoiceId}`);
    const page = await seen(support, effectOf(invoice, "amount=1"));
    expect(actionFieldsOf(page.text)).toBeNull();
    expect(wordsOf(page.text)).toContain("Support can refund in USD alone.");
    expect(await customerPage(support, invoice)).not.toContain("Refund invoice");
    await limit("");
  });
});

test("the page asks for the password again, and leads back", async () => {
  const invoice = await shop.sell("book");
  const desk = await joinAs(shop.story.app, "owner");
  await ageSessions(shop.story.app.ctx.db, "15 minutes");
  for (const page of [pageOf(invoice), effectOf(invoice, "amount=5")])
    expect((await seen(desk, page)).headers.get("Location")).toBe(
      `/dashboard/confirm?${new URLSearchParams({ next: pageOf(invoice) })}`,
    );
  for (const each of [finance, support, owner])
    await each.send("/dashboard/confirm", { password: "correct horse battery" });
});

test("ids of another Customer and another Organization are not found", async () => {
  const invoice = await shop.sell("book");
  const { customerId } = await shop.sell("book");
  const { organization } = await shop.story.app.otherOrganization();
  const stranger = await joinAs(shop.story.app, "finance", organization.id);
  const foreign = `/dashboard/${organization.id}/customers/${invoice.customerId}/invoices/${invoice.id}/refund`;
  for (const [desk, path] of [
    [finance, pageOf({ ...invoice, customerId })],
    [finance, pageOf({ ...invoice, id: newId("inv") })],
    [stranger, foreign],
    [stranger, pageOf(invoice)],
  ] as const) {
    expect((await desk.get(path)).status, path).toBe(404);
    expect((await desk.send(path, { once: "a".repeat(22), amount: "1", to: "card" })).status, path).toBe(404);
  }
  expect(await refundsOf(invoice)).toEqual([]);
});
