import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { bankOf, declines, keepsSilent, type Bank } from "../support/bank.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs, seen } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/**
 * Each Customer has an open invoice of 30.00 on 11 February, and a card that pays again. The balance has settled 5.00
 * of the last invoice.
 */
let story: Story;
let bank: Bank;
let home: string;
let finance: Desk;
let owed: Json[];
const COUNT = 8;
beforeAll(async () => {
  story = await startStory({ clock: "2025-01-10T09:00:00Z" });
  bank = bankOf(story.app);
  const benefit = await story.ok(
    story.app.manage("POST", "/benefits", { key: "reports", type: "feature", name: "Reports" }),
  );
  await story.plan("pro", 3000, { name: "Pro", benefitIds: [benefit.id] });
  for (let n = 0; n < COUNT; n += 1)
    await story.buy({ productKey: "pro", customer: { email: `b${n}@example.com`, externalId: `b${n}` } }, CARDS.pays);
  const [credited] = (await story.ok(story.app.manage("GET", "/subscriptions?limit=1"))).data;
  const credit = { currency: "usd", amount: 500, reason: "Sorry" };
  await story.ok(story.app.manage("POST", `/customers/${credited.customerId}/balance-adjustments`, credit));
  bank.says(declines("insufficient_funds"));
  await story.travel("2025-02-11");
  bank.says(null);
  owed = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
  owed.sort((one, other) => Number(one.amountDue === 2500) - Number(other.amountDue === 2500));
  expect(owed).toHaveLength(COUNT);
  home = `/dashboard/${story.app.organization.id}`;
  await openDashboard(story.app);
  finance = await joinAs(story.app, "finance");
  await story.news();
});
afterEach(async () => {
  bank.says(null);
  await story.settle();
  expect(await story.audit()).toEqual([]);
});
afterAll(() => story.close());

const manage = (path: string) => story.ok(story.app.manage("GET", path));
const customerPath = ({ customerId }: Json) => `${home}/customers/${customerId}`;
const pathOf = (invoice: Json, action: string) => `${customerPath(invoice)}/invoices/${invoice.id}/${action}`;
const read = async (path: string) => wordsOf((await seen(finance, path)).text);
const stateOf = async ({ id }: Json) => (await manage(`/invoices/${id}`)).status;

test("the actions stand beside the open invoice, for roles that may do them", async () => {
  const page = await read(customerPath(owed[0]!));
  for (const action of ["Charge now", "Mark as paid", "Void"]) expect(page).toContain(`${action} invoice`);
  const reader = await joinAs(story.app, "read_only");
  const words = wordsOf((await reader.get(customerPath(owed[0]!))).text);
  for (const action of ["Charge now", "Mark as paid", "Void", "Refund invoice", "Adjust the balance"])
    expect(words, action).not.toContain(action);
});

test("a charge says its card and its effect, and pays the invoice once", async () => {
  const invoice = owed[0]!;
  const page = await finance.get(pathOf(invoice, "charge"));
  expect(wordsOf(page.text)).toContain("US$30.00 is charged to Visa •••• 4242 now.");
  expect(wordsOf(page.text)).toContain("The Subscription “Pro” is no longer past due.");
  const fields = actionFieldsOf(page.text)!;
  const answers = [
    await finance.post(pathOf(invoice, "charge"), fields),
    await finance.post(pathOf(invoice, "charge"), fields),
  ];
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(answers[0]!.headers.get("Location")).toBe(`${customerPath(invoice)}?done=charged`);
  expect(await story.news()).toEqual(["payment.succeeded", "invoice.paid", "subscription.recovered"]);
  expect(await read(`${customerPath(invoice)}?done=charged`)).toContain(
    "The charge succeeded, and the invoice is paid.",
  );
  const { paid, captured } = await story.books();
  expect(captured).toEqual(paid);
});

test("a declined charge leaves the invoice open, with the bank's reason", async () => {
  const invoice = owed[1]!;
  const fields = actionFieldsOf((await finance.get(pathOf(invoice, "charge"))).text)!;
  bank.says(declines("insufficient_funds"));
  const answer = await finance.post(pathOf(invoice, "charge"), fields);
  expect([
    answer.status,
    wordsOf(answer.text).includes("The charge failed (insufficient funds). The invoice stays open."),
  ]).toEqual([422, true]);
  expect(await stateOf(invoice)).toBe("open");
  await story.news();
});

test("a charge with an unknown outcome is not an error: the page says where its outcome will be", async () => {
  const invoice = owed[3]!;
  const fields = actionFieldsOf((await finance.get(pathOf(invoice, "charge"))).text)!;
  bank.says(keepsSilent);
  const answer = await finance.post(pathOf(invoice, "charge"), fields);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${customerPath(invoice)}?done=charge-sent`]);
  expect(await read(`${customerPath(invoice)}?done=charge-sent`)).toContain("The list of payments shows the outcome.");
  expect(await read(pathOf(invoice, "void"))).toContain("A payment is in progress, and its outcome is not known yet.");
  bank.says(null);
  await story.settle();
  expect(await stateOf(invoice)).toBe("paid");
  await story.news();
});

test("a card other than the one on the page is not charged", async () => {
  const invoice = owed[2]!;
  const fields = actionFieldsOf((await finance.get(pathOf(invoice, "charge"))).text)!;
  const answer = await finance.post(pathOf(invoice, "charge"), { ...fields, cardId: newId("pm") });
  expect([answer.status, wordsOf(answer.text)]).toEqual([
    409,
    expect.stringContaining("The data has changed since you opened this page."),
  ]);
  expect(await stateOf(invoice)).toBe("open");
});

test("marking as paid keeps the reference, and charges no card", async () => {
  const invoice = owed[2]!;
  expect(await read(pathOf(invoice, "mark-paid"))).toContain("The invoice of US$30.00 is recorded as paid outside");
  const answer = await doAction(finance, pathOf(invoice, "mark-paid"), { reason: "Transfer 4711" });
  expect(answer.headers.get("Location")).toBe(`${customerPath(invoice)}?done=marked`);
  expect(await manage(`/invoices/${invoice.id}`)).toMatchObject({ paidOutside: true, paymentNote: "Transfer 4711" });
  expect(await story.news()).toEqual(["invoice.paid", "subscription.recovered"]);
  expect(await read(customerPath(invoice))).toContain("Transfer 4711");
  const again = await finance.get(pathOf(invoice, "mark-paid"));
  expect([again.status, actionFieldsOf(again.text)]).toEqual([200, null]);
  expect(wordsOf(again.text)).toContain("The invoice is no longer open: it was paid or voided.");
});

test("voiding keeps the reason, and gives the credit back that settled a part", async () => {
  const invoice = owed.at(-1)!;
  const words = await read(pathOf(invoice, "void"));
  expect(words).toContain("The Customer no longer owes US$25.00.");
  expect(words).toContain("The balance changes from US$0.00 to US$5.00.");
  expect((await doAction(finance, pathOf(invoice, "void"), { reason: "x".repeat(501) })).status).toBe(422);
  expect((await doAction(finance, pathOf(invoice, "void"), { reason: "Wrong plan" })).status).toBe(303);
  expect(await manage(`/invoices/${invoice.id}`)).toMatchObject({ status: "void", voidReason: "Wrong plan" });
  expect(await story.balance(invoice.customerId)).toBe(500);
  expect(await story.news()).toEqual(["invoice.voided", "subscription.recovered"]);
});

test("a challenge that waits for the buyer is given up first, and the page says so", async () => {
  const invoice = owed[4]!;
  await story.ok(story.app.manage("POST", `/sandbox/customers/${invoice.customerId}/card`, { card: CARDS.asksBuyer }));
  await story.settle();
  await story.app.manage("POST", `/invoices/${invoice.id}/pay`);
  expect((await manage(`/payments?invoiceId=${invoice.id}&limit=1`)).data[0].status).toBe("requires_action");
  expect(await read(pathOf(invoice, "void"))).toContain(
    "The buyer has not confirmed an earlier charge at the bank. Billow cancels the earlier charge first.",
  );
  expect((await doAction(finance, pathOf(invoice, "void"))).status).toBe(303);
  expect(await stateOf(invoice)).toBe("void");
  await story.news();
});

test("an invoice that has changed since its page is refused", async () => {
  const invoice = owed[5]!;
  const fields = actionFieldsOf((await finance.get(pathOf(invoice, "void"))).text)!;
  const answer = await finance.post(pathOf(invoice, "void"), { ...fields, version: '"0"' });
  expect([answer.status, wordsOf(answer.text).includes("The data has changed since you opened this page.")]).toEqual([
    409,
    true,
  ]);
  await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/mark-paid`));
  expect((await finance.post(pathOf(invoice, "void"), fields)).status).toBe(409);
  expect(await stateOf(invoice)).toBe("paid");
  await story.news();
});

describe("the balance", () => {
  const balancePath = (action: string) => `${customerPath(owed[6]!)}/balance/${action}`;
  const balance = () => story.balance(owed[6]!.customerId);

  test.each(["give", "take"])("is not adjusted twice from two pages: %s", async (kind) => {
    const path = `${balancePath("adjust")}?preview=yes&adjustment=${kind}&currency=usd&amount=5.00&reason=Sorry`;
    const [first, second] = [await seen(finance, path), await seen(finance, path)].map(({ text }) =>
      actionFieldsOf(text)!,
    );
    const before = await balance();
    expect((await finance.post(balancePath("adjust"), first)).status).toBe(303);
    const refused = await finance.post(balancePath("adjust"), second);
    expect([refused.status, wordsOf(refused.text)]).toEqual([
      409,
      expect.stringContaining("The data has changed since you opened this page."),
    ]);
    const once = kind === "give" ? 500 : -500;
    expect(await balance()).toBe(before + once);
    // The refused page shows the present balance, so its own form is accepted.
    expect((await finance.post(balancePath("adjust"), actionFieldsOf(refused.text)!)).status).toBe(303);
    expect(await balance()).toBe(before + 2 * once);
    await story.news();
  });

  test("is adjusted both ways, once for a form, with the effect before the click", async () => {
    const give = `${balancePath("adjust")}?preview=yes&adjustment=give&currency=usd&amount=5.00&reason=Sorry`;
    expect(await read(give)).toContain("The balance changes from US$0.00 to US$5.00.");
    const fields = actionFieldsOf((await seen(finance, give)).text)!;
    for (const _ of [1, 2]) expect((await finance.post(balancePath("adjust"), fields)).status).toBe(303);
    expect(await balance()).toBe(500);
    const take = `${balancePath("adjust")}?preview=yes&adjustment=take&currency=USD&amount=7&reason=Wrong`;
    expect(await read(take)).toContain("The balance changes from US$5.00 to US$2.00 owed.");
    expect((await doAction(finance, take)).status).toBe(303);
    expect(await balance()).toBe(-200);
    const balancePage = await read(customerPath(owed[6]!));
    expect(balancePage).toContain("US$2.00 owed by the Customer: the sum of the movements in USD.");
    expect(balancePage).toContain("An adjustment by hand Wrong");
    expect(
      (await doAction(finance, `${balancePath("adjust")}?preview=yes&currency=usd&amount=2&reason=Forgiven`)).status,
    ).toBe(303);
  });

  test.each([
    ["currency=usd&amount=&reason=x", "Enter an amount above 0."],
    ["currency=usd&amount=0&reason=x", "Enter an amount above 0."],
    ["currency=xxx&amount=1&reason=x", "This is not an active ISO 4217 currency"],
    ["currency=jpy&amount=1.5&reason=x", "An amount in JPY has no decimals."],
    ["currency=usd&amount=1&reason=", "Reason"],
    ["currency=usd&amount=99999999999.99&reason=x", "Enter a smaller amount."],
  ])("refuses %s", async (query, words) => {
    const page = await seen(finance, `${balancePath("adjust")}?preview=yes&${query}`);
    expect([page.status, actionFieldsOf(page.text)]).toEqual([422, null]);
    expect(wordsOf(page.text)).toContain(words);
  });

  test("pays out only credit that came from a card, to this card", async () => {
    const customer = { email: "out@example.com", externalId: "out" };
    await story.plan("book", 900, { interval: null });
    const open = await story.buy({ productKey: "book", customer }, CARDS.pays);
    const path = `${home}/customers/${open.customerId}/balance/pay-out`;
    expect(await read(path)).toContain("There is no credit to pay out.");
    await story.ok(story.app.manage("POST", `/invoices/${open.invoiceId}/refunds`, { to: "balance", amount: 600 }));
    await story.news();
    const refund = `${home}/customers/${open.customerId}/invoices/${open.invoiceId}/refund`;
    expect(await read(refund)).toMatch(/Up to US\$\S+\. The rest of US\$\S+ was refunded, credited by a later invoice/);
    const words = await read(`${path}?preview=yes&amount=4.50&reason=Moved`);
    expect(words).toContain("US$4.50 goes to Visa •••• 4242.");
    expect(words).toContain("The balance changes from US$6.00 to US$1.50.");
    expect(await read(`${path}?preview=yes&amount=6.01`)).toContain("Up to US$6.00 can be refunded.");
    const stale = actionFieldsOf((await seen(finance, `${path}?preview=yes&amount=4.50&reason=Moved`)).text)!;
    const refused = await finance.post(path, { ...stale, balance: "700" });
    expect(refused.status).toBe(409);
    const fields = actionFieldsOf(refused.text)!;
    for (const _ of [1, 2]) expect((await finance.post(path, fields)).status).toBe(303);
    expect((await manage(`/refunds?customerId=${open.customerId}&purpose=balance`)).data).toMatchObject([
      { amount: 450, reason: "Moved" },
    ]);
    expect(await story.balance(open.customerId)).toBe(150);
    expect(await story.news()).toEqual(["refund.created"]);
    await story.settle();
    expect(await read(`${home}/customers/${open.customerId}`)).toContain("Paid out to a card −US$4.50");
    expect(await read(`${home}/customers/${open.customerId}`)).toContain("Refund to the card Succeeded rfd_");
  });
});

test("ids of another Customer and another Organization are not found", async () => {
  const invoice = owed[1]!;
  const { organization } = await story.app.otherOrganization();
  const stranger = await joinAs(story.app, "owner", organization.id);
  const foreign = (path: string) => path.replace(home, `/dashboard/${organization.id}`);
  for (const action of ["charge", "mark-paid", "void"])
    for (const [desk, path] of [
      [finance, pathOf({ ...invoice, customerId: owed[0]!.customerId }, action)],
      [finance, pathOf({ ...invoice, id: newId("inv") }, action)],
      [stranger, foreign(pathOf(invoice, action))],
    ] as const) {
      expect((await desk.get(path)).status, path).toBe(404);
      expect((await desk.send(path, { once: "a".repeat(22) })).status, path).toBe(404);
    }
  for (const action of ["adjust", "pay-out"]) {
    const path = foreign(`${customerPath(invoice)}/balance/${action}`);
    expect((await stranger.get(path)).status, path).toBe(404);
    expect((await stranger.send(path, { once: "a".repeat(22), currency: "usd", amount: "1" })).status).toBe(404);
  }
  expect(await stateOf(invoice)).toBe("open");
});

test("money that comes late brings the access back, and the page says so before the click", async () => {
  const invoice = owed[1]!;
  bank.says(declines("insufficient_funds"));
  await story.travel("2025-02-20");
  bank.says(null);
  const grants = async () => (await manage(`/benefit-grants?customerId=${invoice.customerId}`)).data;
  expect(await grants()).toMatchObject([{ status: "revoked", reason: "payment_failed" }]);
  expect(await read(pathOf(invoice, "mark-paid"))).toContain("Access to “Reports” begins again.");
  expect((await doAction(finance, pathOf(invoice, "mark-paid"))).status).toBe(303);
  expect(await grants()).toMatchObject([{ status: "active", reason: "payment_recovered" }]);
});
