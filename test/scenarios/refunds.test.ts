import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines, keepsSilent, type Bank } from "../support/bank.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const line = ({ description, amount, taxAmount }: Json) => `${description} ${amount} + ${taxAmount}`;
const ADA = { email: "ada@example.com", externalId: "ada", billingAddress: { country: "DE" } };

/** A month of 100.00 from 1 June 2025 at 9:00, paid by card. */
function openJune(taxRates: object[] = []) {
  const june = {} as { story: Story; bank: Bank; id: string; customerId: string; invoice: Json };
  beforeAll(async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    if (taxRates.length > 0) await story.ok(story.app.manage("PATCH", "/organization", { taxRates }));
    await story.plan("ten", 10_000);
    await story.plan("thirty", 30_000);
    await story.plan("year", 100_000, { interval: "year" });
    const { id, customerId } = await story.buy({ productKey: "ten", customer: ADA }, CARDS.pays);
    const [invoice] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`))).data;
    Object.assign(june, { story, bank: bankOf(story.app), id, customerId, invoice });
    await story.news();
    await story.statement();
  });
  afterEach(async () => expect(await june.story.audit()).toEqual([]));
  afterAll(() => june.story.close());
  const get = (path: string) => june.story.ok(june.story.app.manage("GET", path));
  return {
    june,
    get,
    refund: (invoiceId: string, body: object) =>
      june.story.ok(june.story.app.manage("POST", `/invoices/${invoiceId}/refunds`, body)),
    /** The lines that changing to this Product now would bill. */
    async preview(productKey: string): Promise<string[]> {
      const { lines } = await june.story.ok(
        june.story.app.manage("POST", `/subscriptions/${june.id}/preview`, { productKey }),
      );
      return lines.map(line);
    },
    newest: async () => (await get(`/invoices?subscriptionId=${june.id}&limit=1`)).data[0],
  };
}

describe("a month of which parts are given back", () => {
  const { june, get, refund, preview, newest } = openJune();
  const booked = async () => {
    const { sandbox } = june.story.app.ctx.payments;
    const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
    const { id } = june.story.app.organization;
    return { captured: sum(await sandbox.listCharges(id)), refunded: sum(await sandbox.listRefunds(id)) };
  };

  it("2025-06-06: 30.00 go back to the card, as soon as the provider says so", async () => {
    const { story, invoice } = june;
    await story.travel("2025-06-06");
    const { id } = await refund(invoice.id, { amount: 3000, reason: "Two days without service" });
    expect(await story.news()).toEqual(["refund.created"]);
    expect(await get(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 0 });
    await story.app.runDue();
    expect(await story.news()).toEqual(["invoice.refunded"]);
    expect(await get(`/refunds/${id}`)).toMatchObject({ status: "succeeded", settledAt: "2025-06-06T09:00:00.000Z" });
    expect(await booked()).toEqual({ captured: 10_000, refunded: 3000 });
    expect(await get(`/subscriptions/${june.id}`)).toMatchObject({
      status: "active",
      amount: 10_000,
      cancelAtPeriodEnd: false,
    });
  });

  it("2025-06-11: 10.00 to the balance, at once", async () => {
    const { story, invoice, customerId } = june;
    await story.travel("2025-06-11");
    await refund(invoice.id, { amount: 1000, to: "balance" });
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await story.balance(customerId)).toBe(1000);
    const notes = (await get(`/credit-notes?customerId=${customerId}`)).data.reverse();
    expect(
      notes.map((note: Json) => [note.number.slice(-6), note.invoiceNumber, note.totalAmount, note.lines.map(line)]),
    ).toEqual([
      ["CN0001", invoice.number, 3000, ["ten 3000 + 0"]],
      ["CN0002", invoice.number, 1000, ["ten 1000 + 0"]],
    ]);
  });

  it("2025-06-16: an upgrade credits half of the 60.00 that are left, and uses the balance", async () => {
    const { story, id } = june;
    await story.travel("2025-06-16");
    const previewed = await preview("thirty");
    await story.change(id, { productKey: "thirty" });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 12000 (balance 1000)",
      "     ten, unused rest of the period -3000 2025-06-16 → 2025-07-01",
      "     thirty, rest of the period 15000 2025-06-16 → 2025-07-01",
    ]);
    expect((await newest()).lines.map(line)).toEqual(previewed);
    expect(await booked()).toEqual({ captured: 21_000, refunded: 3000 });
    await story.news();
  });

  it("2025-06-21: of the upgrade no more is given back than the card was charged for it", async () => {
    const { story } = june;
    await story.travel("2025-06-21");
    const upgrade = await newest();
    const tooMuch = await story.app.manage("POST", `/invoices/${upgrade.id}/refunds`, { amount: 11_001 });
    expect(tooMuch).toMatchObject({ status: 422, body: { errors: [{ pointer: "/amount", code: "too_large" }] } });
    await refund(upgrade.id, { amount: 4000 });
    await story.app.runDue();
    // A third of the upgrade is given back, and with it a third of the credit of 30.00 that the upgrade used. The line
    // was for half of the month, so a whole month at that rate is 100.00 cheaper. A third of 200.00 is left.
    expect(await preview("ten")).toEqual([
      "thirty, unused rest of the period -6667 + 0",
      "ten, rest of the period 3333 + 0",
    ]);
    const [note] = (await get(`/credit-notes?invoiceId=${upgrade.id}`)).data;
    expect(note.lines.map(line)).toEqual(["thirty, rest of the period 4000 + 0"]);
  });

  it("2025-06-26: back to the cheaper plan; the rest that was paid and not given back is credited", async () => {
    const { story, id, customerId } = june;
    await story.travel("2025-06-26");
    await story.statement();
    await story.change(id, { productKey: "ten" });
    expect(await story.statement()).toEqual([
      "0003 product_change paid -1666 (balance -1666)",
      "     thirty, unused rest of the period -3333 2025-06-26 → 2025-07-01",
      "     ten, rest of the period 1667 2025-06-26 → 2025-07-01",
    ]);
    expect(await story.balance(customerId)).toBe(1666);
  });

  it("2025-07-01: the next month is as paid for as any", async () => {
    const { story, id } = june;
    await story.travel("2025-07-16T21:00:00Z");
    expect(await story.statement()).toEqual([
      "0004 renewal paid 10000 (balance 1666)",
      "     ten 10000 2025-07-01 → 2025-08-01",
    ]);
    // A refund of last month's invoice does not lower this month's rate.
    expect(await get(`/invoices/${june.invoice.id}`)).toMatchObject({ refundedAmount: 4000, refundableToCard: 4000 });
    await refund(june.invoice.id, {});
    await story.app.runDue();
    expect(await preview("thirty")).toEqual([
      "ten, unused rest of the period -5000 + 0",
      "thirty, rest of the period 15000 + 0",
    ]);
    await story.change(id, { cancelAtPeriodEnd: true });
    await story.travel("2025-08-01");
    expect(await story.subscription(id)).toMatchObject({ status: "canceled" });
    expect(await booked()).toEqual({ captured: 29_334, refunded: 11_000 });
  });

  it("2025-08-16: a period that has ended can still be refunded", async () => {
    await june.story.travel("2025-08-16");
    const renewal = await newest();
    expect(await refund(renewal.id, {})).toMatchObject({ amount: 8334 });
    await june.story.app.runDue();
    expect(await get(`/invoices/${renewal.id}`)).toMatchObject({
      status: "paid",
      totalAmount: 10_000,
      amountPaid: 8334,
      refundedAmount: 8334,
    });
  });
});

describe("a month with tax on top", () => {
  const { june, get, refund, newest } = openJune([{ country: "DE", basisPoints: 1900, name: "VAT" }]);

  it("2025-06-16: half of it is given back with its tax; an upgrade credits half of the rest, without", async () => {
    const { story, id, invoice } = june;
    expect(invoice.lines.map(line)).toEqual(["ten 10000 + 1900"]);
    await story.travel("2025-06-16");
    expect(await refund(invoice.id, { amount: 5950 })).toMatchObject({ taxAmount: 950 });
    await story.app.runDue();
    await story.change(id, { productKey: "thirty" });
    const upgrade = await newest();
    expect(upgrade.lines.map(line)).toEqual([
      "ten, unused rest of the period -2500 + -475",
      "thirty, rest of the period 15000 + 2850",
    ]);
    expect(upgrade).toMatchObject({ totalAmount: 14_875, amountPaid: 14_875 });
  });

  it("2025-06-16: odd amounts and the credit add up to the whole, and so does their tax", async () => {
    const { invoice, story } = june;
    const made = [];
    for (const amount of [1, 333, 2000, null]) made.push(await refund(invoice.id, { amount }));
    expect(made.map(({ amount, taxAmount }: Json) => [amount, taxAmount])).toEqual([
      [1, 0],
      [333, 53],
      [2000, 320],
      [641, 102],
    ]);
    await story.app.runDue();
    const [last] = (await get(`/credit-notes?refundId=${made.at(-1).id}`)).data;
    expect(last).toMatchObject({ subtotalAmount: 539, taxAmount: 102, totalAmount: 641 });
    const notes = (await get(`/credit-notes?invoiceId=${invoice.id}`)).data;
    expect(notes.map((note: Json) => note.number.slice(-6)).sort()).toEqual([
      "CN0001",
      "CN0002",
      "CN0003",
      "CN0004",
      "CN0005",
    ]);
    expect(await get(`/invoices/${invoice.id}`)).toMatchObject({
      totalAmount: 11_900,
      refundedAmount: 8925,
      refundableToCard: 0,
      refundableToBalance: 0,
    });
  });
});

describe("a refund with an unknown outcome", () => {
  const { june, get, refund, preview } = openJune();
  const HALF = ["ten, unused rest of the period -5000 + 0", "thirty, rest of the period 15000 + 0"];
  const advance = (to: string) => june.story.app.manage("POST", "/sandbox/clock/advance", { to });
  const expectTooEarly = async () => {
    const { status, body } = await june.story.app.manage("POST", `/subscriptions/${june.id}/preview`, {
      productKey: "thirty",
    });
    expect([status, body.code]).toEqual([409, "refund_in_progress"]);
  };

  it("2025-06-16: no change can be decided until it is settled; when it fails, all is credited again", async () => {
    const { story, bank, invoice } = june;
    await story.travel("2025-06-16");
    const { id } = await refund(invoice.id, { amount: 4000 });
    const LESS = ["ten, unused rest of the period -3000 + 0", HALF[1]];
    await expectTooEarly();
    bank.says(keepsSilent);
    await story.app.runDue();
    expect(await get(`/refunds/${id}`)).toMatchObject({ status: "unknown" });
    await expectTooEarly();
    bank.says(null);
    await story.settle();
    expect(await preview("thirty")).toEqual(LESS);

    const other = await refund(invoice.id, { amount: 6000 });
    await expectTooEarly();
    bank.says(declines("card_declined"));
    await story.app.runDue();
    expect(await get(`/refunds/${other.id}`)).toMatchObject({ status: "failed" });
    expect(await preview("thirty")).toEqual(LESS);
    bank.says(null);
  });

  it("2025-06-16: the clock does not move before it is settled", async () => {
    const { story, bank, invoice } = june;
    const { id } = await refund(invoice.id, { amount: 1000 });
    bank.says(keepsSilent);
    expect(await advance("2025-06-20T09:00:00Z")).toMatchObject({
      status: 202,
      body: { now: "2025-06-16T09:00:00.000Z" },
    });
    expect(await get(`/refunds/${id}`)).toMatchObject({ status: "unknown", settledAt: null });
    bank.says(null);
    await story.travel("2025-06-20");
    expect(await get(`/refunds/${id}`)).toMatchObject({ status: "succeeded", settledAt: "2025-06-16T09:00:00.000Z" });
    expect(await get(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 5000 });
  });

  it("2025-06-21: a change has to wait for its outcome; no amount is given back twice", async () => {
    const { story, bank, invoice, id } = june;
    await story.travel("2025-06-21");
    const { id: refundId } = await refund(invoice.id, { amount: 5000 });
    bank.says(keepsSilent);
    await story.app.runDue();
    bank.says(null);
    await story.statement();
    const early = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "year" });
    expect([early.status, early.body.code]).toEqual([409, "refund_in_progress"]);
    await story.settle();
    // 100.00 were paid and 100.00 given back, so no credit is left for the month.
    await story.change(id, { productKey: "year" });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 100000",
      "     year 100000 2025-06-21 → 2026-06-21",
    ]);
    expect(await get(`/refunds/${refundId}`)).toMatchObject({ status: "succeeded" });
    expect(await get(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 10_000 });
    const rest = (await preview("thirty"))[0];
    expect(rest).toBe("year, unused rest of the period -100000 + 0");
  });
});
