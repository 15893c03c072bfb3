import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const ADA = { email: "ada@example.com", externalId: "ada" };

const accountsStatement = sql(
  "test.accounts",
  `SELECT account, sum(side.amount) AS amount FROM ledger_transfers
   CROSS JOIN LATERAL (VALUES (debit_account, amount), (credit_account, -amount)) AS side (account, amount)
   WHERE organization_id = $1 AND account IN ('provider', 'disputed', 'dispute_lost') GROUP BY 1`,
);

/** A month of 100.00 from 1 June 2025 at 9:00, paid by card. */
function openJune() {
  const june = {} as { story: Story; id: string; customerId: string; invoice: Json; payment: Json };
  beforeAll(async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("ten", 10_000);
    await story.plan("thirty", 30_000);
    await story.plan("five", 5000);
    await story.plan("year", 100_000, { interval: "year" });
    const { id, customerId } = await story.buy({ productKey: "ten", customer: ADA }, CARDS.pays);
    const [invoice] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`))).data;
    const [payment] = (await story.ok(story.app.manage("GET", `/payments?invoiceId=${invoice.id}`))).data;
    Object.assign(june, { story, id, customerId, invoice, payment });
    await story.news();
    await story.statement();
  });
  afterEach(async () => expect(await june.story.audit()).toEqual([]));
  afterAll(() => june.story.close());
  const post = (path: string, body: object = {}) => june.story.app.manage("POST", path, body);
  return {
    june,
    post,
    get: (path: string) => june.story.ok(june.story.app.manage("GET", path)),
    dispute: (paymentId: string, body: object = {}) =>
      june.story.ok(post(`/sandbox/payments/${paymentId}/dispute`, body)),
    close: (id: string, outcome: "won" | "lost") => june.story.ok(post(`/sandbox/disputes/${id}/close`, { outcome })),
    /** Status and code of a PATCH's answer. */
    async patch(body: object): Promise<unknown[]> {
      const { status, body: answer } = await june.story.app.api("PATCH", `/subscriptions/${june.id}`, body);
      return [status, answer.code];
    },
    /**
     * From the ledger: the Organization's money at its provider, the part that banks hold, and the part that they
     * kept.
     */
    async books(): Promise<Record<string, number>> {
      const { app } = june.story;
      const rows = await app.ctx.db.read.query<{ account: string; amount: number }>(accountsStatement, [
        app.organization.id,
      ]);
      return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
    },
  };
}

describe("a charge of which a part was given back is disputed, and the dispute is won", () => {
  const { june, post, get, dispute, close, patch, books } = openJune();
  let disputeId: string;

  it("2025-06-06: the bank takes back the rest of it", async () => {
    const { story, invoice, payment } = june;
    await story.travel("2025-06-06");
    await story.ok(post(`/invoices/${invoice.id}/refunds`, { amount: 4000 }));
    await story.settle();
    await story.news();
    const made = await dispute(payment.id, { reason: "unrecognized" });
    disputeId = made.id;
    expect(made).toEqual({
      id: expect.stringMatching(/^dsp_/),
      paymentId: payment.id,
      invoiceId: invoice.id,
      subscriptionId: june.id,
      customerId: june.customerId,
      status: "open",
      reason: "unrecognized",
      amount: 6000,
      currency: "usd",
      evidenceDueAt: "2025-06-13T09:00:00.000Z",
      fee: 1500,
      feeCurrency: "usd",
      createdAt: "2025-06-06T09:00:00.000Z",
      closedAt: null,
    });
    expect(await story.news()).toEqual(["dispute.created"]);
    const [recorded] = (await get(`/events?resourceId=${disputeId}`)).data;
    expect(recorded).toMatchObject({ type: "dispute.created", sequence: 1, data: made });
    expect(await books()).toEqual({ provider: 0, disputed: 6000 });
  });

  it("the Subscription goes on, but the disputed amount is neither refunded nor credited", async () => {
    const { story, invoice, payment, id } = june;
    expect(await get(`/subscriptions/${id}`)).toMatchObject({ status: "active", cancelAtPeriodEnd: false });
    expect((await post(`/invoices/${invoice.id}/refunds`, { amount: 1 })).body).toMatchObject({
      status: 409,
      code: "nothing_to_refund",
    });
    expect((await post(`/sandbox/payments/${payment.id}/dispute`)).body).toMatchObject({
      status: 409,
      code: "already_disputed",
    });
    expect(await patch({ productKey: "five" })).toEqual([409, "payment_disputed"]);
    expect(await patch({ productKey: "thirty", prorationBehavior: "next_invoice" })).toEqual([409, "payment_disputed"]);
    const preview = await post(`/subscriptions/${id}/preview`, { productKey: "five" });
    expect(preview.body).toMatchObject({ status: 409, code: "payment_disputed" });
    const checkout = await story.app.api("POST", "/checkouts", { subscriptionId: id, productKey: "thirty" });
    expect(checkout.body).toMatchObject({ status: 409, code: "payment_disputed" });
    expect(await patch({ productKey: "five", prorationBehavior: "next_period" })).toEqual([200, undefined]);
    expect(await patch({ productKey: "ten" })).toEqual([200, undefined]);
    expect(await story.news()).toEqual(["subscription.updated", "subscription.updated"]);
  });

  it("2025-06-16: the bank gives it back, and half of the 60.00 is credited again", async () => {
    const { story, id } = june;
    await story.travel("2025-06-16");
    expect(await close(disputeId, "won")).toMatchObject({ status: "won", closedAt: "2025-06-16T09:00:00.000Z" });
    expect(await story.news()).toEqual(["dispute.closed"]);
    expect(await books()).toEqual({ provider: 6000, disputed: 0 });
    const again = await post(`/sandbox/disputes/${disputeId}/close`, { outcome: "lost" });
    expect(again.body).toMatchObject({ status: 409, code: "dispute_closed" });
    await story.change(id, { productKey: "thirty" });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 12000",
      "     ten, unused rest of the period -3000 2025-06-16 → 2025-07-01",
      "     thirty, rest of the period 15000 2025-06-16 → 2025-07-01",
    ]);
  });

  it("a charge may be disputed anew after a dispute that was won", async () => {
    const { amount, status } = await dispute(june.payment.id);
    expect([amount, status]).toEqual([6000, "open"]);
  });

  it("the timeline tells of it", async () => {
    const { data } = await get(`/subscriptions/${june.id}/timeline?limit=100`);
    expect(data.filter(({ type }: Json) => type.startsWith("dispute.")).map(({ text }: Json) => text)).toEqual([
      "The buyer's bank took back US$60.00 until it decides about a dispute (unrecognized).",
      "The dispute is won: the buyer's bank gave back US$60.00.",
      "The buyer's bank took back US$60.00 until it decides about a dispute (fraudulent).",
    ]);
  });
});

describe("beside a dispute that is open", () => {
  const { june, dispute, patch } = openJune();

  it("2025-06-16: a change without a credit goes on, within the month or with a new period", async () => {
    await june.story.travel("2025-06-16");
    await dispute(june.payment.id);
    await june.story.newCard(june.customerId, CARDS.paysToo);
    expect(await patch({ productKey: "year" })).toEqual([409, "payment_disputed"]);
    expect(await patch({ productKey: "thirty", prorationBehavior: "none" })).toEqual([200, undefined]);
    expect(await patch({ productKey: "year", prorationBehavior: "none" })).toEqual([200, undefined]);
    expect(await june.story.statement()).toEqual([
      "0002 product_change paid 100000",
      "     year 100000 2025-06-16 → 2026-06-16",
    ]);
  });
});

describe("a charge is disputed, and the dispute is lost", () => {
  const { june, post, get, dispute, close, books } = openJune();

  it("2025-06-16: leaving a period early after a lost payment gives nothing back", async () => {
    const { story, payment, id, customerId, invoice } = june;
    await story.travel("2025-06-16");
    const { id: disputeId } = await dispute(payment.id);
    expect(await close(disputeId, "lost")).toMatchObject({ status: "lost", amount: 10_000 });
    expect(await books()).toEqual({ provider: 0, disputed: 0, dispute_lost: 10_000 });
    expect(await get(`/invoices/${invoice.id}`)).toMatchObject({
      status: "paid",
      amountPaid: 10_000,
      refundedAmount: 0,
    });
    await story.newCard(customerId, CARDS.paysToo);
    await story.news();
    await story.change(id, { productKey: "five" });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 2500",
      "     five, rest of the period 2500 2025-06-16 → 2025-07-01",
    ]);
    expect(await story.balance(customerId)).toBe(0);
    expect((await post(`/invoices/${invoice.id}/refunds`, { to: "balance" })).body).toMatchObject({
      status: 409,
      code: "nothing_to_refund",
    });
    expect((await post(`/sandbox/payments/${payment.id}/dispute`)).body).toMatchObject({
      status: 409,
      code: "already_disputed",
    });
  });

  it("2025-07-02: the paid rate of a period that is over is history; a change is free to be made", async () => {
    const { story, payment, id } = june;
    await story.travel("2025-07-02");
    const [renewal] = (await get(`/invoices?subscriptionId=${id}&limit=1`)).data;
    const [paid] = (await get(`/payments?invoiceId=${renewal.id}`)).data;
    expect(paid.id).not.toBe(payment.id);
    const [change] = (await get(`/payments?subscriptionId=${id}&trigger=product_change`)).data;
    const old = await dispute(change.id);
    expect(old).toMatchObject({ amount: 2500, subscriptionId: id });
    await story.change(id, { productKey: "ten", prorationBehavior: "next_invoice" });
    await close(old.id, "lost");
    expect(await books()).toMatchObject({ disputed: 0, dispute_lost: 12_500 });
  });

  it("a Customer is deleted while their bank decides", async () => {
    const { story, customerId } = june;
    const [payment] = (await get(`/payments?customerId=${customerId}&limit=1`)).data;
    const { id } = await dispute(payment.id);
    await story.app.manage("DELETE", `/customers/${customerId}`);
    await story.news();
    expect(await close(id, "lost")).toMatchObject({ status: "lost" });
    expect(await story.news()).toEqual(["dispute.closed"]);
    expect(await get(`/disputes?customerId=${customerId}&status=lost`)).toMatchObject({ data: [{ id }, {}, {}] });
  });
});
