import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines, type Bank } from "../support/bank.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const FAILED = ["payment.failed", "invoice.payment_failed"];
const PAID = ["payment.succeeded", "invoice.paid"];

let story: Story;
let bank: Bank;
let id: string;
let customerId: string;

/**
 * Opens the story of Ada on the given day: she pays 30.00 a month for SSO. `max` is on sale as well, and `more` is
 * for both plans.
 */
function tell(clock: string, card: string, more: object = {}) {
  beforeAll(async () => {
    story = await startStory({ clock: `${clock}T09:00:00Z` });
    bank = bankOf(story.app);
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 3000, { benefitIds: [sso], ...more });
    await story.plan("max", 9000, { benefitIds: [sso], ...more });
    const customer = { email: "ada@example.com", externalId: "ada" };
    ({ id, customerId } = await story.buy({ productKey: "pro", customer }, card));
    await story.news();
    await story.statement();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });
}

const graceOf = (graceDays: number) =>
  story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [3, 7, 14, 21], graceDays } }));

/** Open invoices, oldest first. */
async function openInvoices(): Promise<Json[]> {
  return (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data.reverse();
}
const invoice = (invoiceId: string) => story.ok(story.app.manage("GET", `/invoices/${invoiceId}`));
const hand = (invoiceId: string, operation: "pay" | "void" | "mark-paid", body?: object) =>
  story.app.manage("POST", `/invoices/${invoiceId}/${operation}`, body);
const grants = async (): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", `/benefit-grants?customerId=${customerId}`))).data;

describe("an invoice that an operator charges by hand", () => {
  let open: Json;
  tell("2025-01-10", CARDS.pays);

  it("2025-02-11: is declined once more, and its schedule stays as it was (rule D3)", async () => {
    bank.says(declines("insufficient_funds"));
    await story.travel("2025-02-11");
    [open] = await openInvoices();
    await story.news();
    expect(await hand(open.id, "pay")).toMatchObject({
      status: 402,
      body: { code: "payment_failed", declineCode: "insufficient_funds", checkoutId: null, url: open.url },
    });
    expect(await story.news()).toEqual(FAILED);
    expect(await invoice(open.id)).toMatchObject({ status: "open", nextAttemptAt: "2025-02-13T09:00:00.000Z" });
    const [payment] = (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data;
    expect(payment).toMatchObject({ status: "failed", trigger: "manual", invoiceId: open.id, nextAction: null });
  });

  it("2025-02-24: the schedule has used up its own three days and no more", async () => {
    await story.travel("2025-02-17");
    expect(await story.news()).toEqual([...FAILED, ...FAILED, "benefit_grant.revoked"]);
    expect((await hand(open.id, "pay")).status).toBe(402);
    await story.travel("2025-02-24");
    expect(await story.news()).toEqual([...FAILED, ...FAILED]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
  });

  it("2025-02-25: is paid in the end; the revoked grant comes back as the same row (rule B2)", async () => {
    await story.travel("2025-02-25");
    const [revoked] = await grants();
    expect(revoked).toMatchObject({
      status: "revoked",
      revokedAt: "2025-02-17T09:00:00.000Z",
      reason: "payment_failed",
    });
    bank.says(null);
    const paid = await hand(open.id, "pay");
    expect(paid).toMatchObject({
      status: 200,
      body: { id: open.id, status: "paid", amountPaid: 3000, paidOutside: false },
    });
    expect(paid.body).toEqual(await invoice(open.id));
    expect(await story.news()).toEqual([...PAID, "subscription.recovered", "benefit_grant.granted"]);
    const [granted] = await grants();
    expect(granted).toMatchObject({
      id: revoked.id,
      status: "active",
      grantedAt: "2025-02-25T09:00:00.000Z",
      reason: "payment_recovered",
    });
    expect(await hand(open.id, "pay")).toMatchObject({ status: 409, body: { code: "invoice_not_open" } });
    await story.travel("2025-03-09");
    expect(await story.news()).toEqual([]);
    expect((await story.books()).captured).toEqual([3000, 3000]);
  });
});

describe("of two open invoices", () => {
  tell("2025-01-06", CARDS.pays, { interval: "week" });
  beforeAll(() => graceOf(10));

  it("2025-01-21: an operator may pay the newer one; the older one is left to its schedule", async () => {
    bank.says(declines("card_declined"));
    await story.travel("2025-01-21");
    const [older, newer] = await openInvoices();
    await story.news();
    bank.says(null);
    expect((await hand(newer.id, "pay")).status).toBe(200);
    expect(await story.news()).toEqual(PAID);
    expect(await openInvoices()).toMatchObject([{ id: older.id, nextAttemptAt: "2025-01-27T09:00:00.000Z" }]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
  });

  it("2025-01-27: a retry that is due goes on with the newest, and all is paid", async () => {
    await story.statement();
    await story.travel("2025-01-27");
    // At one instant retries come before renewals (rule T4). Access is suspended, so the renewal follows the payment.
    expect(await story.news()).toEqual([
      "benefit_grant.revoked",
      ...PAID,
      "subscription.recovered",
      "benefit_grant.granted",
      "subscription.renewed",
      "invoice.created",
      ...PAID,
    ]);
    expect((await story.statement()).filter((line) => !line.startsWith(" "))).toEqual([
      "0002 renewal paid 3000",
      "0004 renewal paid 3000",
    ]);
  });
});

describe("an invoice that is paid by bank transfer", () => {
  tell("2025-01-10", CARDS.failsLater);

  it("2025-02-20: is marked as paid, with a note; the Subscription recovers", async () => {
    await story.travel("2025-02-20");
    await story.news();
    const [open] = await openInvoices();
    const marked = await hand(open.id, "mark-paid", { reason: "  Transfer 2025-02-19 / 4711  " });
    const paid = {
      status: "paid",
      paidOutside: true,
      paymentNote: "Transfer 2025-02-19 / 4711",
      amountPaid: 3000,
      nextAttemptAt: null,
    };
    expect(marked).toMatchObject({ status: 200, body: { ...paid, paidAt: "2025-02-20T09:00:00.000Z" } });
    expect(await story.news()).toEqual(["invoice.paid", "subscription.recovered", "benefit_grant.granted"]);
    expect((await story.ok(story.app.manage("GET", `/payments?invoiceId=${open.id}&status=succeeded`))).data).toEqual(
      [],
    );
    expect((await story.books()).captured).toEqual([3000]);
    expect(await story.access("ada")).toEqual(["SSO"]);
  });

  it("2025-02-24: leaving the period early credits its unused rest, as ever (rule P)", async () => {
    await story.travel("2025-02-24");
    await story.newCard(customerId, CARDS.pays);
    await story.statement();
    await story.change(id, { productKey: "max" });
    expect(await story.statement()).toEqual([
      "0003 product_change paid 3000",
      "     pro, unused rest of the period -1500 2025-02-24 → 2025-03-10",
      "     max, rest of the period 4500 2025-02-24 → 2025-03-10",
    ]);
  });
});

describe("an invoice that an operator gives up", () => {
  tell("2025-01-10", CARDS.failsLater);

  it("2025-02-20: is void; no debt is left, and the period goes on", async () => {
    await story.travel("2025-02-20");
    expect(await story.access("ada")).toEqual([]);
    await story.news();
    const [open] = await openInvoices();
    const voided = await hand(open.id, "void", { reason: "Goodwill" });
    expect(voided).toMatchObject({
      status: 200,
      body: { status: "void", voidReason: "Goodwill", voidedAt: "2025-02-20T09:00:00.000Z" },
    });
    expect(await story.news()).toEqual(["invoice.voided", "subscription.recovered", "benefit_grant.granted"]);
    expect(await story.subscription(id)).toMatchObject({
      status: "active",
      currentPeriodEnd: "2025-03-10T09:00:00.000Z",
    });
    expect(await story.access("ada")).toEqual(["SSO"]);
  });

  it("2025-02-24: the period was not paid for, so leaving it early gives nothing back (rule P)", async () => {
    await story.travel("2025-02-24");
    await story.newCard(customerId, CARDS.pays);
    await story.statement();
    const preview = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, { productKey: "max" }));
    expect(preview).toMatchObject({ chargeAmount: 4500, balanceChange: 0 });
    await story.change(id, { productKey: "max" });
    expect(await story.statement()).toEqual([
      "0003 product_change paid 4500",
      "     max, rest of the period 4500 2025-02-24 → 2025-03-10",
    ]);
  });

  it("2025-03-10: the next period is billed in full", async () => {
    await story.travel("2025-03-10");
    expect(await story.statement()).toEqual(["0004 renewal paid 9000", "     max 9000 2025-03-10 → 2025-04-10"]);
  });
});

describe("a void invoice of a period that is over", () => {
  tell("2025-01-06", CARDS.failsLater, { interval: "week" });
  beforeAll(() => graceOf(30));

  it("leaves the period in progress as it was billed", async () => {
    await story.travel("2025-01-21");
    const [older, newer] = await openInvoices();
    expect((await hand(older.id, "void")).body).toMatchObject({ status: "void", voidReason: null });
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    await story.ok(hand(newer.id, "mark-paid"));
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    await story.travel("2025-01-23T21:00:00Z"); // half of the week
    await story.statement();
    await story.plan("basic", 1000, { interval: "week" });
    await story.change(id, { productKey: "basic" });
    expect((await story.statement())[0]).toBe("0004 product_change paid -1000 (balance -1000)");
    expect(await story.balance(customerId)).toBe(1000);
  });
});

describe("a change that a void invoice had taken in", () => {
  tell("2025-06-01", CARDS.pays);
  const REST = [
    "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
    "     mid, rest of the period 1000 2025-06-16 → 2025-07-01",
  ];

  it("2025-07-02: waits again where it favours the Customer, and goes into the next invoice (rule S5)", async () => {
    await story.plan("mid", 2000);
    await story.travel("2025-06-16");
    await story.change(id, { productKey: "mid", prorationBehavior: "next_invoice" });
    bank.says(declines("card_declined"));
    await story.travel("2025-07-02");
    expect(await story.statement()).toEqual([
      "0002 renewal open 1500",
      ...REST,
      "     mid 2000 2025-07-01 → 2025-08-01",
    ]);
    await story.ok(hand((await openInvoices())[0].id, "void"));
    await story.travel("2025-08-02");
    expect(await story.statement()).toEqual([
      "0002 renewal void 1500",
      "0003 renewal open 1500",
      ...REST,
      "     mid 2000 2025-08-01 → 2025-09-01",
    ]);
  });

  it("2025-08-22: at dunning's end it goes to the balance by a last invoice (rule S4)", async () => {
    await story.travel("2025-08-22");
    expect(await story.subscription(id)).toMatchObject({ status: "canceled", cancellationReason: "payment_failed" });
    expect(await story.statement()).toEqual([
      "0003 renewal void 1500",
      "0004 product_change paid -500 (balance -500)",
      ...REST,
    ]);
    expect(await story.balance(customerId)).toBe(500);
  });
});
