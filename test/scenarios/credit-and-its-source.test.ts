import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines, type Bank } from "../support/bank.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const ADA = { email: "ada@example.com", externalId: "ada" };
const usd = (amount: number, held = 0) => [{ currency: "usd", amount, held, available: amount - held }];

/** Pro for 30.00 a month, bought by card on 1 June 2025 at 0:00. */
function openJune() {
  const june = {} as { story: Story; bank: Bank; id: string; customerId: string };
  beforeAll(async () => {
    const story = await startStory({ clock: "2025-06-01T00:00:00Z" });
    for (const [key, amount] of Object.entries({ pro: 3000, team: 6000, max: 12_000, plus: 2000, free: 0 }))
      await story.plan(key, amount);
    const { id, customerId } = await story.buy({ productKey: "pro", customer: ADA }, CARDS.pays);
    Object.assign(june, { story, bank: bankOf(story.app), id, customerId });
    await story.news();
    await story.statement();
  });
  afterEach(async () => expect(await june.story.audit()).toEqual([]));
  afterAll(() => june.story.close());
  const get = (path: string) => june.story.ok(june.story.app.manage("GET", path));
  const post = (path: string, body: object = {}) => june.story.app.manage("POST", path, body);
  /** The Subscription's invoices, oldest first. */
  const invoices = async (): Promise<Json[]> =>
    (await get(`/invoices?subscriptionId=${june.id}&limit=100`)).data.toReversed();
  return {
    june,
    get,
    post,
    invoices,
    change: (productKey: string, more: object = {}) => june.story.change(june.id, { productKey, ...more }),
    /** Refunds the n-th invoice, and waits until the refund is settled. */
    async refund(n: number, body: object = {}): Promise<Json> {
      const answer = await post(`/invoices/${(await invoices())[n - 1]!.id}/refunds`, body);
      if (answer.status === 201) await june.story.settle();
      return answer.body;
    },
    /** `refundableToCard` and `refundableToBalance` of each invoice. */
    refundable: async () =>
      (await invoices()).map(({ refundableToCard, refundableToBalance }) => [refundableToCard, refundableToBalance]),
    balance: async () => (await get(`/customers/${june.customerId}/balance`)).data,
    /** The lots that are left: amount, source, and the number of the invoice that the source's charge paid. */
    async lots(): Promise<unknown[][]> {
      const { data } = await get(`/customers/${june.customerId}/balance-entries?limit=100`);
      const numbers = new Map<string, string>();
      for (const { id, number } of await invoices()) {
        for (const payment of (await get(`/payments?invoiceId=${id}`)).data) numbers.set(payment.id, number.slice(-4));
      }
      return data
        .filter(({ remaining }: Json) => remaining !== 0)
        .map(({ remaining, source, paymentId }: Json) => [remaining, source, numbers.get(paymentId) ?? null]);
    },
    async reasons(): Promise<unknown[][]> {
      const { data } = await get(`/customers/${june.customerId}/balance-entries?limit=100`);
      return data.toReversed().map(({ reason, amount }: Json) => [reason, amount]);
    },
    books: async () => {
      const { sandbox } = june.story.app.ctx.payments;
      const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
      const { id } = june.story.app.organization;
      return [sum(await sandbox.book(id)), sum(await sandbox.bookedRefunds(id))];
    },
  };
}

const CHANGED = ["subscription.updated", "invoice.created", "payment.succeeded", "invoice.paid"];

describe.each([
  ["newest invoice first", [3, 2, 1]],
  ["oldest invoice first", [1, 2, 3, 2, 1]],
])("two upgrades, and then everything is refunded, %s", (_, order) => {
  const { june, change, refund, refundable, balance, invoices, books } = openJune();

  it("2025-06-16: the first upgrade nets 15.00 of the first month", async () => {
    await june.story.travel("2025-06-16T00:00:00Z");
    await change("team");
    expect((await june.story.news()).toSorted()).toEqual(CHANGED.toSorted());
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid 1500",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
    ]);
    expect(await refundable()).toEqual([
      [1500, 1500],
      [1500, 1500],
    ]);
  });

  it("2025-06-21: the second upgrade nets 20.00 of the first, money of both charges", async () => {
    await june.story.travel("2025-06-21T00:00:00Z");
    await change("max");
    expect((await june.story.news()).toSorted()).toEqual(CHANGED.toSorted());
    expect(await june.story.statement()).toEqual([
      "0003 product_change paid 2000",
      "     team, unused rest of the period -2000 2025-06-21 → 2025-07-01",
      "     max, rest of the period 4000 2025-06-21 → 2025-07-01",
    ]);
    // The credit used the netted 15.00 of the first charge before 5.00 of the second charge.
    expect(await refundable()).toEqual([
      [1500, 1500],
      [1000, 1000],
      [2000, 2000],
    ]);
    expect(await books()).toEqual([6500, 0]);
  });

  it("2025-06-22: refunds of the whole rest give back all that was paid, once", async () => {
    await june.story.travel("2025-06-22T00:00:00Z");
    for (const n of order) {
      const made = await refund(n);
      expect(made).toMatchObject({ to: "card", fromBalance: 0 });
      expect(await june.story.news()).toEqual(["refund.created", "invoice.refunded"]);
    }
    expect(await refundable()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect((await invoices()).map(({ refundedAmount }) => refundedAmount)).toEqual([3000, 1500, 2000]);
    expect(await books()).toEqual([6500, 6500]);
    for (const n of [1, 2, 3]) expect(await refund(n, { amount: 1 })).toMatchObject({ code: "nothing_to_refund" });
  });

  it("2025-06-22: so the period is worth nothing, and leaving it early gives no credit", async () => {
    await change("free");
    expect(await june.story.statement()).toEqual([]);
    expect(await balance()).toEqual([]);
  });
});

describe("credit on the balance, and then a refund (the second example of the rules)", () => {
  const { june, change, refund, refundable, balance, lots, reasons, books, get, invoices } = openJune();

  it("2025-06-01: a downgrade gives the month back as a lot from its charge", async () => {
    await change("free");
    expect((await june.story.news()).toSorted()).toEqual(["invoice.created", "invoice.paid", "subscription.updated"]);
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid -3000 (balance -3000)",
      "     pro, unused rest of the period -3000 2025-06-01 → 2025-07-01",
    ]);
    expect(await lots()).toEqual([[3000, "payment", "0001"]]);
    expect(await refund(1)).toMatchObject({ status: 409, code: "credited", available: 3000 });
  });

  it("2025-06-03: the balance pays another plan, and the rest of the lot is left", async () => {
    await june.story.travel("2025-06-03T00:00:00Z");
    await change("plus");
    expect(await june.story.statement()).toEqual([
      "0003 product_change paid 2000 (balance 2000)",
      "     plus 2000 2025-06-03 → 2025-07-03",
    ]);
    await june.story.news();
    const explained = await get(`/invoices/${(await invoices())[2]!.id}/explanation`);
    expect(explained.balance.text).toBe(
      "The balance had US$30.00. It settles US$20.00 of the total. Of this credit, US$20.00 came from payments.",
    );
    expect(await balance()).toEqual(usd(1000));
    expect(await refundable()).toEqual([
      [0, 0],
      [0, 0],
      [0, 2000],
    ]);
    expect(await refund(1, { amount: 3000 })).toMatchObject({ status: 409, code: "credit_spent", available: 1000 });
    expect(await refund(1, { amount: 3001 })).toMatchObject({ status: 422, errors: [{ code: "too_large" }] });
  });

  it("2025-06-05: a refund to the balance brings the credit back with its source", async () => {
    expect(await refund(3, { to: "balance" })).toMatchObject({ amount: 2000, status: "succeeded", paymentId: null });
    expect(await june.story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await lots()).toEqual([
      [2000, "payment", "0001"],
      [1000, "payment", "0001"],
    ]);
  });

  it("2025-06-06: now the first month goes back to the card, off the balance and without a credit note", async () => {
    const made = await refund(1, { amount: 3000 });
    const { data: told } = await get(`/subscriptions/${june.id}/timeline?limit=100`);
    expect(told.map(({ text }: Json) => text)).toContain(
      "A refund of US$30.00 to the card was asked for. US$30.00 of it is taken off the balance.",
    );
    expect(made).toMatchObject({ amount: 3000, fromBalance: 3000, to: "card", purpose: "invoice" });
    expect(await june.story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await get(`/refunds/${made.id}`)).toMatchObject({ status: "succeeded", creditNoteId: null });
    expect(await balance()).toEqual(usd(0));
    expect(await reasons()).toEqual([
      ["invoice", 3000],
      ["invoice", -2000],
      ["refund", 2000],
      ["paid_out", -3000],
    ]);
    expect(await books()).toEqual([3000, 3000]);
    expect(await refund(1, { amount: 1 })).toMatchObject({ code: "nothing_to_refund" });
  });
});

describe("credit that was spent before its dispute is lost (the third example of the rules)", () => {
  const { june, change, post, get, balance, lots, refundable, reasons } = openJune();
  let disputeId: string;

  it("2025-06-01: the credit of Pro and a charge of 30.00 pay for Team", async () => {
    await change("free");
    await change("team");
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid -3000 (balance -3000)",
      "     pro, unused rest of the period -3000 2025-06-01 → 2025-07-01",
      "0003 product_change paid 6000 (balance 3000)",
      "     team 6000 2025-06-01 → 2025-07-01",
    ]);
    expect((await june.story.news()).toSorted()).toEqual(
      ["subscription.updated", "invoice.created", "invoice.paid", ...CHANGED].toSorted(),
    );
    expect((await refundable()).at(-1)).toEqual([3000, 6000]);
  });

  it("2025-06-10: the first charge is disputed, so no change may credit Team", async () => {
    const { story, id } = june;
    await story.travel("2025-06-10T00:00:00Z");
    const paid = (await get(`/payments?subscriptionId=${id}`)).data.at(-1);
    disputeId = (await story.ok(post(`/sandbox/payments/${paid.id}/dispute`))).id;
    expect(await story.news()).toEqual(["dispute.created"]);
    const refused = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "free" });
    expect([refused.status, refused.body.code]).toEqual([409, "payment_disputed"]);
    const waits = await story.app.api("PATCH", `/subscriptions/${id}`, {
      productKey: "free",
      prorationBehavior: "next_period",
    });
    expect(waits.status).toBe(200);
    await story.news();
  });

  it("2025-06-15: the dispute is lost, and the half of Team that its credit paid is worth nothing", async () => {
    const { story } = june;
    await story.travel("2025-06-15T00:00:00Z");
    await story.ok(post(`/sandbox/disputes/${disputeId}/close`, { outcome: "lost" }));
    expect(await story.news()).toEqual(["dispute.closed"]);
    expect((await refundable()).at(-1)).toEqual([3000, 3000]);
  });

  it("2025-06-16: leaving early credits half of the other half, as a lot from the second charge", async () => {
    const { story } = june;
    await story.travel("2025-06-16T00:00:00Z");
    await change("free");
    expect(await story.statement()).toEqual([
      "0004 product_change paid -1500 (balance -1500)",
      "     team, unused rest of the period -1500 2025-06-16 → 2025-07-01",
    ]);
    expect((await story.news()).toSorted()).toEqual(["invoice.created", "invoice.paid", "subscription.updated"]);
    expect(await balance()).toEqual(usd(1500));
    expect(await lots()).toEqual([[1500, "payment", "0003"]]);
    expect(await reasons()).toEqual([
      ["invoice", 3000],
      ["invoice", -3000],
      ["invoice", 1500],
    ]);
  });
});

describe("credit from two charges is paid out", () => {
  const { june, change, post, get, balance, lots, reasons, books } = openJune();
  const payOut = (body: object = {}) =>
    post(`/customers/${june.customerId}/balance-refunds`, { currency: "usd", ...body });

  it("2025-06-16: a downgrade after an upgrade leaves lots of both charges, and an operator adds a gift", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-16T00:00:00Z");
    await change("team");
    await change("free");
    expect(await story.statement()).toEqual([
      "0002 product_change paid 1500",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
      "0003 product_change paid -3000 (balance -3000)",
      "     team, unused rest of the period -3000 2025-06-16 → 2025-07-01",
    ]);
    const gift = { currency: "usd", amount: 500, reason: "Sorry" };
    await story.ok(post(`/customers/${customerId}/balance-adjustments`, gift));
    await story.news();
    expect(await lots()).toEqual([
      [500, "granted", null],
      [1500, "payment", "0002"],
      [1500, "payment", "0001"],
    ]);
  });

  it("2025-06-17: a part is paid out, newest charge first, and the bank declines one of two refunds", async () => {
    const { story, bank } = june;
    await story.travel("2025-06-17T00:00:00Z");
    const answer = await payOut({ amount: 2000, reason: "Asked for by phone" });
    expect(answer.status).toBe(201);
    const [first, second] = answer.body.data;
    expect([first.amount, second.amount]).toEqual([1500, 500]);
    for (const refund of [first, second])
      expect(refund).toMatchObject({ purpose: "balance", invoiceId: null, to: "card", creditNoteId: null });
    expect(await story.news()).toEqual(["refund.created", "refund.created"]);
    // The credit leaves the balance at once.
    expect(await balance()).toEqual(usd(1500));
    bank.says(declines("card_declined"));
    await story.settle();
    bank.says(null);
    expect([(await get(`/refunds/${first.id}`)).status, (await get(`/refunds/${second.id}`)).status]).toEqual([
      "failed",
      "failed",
    ]);
    expect(await story.news()).toEqual([]);
    expect(await balance()).toEqual(usd(3500));
  });

  it("2025-06-18: all of it is paid out but the gift; the invoices stay as they were", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-18T00:00:00Z");
    const answer = await payOut();
    expect(answer.body.data.map(({ amount }: Json) => amount)).toEqual([1500, 1500]);
    await story.settle();
    expect(await story.news()).toEqual(["refund.created", "refund.created"]);
    expect(await balance()).toEqual(usd(500));
    expect(await lots()).toEqual([[500, "granted", null]]);
    const moved = await reasons();
    // The two refunds are settled in any order.
    expect(moved.splice(5, 2).toSorted()).toEqual([
      ["payout_failed", 1500],
      ["payout_failed", 500],
    ]);
    expect(moved).toEqual([
      ["invoice", 1500],
      ["invoice", 1500],
      ["adjustment", 500],
      ["paid_out", -1500],
      ["paid_out", -500],
      ["paid_out", -1500],
      ["paid_out", -1500],
    ]);
    expect((await get(`/credit-notes?customerId=${customerId}`)).data).toEqual([]);
    expect(await books()).toEqual([4500, 3000]);
    expect((await payOut()).body).toMatchObject({ status: 409, code: "nothing_to_pay_out" });
  });
});

describe("a downgrade within the period, and then everything is given back", () => {
  const { june, change, refund, refundable, balance, lots, post, books, get } = openJune();

  it("2025-06-16: the credit of 15.00 pays for the rest of Basic, and 10.00 go to the balance", async () => {
    const { story } = june;
    await story.plan("basic", 1000);
    await story.travel("2025-06-16T00:00:00Z");
    await story.news();
    await change("basic");
    expect((await story.news()).toSorted()).toEqual(["invoice.created", "invoice.paid", "subscription.updated"]);
    expect(await story.statement()).toEqual([
      "0002 product_change paid -1000 (balance -1000)",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     basic, rest of the period 500 2025-06-16 → 2025-07-01",
    ]);
    expect(await refundable()).toEqual([
      [1500, 1500],
      [0, 500],
    ]);
  });

  it("2025-06-17: the credit that paid for Basic goes to the balance, with a credit note", async () => {
    const { story } = june;
    await story.travel("2025-06-17T00:00:00Z");
    expect(await refund(2)).toMatchObject({ status: 422, errors: [{ code: "not_paid_by_card" }] });
    expect(await refund(2, { to: "balance", amount: 501 })).toMatchObject({ status: 422 });
    expect(await refund(2, { to: "balance", amount: 200 })).toMatchObject({ amount: 200, status: "succeeded" });
    expect(await refund(2, { to: "balance" })).toMatchObject({ amount: 300, status: "succeeded" });
    const gives = ["refund.created", "invoice.refunded"];
    expect(await story.news()).toEqual([...gives, ...gives]);
    expect(await refund(2, { to: "balance" })).toMatchObject({ code: "nothing_to_refund" });
    expect(await balance()).toEqual(usd(1500));
    expect(await lots()).toEqual([
      [300, "payment", "0001"],
      [200, "payment", "0001"],
      [1000, "payment", "0001"],
    ]);
    const notes = (await get(`/credit-notes?customerId=${june.customerId}`)).data;
    expect(notes.map(({ totalAmount }: Json) => totalAmount)).toEqual([300, 200]);
  });

  it("2025-06-18: all that was paid is back on the card", async () => {
    const { story, customerId } = june;
    await story.travel("2025-06-18T00:00:00Z");
    expect(await refund(1)).toMatchObject({ amount: 1500 });
    expect((await post(`/customers/${customerId}/balance-refunds`, { currency: "usd" })).status).toBe(201);
    await story.settle();
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded", "refund.created"]);
    expect(await books()).toEqual([3000, 3000]);
    expect(await refundable()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    // The period is worth nothing any more.
    await change("free");
    expect(await story.statement()).toEqual([]);
  });
});
