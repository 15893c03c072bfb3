import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const SOLD_ONCE = ["payment.succeeded", "invoice.created", "invoice.paid", "checkout.completed"];

describe("a balance that pays at a Checkout (rule C7)", () => {
  let story: Story;
  let ada: string;
  let plan: Json;
  let waiting: Json;
  const open = (productKey: string, more: object = { externalCustomerId: "ada" }) =>
    story.ok(story.app.api("POST", "/checkouts", { productKey, ...more }));
  const pay = (id: string, card: string | null = CARDS.pays) =>
    story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card }));
  const read = (id: string) => story.ok(story.app.api("GET", `/checkouts/${id}`));
  const adjust = (amount: number) => {
    const body = { currency: "usd", amount, reason: "Sorry" };
    return story.ok(story.app.manage("POST", `/customers/${ada}/balance-adjustments`, body));
  };
  const explained = async (invoiceId: string) =>
    (await story.ok(story.app.manage("GET", `/invoices/${invoiceId}/explanation`))).balance.text;

  beforeAll(async () => {
    story = await startStory({ clock: "2025-03-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("basic", 1000);
    await story.plan("add-on", 2000, { group: "add-on" });
    await story.plan("book", 4900, { interval: null });
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-03-01: Ada buys Pro, without a balance", async () => {
    plan = await story.buy(
      { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
      CARDS.pays,
    );
    ada = plan.customerId;
    expect(await story.news()).toEqual([
      "customer.created",
      "checkout.created",
      "payment.succeeded",
      "subscription.created",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual(["0001 checkout paid 3000", "     pro 3000 2025-03-01 → 2025-04-01"]);
  });

  it("2025-03-16: a change to Basic leaves a credit of 10.00; a book costs 39.00 now", async () => {
    await story.travel("2025-03-16T21:00:00Z"); // half of 31 days
    await story.change(plan.id, { productKey: "basic" });
    expect(await story.balance(ada)).toBe(1000);
    expect(await story.news()).toEqual(["subscription.updated", "invoice.created", "invoice.paid"]);
    expect(await story.statement()).toEqual([
      "0002 product_change paid -1000 (balance -1000)",
      "     pro, unused rest of the period -1500 2025-03-16 → 2025-04-01",
      "     basic, rest of the period 500 2025-03-16 → 2025-04-01",
    ]);
    const { id } = await open("book");
    const { invoiceId } = await pay(id);
    expect(await story.news()).toEqual(["checkout.created", ...SOLD_ONCE]);
    expect(await story.statement()).toEqual(["0003 checkout paid 4900 (balance 1000)", "     book 4900"]);
    expect(await explained(invoiceId)).toBe(
      "The balance had US$10.00. It settles US$10.00 of the total. Of this credit, US$10.00 came from payments.",
    );
    expect(await story.balance(ada)).toBe(0);
  });

  it("2025-03-20: credit of 49.00 pays a book without a card", async () => {
    await story.travel("2025-03-20");
    await adjust(4900);
    await story.news();
    const { id } = await open("book");
    const { invoiceId } = await pay(id, null);
    expect(await story.news()).toEqual(["checkout.created", "invoice.created", "invoice.paid", "checkout.completed"]);
    expect(await story.statement()).toEqual(["0004 checkout paid 4900 (balance 4900)", "     book 4900"]);
    expect(await explained(invoiceId)).toBe(
      "The balance had US$49.00. It settles US$49.00 of the total. Of this credit, US$49.00 was granted.",
    );
    expect(await story.balance(ada)).toBe(0);
  });

  it("2025-03-21: with a credit of 48.80 the card still pays 0.50, and 0.30 is left", async () => {
    await story.travel("2025-03-21");
    await adjust(4880);
    await story.news();
    const { id } = await open("book");
    const { invoiceId } = await pay(id);
    expect(await story.news()).toEqual(["checkout.created", ...SOLD_ONCE]);
    expect(await story.statement()).toEqual(["0005 checkout paid 4900 (balance 4850)", "     book 4900"]);
    expect(await explained(invoiceId)).toBe(
      "The balance had US$48.80. It settles US$48.50 of the total, and leaves US$0.50, " +
        "the smallest amount that can be charged. Of this credit, US$48.50 was granted.",
    );
    expect(await story.balance(ada)).toBe(30);
  });

  it("2025-03-31: a book at 49.00 is submitted with a credit of 20.00, and the bank asks Ada", async () => {
    await story.travel("2025-03-31T10:00:00Z");
    await adjust(1970);
    await story.news();
    waiting = await pay((await open("book")).id, CARDS.asksBuyer);
    expect(waiting).toMatchObject({ status: "processing", balanceApplied: 2000, amountDue: 2900 });
    expect(await story.news()).toEqual(["checkout.created", "payment.action_required"]);
    expect(await story.statement()).toEqual([]);
    expect(await story.balance(ada)).toBe(2000);
    const change = { productKey: "pro", prorationBehavior: "invoice_now" };
    const preview = await story.ok(story.app.manage("POST", `/subscriptions/${plan.id}/preview`, change));
    expect(preview).toMatchObject({ chargeAmount: 62, balanceChange: 0 });
  });

  it("2025-04-01: the renewal falls meanwhile, and does not use the reserved credit", async () => {
    await story.travel("2025-04-01T09:30:00Z");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0006 renewal paid 1000", "     basic 1000 2025-04-01 → 2025-05-01"]);
  });

  it("2025-04-01: an hour before the page expires, Ada passes: the balance pays its fixed part", async () => {
    await story.answerChallenge(true);
    expect(await story.news()).toEqual(SOLD_ONCE);
    expect(await story.statement()).toEqual(["0007 checkout paid 4900 (balance 2000)", "     book 4900"]);
    expect(await read(waiting.id)).toMatchObject({ status: "completed", balanceApplied: 2000, amountDue: 2900 });
    expect(await story.balance(ada)).toBe(0);
    await story.newCard(ada, CARDS.pays);
  });

  it("2025-04-02: an operator takes reserved credit away; the purchase leaves a debt", async () => {
    await story.travel("2025-04-02");
    await adjust(2000);
    await story.news();
    await pay((await open("book")).id, CARDS.asksBuyer);
    await adjust(-1500);
    await story.answerChallenge(true);
    expect(await story.news()).toEqual(["checkout.created", "payment.action_required", ...SOLD_ONCE]);
    expect(await story.statement()).toEqual(["0008 checkout paid 4900 (balance 2000)", "     book 4900"]);
    expect(await story.balance(ada)).toBe(-1500);
    await story.newCard(ada, CARDS.pays);
  });

  it("2025-04-03: a Checkout does not collect the debt; the next renewal does", async () => {
    await story.travel("2025-04-03");
    await story.buy({ productKey: "add-on", externalCustomerId: "ada" }, CARDS.pays);
    await story.news();
    expect(await story.statement()).toEqual(["0009 checkout paid 2000", "     add-on 2000 2025-04-03 → 2025-05-03"]);
    expect(await story.balance(ada)).toBe(-1500);
    await story.travel("2025-05-01T10:00:00Z");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual([
      "0010 renewal paid 1000 (balance -1500)",
      "     basic 1000 2025-05-01 → 2025-06-01",
    ]);
    expect(await story.balance(ada)).toBe(0);
  });

  it("2025-05-02: the buyer goes away; the credit is free again with the expiry, and pays the renewal", async () => {
    await story.travel("2025-05-02T10:00:00Z");
    await adjust(1500);
    await story.news();
    const { id } = await pay(
      (await open("book", { externalCustomerId: "ada", expiresInMinutes: 60 })).id,
      CARDS.asksBuyer,
    );
    const { id: other } = await open("book");
    expect(await read(other)).toMatchObject({ status: "open", balanceApplied: 0, amountDue: 4900 });
    await story.travel("2025-05-02T11:00:00Z");
    expect(await story.news()).toEqual([
      "checkout.created",
      "payment.action_required",
      "checkout.created",
      "payment.failed",
      "checkout.payment_failed",
      "checkout.expired",
    ]);
    expect(await read(id)).toMatchObject({ status: "expired", balanceApplied: 0, amountDue: 4900 });
    expect(await read(other)).toMatchObject({ status: "open", balanceApplied: 1500, amountDue: 3400 });
    await story.travel("2025-05-03T10:00:00Z");
    expect(await story.statement()).toEqual([
      "0011 renewal paid 2000 (balance 1500)",
      "     add-on 2000 2025-05-03 → 2025-06-03",
    ]);
  });

  it("2025-05-03: a stranger that types Ada's e-mail uses no credit", async () => {
    await adjust(1000);
    const { id } = await open("book", {});
    const body = { card: CARDS.pays, email: "ada@example.com" };
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body));
    expect(paid).toMatchObject({ customerId: ada, balanceApplied: 0, amountDue: 4900 });
    expect(await story.statement()).toEqual(["0012 checkout paid 4900", "     book 4900"]);
    expect(await story.balance(ada)).toBe(1000);
  });

  it("2025-05-03: the card gets back the amount that it paid, and the balance the rest (rules I3a, I3b)", async () => {
    const { data } = await story.ok(story.app.manage("GET", `/invoices?customerId=${ada}&limit=100`));
    const [book] = data.filter(({ number }: Json) => number.endsWith("0007"));
    expect(book).toMatchObject({
      totalAmount: 4900,
      balanceApplied: 2000,
      refundableToCard: 2900,
      refundableToBalance: 4900,
    });
    const tooMuch = await story.app.manage("POST", `/invoices/${book.id}/refunds`, { amount: 2901 });
    expect(tooMuch.status).toBe(422);
    await story.ok(story.app.manage("POST", `/invoices/${book.id}/refunds`, {}));
    await story.settle();
    const before = await story.balance(ada);
    const rest = await story.ok(story.app.manage("POST", `/invoices/${book.id}/refunds`, { to: "balance" }));
    expect(rest).toMatchObject({ amount: 2000, status: "succeeded" });
    expect(await story.balance(ada)).toBe(before + 2000);
  });

  it("in the end, the provider took the amounts due, and the books agree", async () => {
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
    expect(paid).toEqual([50, 500, 1000, 2000, 2500, 2900, 2900, 3000, 3900, 4900]);
    expect(await story.audit()).toEqual([]);
  });
});

const asBeforeStatement = sql(
  "test.checkouts_as_before",
  "UPDATE checkouts SET uses_balance = false, settlement = NULL WHERE organization_id = $1",
);

it("a Checkout that was being paid during the upgrade uses no balance", async () => {
  const story = await startStory({ clock: "2025-03-01T09:00:00Z" });
  await story.plan("book", 4900, { interval: null });
  const customer = { email: "ada@example.com", externalId: "ada" };
  const { id, customerId } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "book", customer }));
  await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.asksBuyer }));
  await story.app.ctx.db.tx((tx) => tx.query(asBeforeStatement, [story.app.organization.id]));
  const credit = { currency: "usd", amount: 1000, reason: "Sorry" };
  await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, credit));
  await story.answerChallenge(true);
  expect(await story.statement()).toEqual(["0001 checkout paid 4900", "     book 4900"]);
  expect(await story.balance(customerId)).toBe(1000);
  await story.close();
});

it("the credit stays reserved while the bank asks about a card that is only saved", async () => {
  const story = await startStory({ clock: "2025-03-01T09:00:00Z" });
  await story.plan("pro", 3000);
  await story.plan("book", 4900, { interval: null });
  const { id: customerId } = await story.ok(story.app.api("POST", "/customers", { email: "ada@example.com" }));
  const credit = { currency: "usd", amount: 3500, reason: "Sorry" };
  await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, credit));
  const open = (productKey: string) => story.ok(story.app.api("POST", "/checkouts", { productKey, customerId }));
  const [pro, book] = [await open("pro"), await open("book")];
  const means = { card: CARDS.asksBuyer };
  const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${pro.id}/pay`, means));
  expect(paid).toMatchObject({ status: "processing", totalAmount: 3000, balanceApplied: 3000, amountDue: 0 });
  const read = () => story.ok(story.app.api("GET", `/checkouts/${book.id}`));
  expect(await read()).toMatchObject({ status: "open", balanceApplied: 500, amountDue: 4400 });
  await story.news();
  await story.answerChallenge(true);
  expect(await story.news()).toEqual(["subscription.created", "invoice.created", "invoice.paid", "checkout.completed"]);
  expect(await story.statement()).toEqual([
    "0001 checkout paid 3000 (balance 3000)",
    "     pro 3000 2025-03-01 → 2025-04-01",
  ]);
  expect(await read()).toMatchObject({ status: "open", balanceApplied: 500, amountDue: 4400 });
  expect(await story.books()).toEqual({ paid: [], captured: [] });
  await story.close();
});
