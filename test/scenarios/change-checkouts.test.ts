import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Dates mean 9:00, so dates are whole days apart. */
describe("a Checkout that changes a Subscription (rule C6)", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("free", 0);
    await story.plan("ten", 1000);
    await story.plan("thirty", 3000);
    ({ id, customerId } = await story.buy(
      { productKey: "free", customer: { email: "ada@example.com", externalId: "ada" } },
      CARDS.pays,
    ));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-06-11: from free to paid, with the card that the buyer gives there", async () => {
    await story.travel("2025-06-11");
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "ten", subscriptionId: id }));
    expect(checkout).toMatchObject({
      status: "open",
      customerId,
      externalCustomerId: "ada",
      subscriptionId: id,
      subtotalAmount: 1000,
      totalAmount: 1000,
      recurringAmount: 1000,
      invoiceId: null,
    });
    expect(await story.news()).toEqual(["checkout.created"]);
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    expect(paid).toMatchObject({ status: "completed", subscriptionId: id });
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual(["0002 product_change paid 1000", "     ten 1000 2025-06-11 → 2025-07-11"]);
    const invoice = await story.ok(story.app.manage("GET", `/invoices/${paid.invoiceId}`));
    expect(invoice).toMatchObject({ checkoutId: checkout.id, subscriptionId: id });
    expect(await story.subscription(id)).toMatchObject({ amount: 1000, currentPeriodEnd: "2025-07-11T09:00:00.000Z" });
  });

  it("2025-07-11: the card is the Customer's default and pays the renewal", async () => {
    await story.travel("2025-07-11");
    expect(await story.statement()).toEqual(["0003 renewal paid 1000", "     ten 1000 2025-07-11 → 2025-08-11"]);
    await story.news();
  });

  let page: Json;
  it("2025-07-26: a declined PATCH names the page that finishes it, with no event but of its payment", async () => {
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel("2025-07-26T21:00:00Z"); // half of 31 days
    const key = { "Idempotency-Key": "upgrade" };
    const declined = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "thirty" }, key);
    expect(declined.status).toBe(402);
    expect(declined.body).toMatchObject({
      code: "payment_failed",
      declineCode: "card_declined",
      checkoutId: expect.stringMatching(/^chk_/),
    });
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await story.subscription(id)).toMatchObject({ amount: 1000 });
    page = await story.ok(story.app.api("GET", `/checkouts/${declined.body.checkoutId}`));
    expect(page).toMatchObject({
      url: declined.body.url,
      status: "open",
      subscriptionId: id,
      totalAmount: 1000,
      lastPaymentError: { code: "card_declined" },
      expiresAt: "2025-07-27T20:00:00.000Z",
    });
    expect((await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "thirty" }, key)).body).toEqual(
      declined.body,
    );
  });

  it("2025-07-26: another card is declined on the page, too, and the Subscription stays as it was", async () => {
    const declined = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${page.id}/pay`, { card: CARDS.declined }),
    );
    expect(declined).toMatchObject({ status: "open", customerId, lastPaymentError: { code: "card_declined" } });
    expect(await story.news()).toEqual(["payment.failed", "checkout.payment_failed"]);
    expect(await story.subscription(id)).toMatchObject({ amount: 1000 });
  });

  it("2025-07-26: while the buyer is at the bank, other changes of the Subscription are refused", async () => {
    const waiting = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${page.id}/pay`, { card: CARDS.asksBuyer }),
    );
    expect(waiting).toMatchObject({ status: "processing", nextAction: { type: "challenge" } });
    const body = { code: "change_in_progress", checkoutId: page.id, url: waiting.url };
    const other = await story.app.api("PATCH", `/subscriptions/${id}`, { cancelAtPeriodEnd: true });
    expect(other).toMatchObject({ status: 409, body });
    const again = await story.app.api("POST", "/checkouts", { productKey: "thirty", subscriptionId: id });
    expect(again).toMatchObject({ status: 409, body });
    await story.news();
    await story.answerChallenge(true);
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual([
      "0004 product_change paid 1000",
      "     ten, unused rest of the period -500 2025-07-26 → 2025-08-11",
      "     thirty, rest of the period 1500 2025-07-26 → 2025-08-11",
    ]);
  });

  it("2025-08-01: a change that a downgrade pays for asks for a card all the same, to go on with", async () => {
    await story.travel("2025-08-01");
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "ten", subscriptionId: id }));
    expect(checkout).toMatchObject({ totalAmount: 0 });
    const without = await story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {});
    expect([without.status, without.body.errors[0].pointer]).toEqual([422, "/card"]);
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    expect(paid).toMatchObject({ status: "completed", invoiceId: expect.stringMatching(/^inv_/) });
    expect(await story.balance(customerId)).toBeGreaterThan(0);
  });

  it("2025-08-02: an unused page expires, and its group is free", async () => {
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "thirty", subscriptionId: id, expiresInMinutes: 5 }),
    );
    await story.news();
    await story.travel("2025-08-02");
    expect(await story.news()).toEqual(["checkout.expired"]);
    const late = await story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays });
    expect([late.status, late.body.code]).toEqual([409, "checkout_not_open"]);
  });

  it("a Subscription that can't be changed so makes no Checkout", async () => {
    const refused = async (body: object) => {
      const { status, body: problem } = await story.app.api("POST", "/checkouts", body);
      return [status, problem.errors?.[0]?.pointer ?? problem.code];
    };
    expect(await refused({ productKey: "ten", subscriptionId: id })).toEqual([409, "already_subscribed"]);
    expect(await refused({ productKey: "ten", subscriptionId: "sub_01jzzzzzzzzzzzzzzzzzzzzzzz" })).toEqual([
      422,
      "/subscriptionId",
    ]);
    expect(await refused({ productKey: "none", subscriptionId: id })).toEqual([422, "/productKey"]);
    expect(await refused({ productKey: "thirty", subscriptionId: id, currency: "eur" })).toEqual([422, "/currency"]);
    await story.change(id, { cancelAtPeriodEnd: true });
    expect(await refused({ productKey: "thirty", subscriptionId: id })).toEqual([
      409,
      "subscription_cancellation_scheduled",
    ]);
  });
});
