import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const ADA = { email: "ada@example.com", externalId: "ada" };

/** A year for 300.00, bought by card on 1 June 2025 at 9:00. Other plans are on sale to change to. */
function openYear() {
  const shop = {} as { story: Story; id: string; customerId: string; invoice: Json; payment: Json };
  beforeAll(async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("year", 30_000, { interval: "year" });
    await story.plan("free", 0);
    await story.plan("month", 1000);
    const { id, customerId } = await story.buy({ productKey: "year", customer: ADA }, CARDS.pays);
    const [invoice] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`))).data;
    const [payment] = (await story.ok(story.app.manage("GET", `/payments?invoiceId=${invoice.id}`))).data;
    Object.assign(shop, { story, id, customerId, invoice, payment });
    await story.news();
    await story.statement();
  });
  afterEach(async () => expect(await shop.story.audit()).toEqual([]));
  afterAll(() => shop.story.close());
  const post = (path: string, body: object = {}) => shop.story.app.manage("POST", path, body);
  return {
    shop,
    post,
    change: (productKey: string, more: object = {}) => shop.story.change(shop.id, { productKey, ...more }),
    refund: (body: object = {}) => post(`/invoices/${shop.invoice.id}/refunds`, body),
    /** The amounts that can be refunded to the card and to the balance. */
    refundable: async () => {
      const invoice = await shop.story.ok(shop.story.app.manage("GET", `/invoices/${shop.invoice.id}`));
      return [invoice.refundableToCard, invoice.refundableToBalance];
    },
    balance: async () =>
      (await shop.story.ok(shop.story.app.manage("GET", `/customers/${shop.customerId}/balance`))).data,
    dispute: async () => (await shop.story.ok(post(`/sandbox/payments/${shop.payment.id}/dispute`))).id as string,
    close: (id: string, outcome: "won" | "lost") => shop.story.ok(post(`/sandbox/disputes/${id}/close`, { outcome })),
    adjust: (amount: number) =>
      shop.story.ok(
        post(`/customers/${shop.customerId}/balance-adjustments`, { currency: "usd", amount, reason: "By hand" }),
      ),
  };
}

const usd = (amount: number, held: number) => [{ currency: "usd", amount, held, available: amount - held }];

describe("a year is credited by a change to a free plan, and then its invoice is to be refunded", () => {
  const { shop, post, change, refund, refundable, balance } = openYear();

  it("2025-06-01: before the change, all of it can be refunded", async () => {
    expect(await refundable()).toEqual([30_000, 30_000]);
  });

  it("2025-06-01: the change credits the year whole, and names the line that it gives back", async () => {
    await change("free");
    expect(await shop.story.statement()).toEqual([
      "0002 product_change paid -30000 (balance -30000)",
      "     year, unused rest of the period -30000 2025-06-01 → 2026-06-01",
      "     free 0 2025-06-01 → 2025-07-01",
    ]);
    const [made] = (await shop.story.ok(shop.story.app.manage("GET", `/invoices?subscriptionId=${shop.id}`))).data;
    expect(made.lines.map((line: Json) => line.creditedLineId)).toEqual([shop.invoice.lines[0].id, null]);
    expect(await balance()).toEqual(usd(30_000, 0));
  });

  it("2025-06-01: no refund gives the same money back again", async () => {
    const before = await shop.story.app.manage("GET", `/invoices/${shop.invoice.id}`);
    expect(before.body).toMatchObject({ status: "paid", refundedAmount: 0 });
    expect(await refundable()).toEqual([0, 0]);
    // Only an amount that the request names is taken off the balance.
    expect((await refund()).body).toMatchObject({ status: 409, code: "credited", available: 30_000 });
    for (const body of [{ to: "balance" }, { to: "balance", amount: 1 }]) {
      expect((await refund(body)).body).toMatchObject({ status: 409, code: "credited", available: 0 });
    }
    const tooLarge = { status: 422, errors: [{ pointer: "/amount", code: "too_large" }] };
    expect((await refund({ amount: 30_001 })).body).toMatchObject(tooLarge);
    expect((await shop.story.ok(shop.story.app.manage("GET", "/refunds"))).data).toEqual([]);
  });

  it("2025-06-01: the credit pays the year once", async () => {
    await change("year");
    expect(await shop.story.statement()).toEqual([
      "0003 product_change paid 30000 (balance 30000)",
      "     year 30000 2025-06-01 → 2026-06-01",
    ]);
    expect(await balance()).toEqual(usd(0, 0));
    const [newest] = (await shop.story.ok(shop.story.app.manage("GET", `/invoices?subscriptionId=${shop.id}`))).data;
    expect(newest).toMatchObject({ refundableToCard: 0, refundableToBalance: 30_000 });
    expect((await post(`/invoices/${newest.id}/refunds`)).body).toMatchObject({
      status: 422,
      errors: [{ pointer: "/to", code: "not_paid_by_card" }],
    });
    expect((await refund({ amount: 1 })).body).toMatchObject({ status: 409, code: "credit_spent", available: 0 });
  });
});

describe("half of a year is refunded, the rest credited, and all that is left refunded", () => {
  const { shop, change, refund, refundable, balance } = openYear();
  let credit: number;

  it("2025-06-11: a refund of half", async () => {
    await shop.story.travel("2025-06-11");
    expect((await refund({ amount: 15_000 })).status).toBe(201);
    await shop.story.settle();
    expect(await refundable()).toEqual([15_000, 15_000]);
  });

  it("2025-06-26: the change credits the rest of the other half", async () => {
    await shop.story.travel("2025-06-26");
    await change("free");
    // 340 of 365 days of 150.00.
    credit = 13_973;
    expect(await balance()).toEqual(usd(credit, 0));
    expect(await refundable()).toEqual([15_000 - credit, 15_000 - credit]);
    const etag = async () => (await shop.story.app.manage("GET", `/invoices/${shop.invoice.id}`)).headers.get("etag");
    expect(await etag()).toContain(String(credit));
  });

  it("2025-06-26: the part that was used is the default; more is taken off the balance", async () => {
    const made = await refund();
    expect([made.status, made.body.amount, made.body.fromBalance]).toEqual([201, 15_000 - credit, 0]);
    await shop.story.settle();
    expect(await refundable()).toEqual([0, 0]);
    const more = await refund({ amount: credit });
    expect(more.body).toMatchObject({ amount: credit, fromBalance: credit, status: "pending" });
    expect(await balance()).toEqual(usd(0, 0));
    await shop.story.settle();
    expect((await refund({ amount: 1 })).body).toMatchObject({ status: 409, code: "nothing_to_refund" });
    const notes = (await shop.story.ok(shop.story.app.manage("GET", `/credit-notes?invoiceId=${shop.invoice.id}`)))
      .data;
    expect(notes.map((note: Json) => note.totalAmount)).toEqual([15_000 - credit, 15_000]);
  });
});

describe("all of a year is refunded, and then it is changed", () => {
  const { shop, change, refund, balance } = openYear();

  it("2025-06-01: a line that was refunded whole is not credited", async () => {
    expect((await refund()).status).toBe(201);
    await shop.story.settle();
    await change("free");
    expect(await balance()).toEqual([]);
    expect(await shop.story.statement()).toEqual(["0002 product_change paid 0", "     free 0 2025-06-01 → 2025-07-01"]);
  });
});

describe("a charge is disputed after its credit went to the balance", () => {
  const { shop, change, balance, dispute, close, adjust } = openYear();
  let disputeId: string;

  it("2025-06-01: the credit is held while the dispute is open", async () => {
    await change("free");
    await shop.story.statement();
    disputeId = await dispute();
    expect(await balance()).toEqual(usd(30_000, 30_000));
  });

  it("2025-06-01: going back to the year is charged, and the credit stays", async () => {
    await shop.story.newCard(shop.customerId, CARDS.paysToo);
    const preview = await shop.story.ok(
      shop.story.app.manage("POST", `/subscriptions/${shop.id}/preview`, { productKey: "month" }),
    );
    expect(preview).toMatchObject({ chargeAmount: 1000, balanceChange: 0 });
    await change("month");
    expect(await shop.story.statement()).toEqual([
      "0003 product_change paid 1000",
      "     month 1000 2025-06-01 → 2025-07-01",
    ]);
    expect(await balance()).toEqual(usd(30_000, 30_000));
  });

  it("2025-06-02: credit that an operator gives can be spent beside it", async () => {
    await shop.story.travel("2025-06-02");
    await adjust(700);
    expect(await balance()).toEqual(usd(30_700, 30_000));
    await shop.story.travel("2025-07-01");
    expect(await shop.story.statement()).toEqual([
      "0004 renewal paid 1000 (balance 700)",
      "     month 1000 2025-07-01 → 2025-08-01",
    ]);
    expect(await balance()).toEqual(usd(30_000, 30_000));
  });

  it("2025-07-02: won, and it can be spent", async () => {
    await shop.story.travel("2025-07-02");
    await close(disputeId, "won");
    expect(await balance()).toEqual(usd(30_000, 0));
    await shop.story.travel("2025-08-01");
    expect(await shop.story.statement()).toEqual([
      "0005 renewal paid 1000 (balance 1000)",
      "     month 1000 2025-08-01 → 2025-09-01",
    ]);
  });

  it("2025-08-02: disputed once more and lost, the credit is worth nothing", async () => {
    await shop.story.travel("2025-08-02");
    await adjust(100);
    const again = await dispute();
    expect(await balance()).toEqual(usd(29_100, 29_000));
    await close(again, "lost");
    expect(await balance()).toEqual(usd(100, 0));
    const entries = (await shop.story.ok(shop.story.app.manage("GET", `/customers/${shop.customerId}/balance-entries`)))
      .data;
    expect(entries[0]).toMatchObject({ amount: -29_000, reason: "dispute_lost", source: null });
  });
});

describe("a charge is disputed after its credit was spent on another year", () => {
  const { shop, change, balance, dispute, close, adjust } = openYear();
  let disputeId: string;

  it("2025-06-01: the credit of the first year pays the second one", async () => {
    await change("free");
    await change("year");
    await shop.story.statement();
    expect(await balance()).toEqual(usd(0, 0));
    disputeId = await dispute();
    expect(await balance()).toEqual(usd(0, 0));
  });

  it("2025-06-01: the second year can't be left early while the bank has not decided", async () => {
    const refused = await shop.story.app.api("PATCH", `/subscriptions/${shop.id}`, { productKey: "free" });
    expect(refused.body).toMatchObject({ status: 409, code: "payment_disputed" });
  });

  it("2025-06-01: the dispute is lost, so leaving the second year early gives no credit", async () => {
    await adjust(500);
    await close(disputeId, "lost");
    expect(await balance()).toEqual(usd(500, 0));
    await change("free");
    expect(await shop.story.statement()).toEqual(["0004 product_change paid 0", "     free 0 2025-06-01 → 2025-07-01"]);
    expect(await balance()).toEqual(usd(500, 0));
  });

  it("2025-06-01: a third year is charged, less the operator's credit", async () => {
    await shop.story.newCard(shop.customerId, CARDS.paysToo);
    await change("year");
    expect(await shop.story.statement()).toEqual([
      "0005 product_change paid 30000 (balance 500)",
      "     year 30000 2025-06-01 → 2026-06-01",
    ]);
    expect(await balance()).toEqual(usd(0, 0));
  });
});

describe("a charge is disputed after an operator took other credit away", () => {
  const { shop, post, change, balance, adjust } = openYear();

  it("2025-06-02: the credit of the first year is taken away", async () => {
    await change("free");
    await shop.story.travel("2025-06-02");
    await adjust(-30_000);
    expect(await balance()).toEqual(usd(0, 0));
  });

  it("2025-06-03: the second year is charged, credited and disputed: all of its credit is held", async () => {
    const { story, id } = shop;
    await story.travel("2025-06-03");
    await change("year");
    await change("free");
    expect(await balance()).toEqual(usd(30_000, 0));
    const paid = (await story.ok(story.app.manage("GET", `/payments?subscriptionId=${id}`))).data;
    const second = paid.find((payment: Json) => payment.id !== shop.payment.id);
    await story.ok(post(`/sandbox/payments/${second.id}/dispute`));
    expect(await balance()).toEqual(usd(30_000, 30_000));
  });

  it("2025-06-04: credit that is taken away from now on is held no longer", async () => {
    await shop.story.travel("2025-06-04");
    await adjust(-10_000);
    expect(await balance()).toEqual(usd(20_000, 20_000));
    await adjust(10_000);
    expect(await balance()).toEqual(usd(30_000, 20_000));
  });
});

describe("a charge is disputed while its credit waits for the next invoice", () => {
  const { shop, post, balance } = openYear();
  let monthId: string;

  it("2025-06-16: half of a month at 100.00 waits as credit, and the month's charge is disputed", async () => {
    const { story, customerId } = shop;
    await story.plan("hundred", 10_000, { group: "other" });
    await story.plan("ten", 1000, { group: "other" });
    const other = await story.buy({ productKey: "hundred", customerId }, CARDS.pays);
    monthId = other.id;
    await story.travel("2025-06-16");
    await story.change(monthId, { productKey: "ten", prorationBehavior: "next_invoice" });
    const [paid] = (await story.ok(story.app.manage("GET", `/payments?subscriptionId=${monthId}`))).data;
    await story.ok(post(`/sandbox/payments/${paid.id}/dispute`));
    await story.newCard(customerId, CARDS.paysToo);
    await story.statement();
    expect(await balance()).toEqual([]);
  });

  it("2025-07-01: the renewal is charged whole, and the credit goes to the balance, held", async () => {
    const { story } = shop;
    await story.travel("2025-07-01");
    expect(await story.statement()).toEqual([
      "0003 renewal paid -3500 (balance -5000)",
      "     hundred, unused rest of the period -5000 2025-06-16 → 2025-07-01",
      "     ten, rest of the period 500 2025-06-16 → 2025-07-01",
      "     ten 1000 2025-07-01 → 2025-08-01",
    ]);
    const [renewal] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${monthId}`))).data;
    expect(renewal).toMatchObject({
      totalAmount: -3500,
      balanceApplied: -5000,
      amountDue: 1500,
      amountPaid: 1500,
      refundableToCard: 1500,
      refundableToBalance: 1500,
    });
    expect(await balance()).toEqual(usd(5000, 5000));
    const explained = await story.ok(story.app.manage("GET", `/invoices/${renewal.id}/explanation`));
    expect(explained.balance).toMatchObject({ amount: -5000, rule: "D7", expression: "min(0, 1500) − 5000" });
    expect(explained.balance.text).toContain("came from a payment that its bank took back");
  });

  it("2025-07-01: the part that was charged can be refunded, and the held credit stays", async () => {
    const { story } = shop;
    const [renewal] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${monthId}`))).data;
    const tooLarge = { status: 422, errors: [{ pointer: "/amount", code: "too_large" }] };
    expect((await post(`/invoices/${renewal.id}/refunds`, { amount: 1501 })).body).toMatchObject(tooLarge);
    expect((await post(`/invoices/${renewal.id}/refunds`)).body).toMatchObject({ amount: 1500, to: "card" });
    await story.settle();
    const refunded = await story.ok(story.app.manage("GET", `/invoices/${renewal.id}`));
    expect(refunded).toMatchObject({ refundedAmount: 1500, refundableToCard: 0, refundableToBalance: 0 });
    expect(await balance()).toEqual(usd(5000, 5000));
  });
});
