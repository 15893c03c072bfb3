import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const BOUGHT = [
  "checkout.created",
  "payment.succeeded",
  "invoice.created",
  "invoice.paid",
  "benefit_grant.granted",
  "checkout.completed",
];

describe("Products that are sold once", () => {
  let story: Story;
  let first: Json;
  let note: string;
  const grants = async (query = "") =>
    (await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=ada${query}`))).data;

  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-15T09:00:00Z" });
    const license = await story.ok(
      story.app.manage("POST", "/benefits", { key: "licence", type: "license_key", name: "Licence" }),
    );
    ({ id: note } = await story.ok(
      story.app.manage("POST", "/benefits", {
        key: "note",
        type: "custom",
        name: "Note",
        properties: { note: "Thanks" },
      }),
    ));
    const prices = [
      { currency: "usd", amount: 4900 },
      { currency: "jpy", amount: 7000 },
      { currency: "kwd", amount: 15_000 },
    ];
    await story.plan("book", 0, { interval: null, prices, benefitIds: [license.id] });
    await story.plan("sample", 0, { interval: null, benefitIds: [license.id] });
    await story.plan("pro", 3000);
    await story.plan("basic", 1000);
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-01-15: a declined card buys nothing and uses up no invoice number (rule I1)", async () => {
    const customer = {
      email: "ada@example.com",
      externalId: "ada",
      name: "Ada",
      billingAddress: { country: "gb", city: "London" },
    };
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "book", customer, metadata: { order: 7 } }),
    );
    expect(checkout).toMatchObject({
      totalAmount: 4900,
      recurringAmount: null,
      interval: null,
      intervalCount: null,
      trialDays: null,
    });
    const declined = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.declined }),
    );
    expect(declined).toMatchObject({ status: "open", lastPaymentError: { code: "card_declined" } });
    expect(await story.news()).toEqual([
      "customer.created",
      "checkout.created",
      "payment.failed",
      "checkout.payment_failed",
    ]);
    expect(await story.statement()).toEqual([]);
    first = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }));
    expect(first).toMatchObject({ status: "completed", subscriptionId: null, lastPaymentError: null });
    expect(await story.news()).toEqual(BOUGHT.slice(1));
    expect(await story.statement()).toEqual(["0001 checkout paid 4900", "     book 4900"]);
  });

  it("2025-01-15: the invoice shows buyer and metadata; the grant shows its invoice", async () => {
    const invoice = await story.ok(story.app.manage("GET", `/invoices/${first.invoiceId}`));
    expect(invoice).toMatchObject({
      subscriptionId: null,
      periodStart: null,
      periodEnd: null,
      metadata: { order: 7 },
      checkoutId: first.id,
    });
    expect(invoice.buyer).toMatchObject({
      name: "Ada",
      email: "ada@example.com",
      address: { country: "GB", city: "London" },
    });
    expect(await grants()).toMatchObject([{ invoiceId: first.invoiceId, subscriptionId: null, expiresAt: null }]);
  });

  it("2025-01-20: the same again is another purchase with a grant of its own (rule B2)", async () => {
    await story.travel("2025-01-20");
    await story.buy({ productKey: "book", externalCustomerId: "ada" }, CARDS.pays);
    expect(await story.news()).toEqual(BOUGHT);
    const [newer, older] = await grants();
    expect([newer.grantedAt, older.grantedAt]).toEqual(["2025-01-20T09:00:00.000Z", "2025-01-15T09:00:00.000Z"]);
    expect(newer.properties.key).not.toBe(older.properties.key);
    expect(await story.statement()).toEqual(["0002 checkout paid 4900", "     book 4900"]);
  });

  it.each([
    ["jpy", 7000],
    ["kwd", 15_000],
  ])("2025-01-20: is sold in %s as ISO 4217 counts it", async (currency, amount) => {
    const bought = await story.buy({ productKey: "book", currency, externalCustomerId: "ada" }, CARDS.pays);
    expect(bought).toMatchObject({ currency, totalAmount: amount });
    const [payment] = (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data;
    expect(payment).toMatchObject({ currency, amount, status: "succeeded" });
  });

  it("2025-01-21: a free Product asks for no card and has an invoice all the same", async () => {
    await story.travel("2025-01-21");
    await story.news();
    await story.statement();
    const { id } = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "sample", externalCustomerId: "ada" }),
    );
    expect(await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, {}))).toMatchObject({
      status: "completed",
    });
    expect(await story.news()).toEqual(BOUGHT.filter((type) => type !== "payment.succeeded"));
    expect(await story.statement()).toEqual(["0005 checkout paid 0", "     sample 0"]);
  });

  it("2025-02-05: the balance of a named Customer pays a part (rule C7)", async () => {
    const { id, customerId } = await story.buy({ productKey: "pro", externalCustomerId: "ada" }, CARDS.pays);
    await story.travel("2025-02-05T21:00:00Z"); // half of 31 days
    await story.change(id, { productKey: "basic" });
    expect(await story.balance(customerId)).toBe(1000);
    const { invoiceId } = await story.buy({ productKey: "book", externalCustomerId: "ada" }, CARDS.pays);
    const invoice = await story.ok(story.app.manage("GET", `/invoices/${invoiceId}`));
    expect(invoice).toMatchObject({ balanceApplied: 1000, amountDue: 3900, amountPaid: 3900 });
    expect(await story.balance(customerId)).toBe(0);
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
  });

  it("2025-03-01: purchases gain later Benefits of the Product, and lose none (rule B1)", async () => {
    await story.travel("2025-03-01");
    await story.news();
    const [product] = (await story.ok(story.app.manage("GET", "/products?key=book"))).data;
    await story.ok(story.app.manage("PATCH", `/products/${product.id}`, { benefitIds: [note] }));
    await story.app.runDue();
    expect(await story.news()).toEqual(["product.updated", ...Array(5).fill("benefit_grant.granted")]);
    expect(await story.access("ada")).toEqual([...Array(6).fill("Licence"), ...Array(5).fill("Note")]);
    await story.ok(story.app.manage("PATCH", `/products/${product.id}`, { benefitIds: [], archived: true }));
    await story.app.runDue();
    expect(await story.news()).toEqual(["product.updated"]);
    expect(await story.access("ada")).toHaveLength(11);
  });

  it("2026-03-01: a year later all grants are still there, without another charge", async () => {
    await story.travel("2026-03-01");
    expect(await story.news()).toEqual([]);
    expect(await story.access("ada")).toHaveLength(11);
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
    expect(await story.audit()).toEqual([]);
  });
});
