import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bankOf, declines, keepsSilent, type Bank } from "../support/bank.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const ADA = { email: "ada@example.com", externalId: "ada" };

/** Two Subscriptions of one Customer. A change that is being paid reserves the part of the balance that it uses. */
describe("a debt on the balance while a change is being paid", () => {
  let story: Story;
  let bank: Bank;
  let [one, other]: Json[] = [];
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    bank = bankOf(story.app);
    for (const group of ["mail", "files"]) {
      await story.plan(`${group}-small`, 1000, { group });
      await story.plan(`${group}-large`, 5000, { group });
    }
    one = await story.buy({ productKey: "mail-small", customer: ADA }, CARDS.pays);
    other = await story.buy({ productKey: "files-small", customerId: one.customerId }, CARDS.pays);
    await story.statement();
  });
  afterAll(() => story.close());
  const adjust = (amount: number) =>
    story.ok(
      story.app.manage("POST", `/customers/${one!.customerId}/balance-adjustments`, {
        currency: "usd",
        amount,
        reason: "by hand",
      }),
    );
  const owe = () => adjust(-2000);
  const sums = async () => (await story.statement()).filter((line) => /^\d/.test(line));
  /** Pays a Checkout that changes the Subscription, up to the bank's challenge. */
  async function begin(productKey: string, subscriptionId: string): Promise<void> {
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey, subscriptionId }));
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.asksBuyer }));
    expect(paid.status).toBe("processing");
  }
  async function pass(): Promise<void> {
    await story.passAtBank();
    await story.settle();
  }

  it("2025-06-01: 20.00 is owed; a first change, of unknown outcome, collects it, the second does not", async () => {
    await owe();
    bank.says(keepsSilent);
    const first = await story.app.api("PATCH", `/subscriptions/${one!.id}`, {
      productKey: "mail-large",
      prorationBehavior: "invoice_now",
    });
    expect(first.status).toBe(503);
    bank.says(null);
    await story.change(other!.id, { productKey: "files-large", prorationBehavior: "invoice_now" });
    await story.settle();
    expect(await sums()).toEqual(["0003 product_change paid 4000", "0004 product_change paid 4000 (balance -2000)"]);
    expect(await story.books()).toMatchObject({ captured: [1000, 1000, 4000, 6000] });
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${one!.id}/timeline`));
    expect(data.map(({ text }: Json) => text.replace(/INV-\w+-(?=\d{4} )/, ""))).toContain(
      "Invoice 0004 over US$40.00 was created; US$20.00 more is due because of the balance; US$60.00 was due.",
    );
    expect(await story.balance(one!.customerId)).toBe(0);
    expect(await story.audit()).toEqual([]);
  });

  it("2025-06-01: 20.00 is owed again; a sale by hand leaves the debt to a change at the bank", async () => {
    await owe();
    await story.plan("mail-huge", 9000, { group: "mail" });
    await story.plan("support", 1000, { group: "support" });
    await begin("mail-huge", one!.id);
    await story.ok(story.app.manage("POST", "/subscriptions", { customerId: one!.customerId, productKey: "support" }));
    await pass();
    expect(await sums()).toEqual(["0005 renewal paid 1000", "0006 product_change paid 4000 (balance -2000)"]);
    expect(await story.balance(one!.customerId)).toBe(0);
    expect(await story.audit()).toEqual([]);
  });

  it("2025-06-01: a change reserves its credit; a debit meanwhile is charged to no other invoice", async () => {
    await story.newCard(one!.customerId, CARDS.pays);
    await adjust(5000);
    await story.plan("mail-giant", 20_000, { group: "mail" });
    await begin("mail-giant", one!.id);
    await adjust(-5000);
    await story.plan("backup", 1000, { group: "backup" });
    await story.ok(story.app.manage("POST", "/subscriptions", { customerId: one!.customerId, productKey: "backup" }));
    await pass();
    expect(await sums()).toEqual(["0007 renewal paid 1000", "0008 product_change paid 11000 (balance 5000)"]);
    expect(await story.balance(one!.customerId)).toBe(-5000);
    expect(await story.audit()).toEqual([]);
  });
});

/**
 * A refund lowers the credit of a change, unless the refund fails. Until its outcome is known, a change with a credit
 * is refused.
 */
describe("a change while a refund to the card is not settled", () => {
  let story: Story;
  let bank: Bank;
  let subscription: Json;
  let refund: Json;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    bank = bankOf(story.app);
    await story.plan("pro", 10_000);
    await story.plan("max", 30_000);
    await story.plan("yearly", 100_000, { interval: "year" });
    subscription = await story.buy({ productKey: "pro", customer: ADA }, CARDS.pays);
    await story.statement();
  });
  afterAll(() => story.close());
  const patch = (body: object) => story.app.api("PATCH", `/subscriptions/${subscription.id}`, body);

  it("2025-06-01: is refused as too early, by PATCH, in a preview, by a Checkout and on its page", async () => {
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "max", subscriptionId: subscription.id }),
    );
    const [invoice] = (await story.ok(story.app.manage("GET", "/invoices"))).data;
    refund = await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, {}));
    expect(refund.status).toBe("pending");
    for (const productKey of ["max", "yearly"]) {
      for (const prorationBehavior of ["invoice_now", "next_invoice"]) {
        const answer = await patch({ productKey, prorationBehavior });
        expect([answer.status, answer.body.code, answer.headers.get("Retry-After")]).toEqual([
          409,
          "refund_in_progress",
          "1",
        ]);
      }
    }
    const preview = await story.app.manage("POST", `/subscriptions/${subscription.id}/preview`, { productKey: "max" });
    expect([preview.status, preview.body.code]).toEqual([409, "refund_in_progress"]);
    const another = await story.app.api("POST", "/checkouts", { productKey: "max", subscriptionId: subscription.id });
    expect([another.status, another.body.code]).toEqual([409, "refund_in_progress"]);
    const paid = await story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays });
    expect([paid.status, paid.body.code]).toEqual([409, "refund_in_progress"]);
    const refused = await (await fetch(checkout.url)).text();
    expect(refused).toContain("A refund is in progress");
    expect(refused).toContain(`href="${new URL(checkout.url).pathname}">Refresh</a>`);
    // Changes without a credit are possible.
    for (const productKey of ["max", "pro"]) await story.ok(patch({ productKey, prorationBehavior: "next_period" }));
  });

  it("2025-06-01: is possible once the refund has failed, and credits all that was paid", async () => {
    bank.says(declines("card_declined"));
    await story.app.runDue();
    bank.says(null);
    expect(await story.ok(story.app.manage("GET", `/refunds/${refund.id}`))).toMatchObject({ status: "failed" });
    await story.change(subscription.id, { productKey: "yearly", prorationBehavior: "invoice_now" });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 90000",
      "     pro, unused rest of the period -10000 2025-06-01 → 2025-07-01",
      "     yearly 100000 2025-06-01 → 2026-06-01",
    ]);
    expect(await story.books()).toMatchObject({ captured: [10_000, 90_000] });
    expect(await story.audit()).toEqual([]);
  });
});

describe("a renewal of which the balance leaves less than can be charged", () => {
  let story: Story;
  beforeAll(async () => void (story = await startStory({ clock: "2025-06-01T09:00:00Z" })));
  afterAll(() => story.close());

  it("2025-07-01: is explained by the amount on the balance, and by the rest that stays owed on it", async () => {
    await story.plan("pro", 10_000);
    const { customerId } = await story.buy({ productKey: "pro", customer: ADA }, CARDS.pays);
    const adjustment = { currency: "usd", amount: 9980, reason: "goodwill" };
    await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, adjustment));
    await story.travel("2025-07-01T09:00:00Z");
    expect(await story.balance(customerId)).toBe(-20);
    const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?limit=1"))).data;
    const { balance, due } = await story.ok(story.app.manage("GET", `/invoices/${invoice.id}/explanation`));
    expect([balance.text, due.text]).toEqual([
      "The balance had US$99.80. The rest, US$0.20, is less than can be charged (US$0.50). " +
        "It stays on the balance as owed, " +
        "and is paid with a later invoice. Of this credit, US$99.80 was granted.",
      "No amount was left to pay.",
    ]);
  });
});

describe("at one and the same instant", () => {
  let story: Story;
  beforeAll(async () => void (story = await startStory({ clock: "2025-06-01T09:00:00Z" })));
  afterAll(() => story.close());

  it("2025-06-01: a discount for one period covers neither one that a change begins nor changes in it", async () => {
    await story.plan("pro", 10_000);
    for (const [key, amount] of [
      ["yearly", 100_000],
      ["yearly-max", 200_000],
    ] as const)
      await story.plan(key, amount, { interval: "year" });
    const half = { code: "HALF", type: "percentage", basisPoints: 5000, duration: "once" };
    await story.ok(story.app.manage("POST", "/discounts", half));
    const { id } = await story.buy({ productKey: "pro", discountCode: "HALF", customer: ADA }, CARDS.pays);
    for (const productKey of ["yearly", "yearly-max"])
      await story.change(id, { productKey, prorationBehavior: "invoice_now" });
    expect((await story.statement()).filter((line) => /^\d/.test(line))).toEqual([
      "0001 checkout paid 5000",
      "0002 product_change paid 95000",
      "0003 product_change paid 100000",
    ]);
  });
});
