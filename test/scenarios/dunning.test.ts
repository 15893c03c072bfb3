import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

const FAILED_AGAIN = ["payment.failed", "invoice.payment_failed"];

describe("a card that stays declined", () => {
  let story: Story;
  let id: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 3000, { benefitIds: [sso] });
    ({ id } = await story.buy(
      { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
      CARDS.failsLater,
    ));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-02-10: the renewal fails, and the period begins all the same", async () => {
    await story.travel("2025-02-10");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      ...FAILED_AGAIN,
      "subscription.past_due",
    ]);
    expect(await story.statement()).toEqual(["0002 renewal open 3000", "     pro 3000 2025-02-10 → 2025-03-10"]);
    const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?limit=1"))).data;
    expect(invoice).toMatchObject({ nextAttemptAt: "2025-02-13T09:00:00.000Z", amountPaid: 0 });
    const [grant] = (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
    expect(grant.expiresAt).toBe("2025-02-17T09:00:00.000Z");
  });

  it("2025-02-12: the schedule was fixed at the first failure; a new one is for others", async () => {
    await story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [1], graceDays: 1 } }));
    await story.travel("2025-02-12");
    expect(await story.news()).toEqual([]);
    expect(await story.access("ada")).toEqual(["SSO"]);
  });

  it("2025-02-13, 2025-02-17: retries fail; after the second the grace is over", async () => {
    await story.travel("2025-02-13");
    expect(await story.news()).toEqual(FAILED_AGAIN);
    await story.travel("2025-02-17T08:59:59.999Z");
    expect(await story.news()).toEqual([]);
    expect(await story.access("ada")).toEqual(["SSO"]);
    await story.travel("2025-02-17");
    expect(await story.news()).toEqual([...FAILED_AGAIN, "benefit_grant.revoked"]);
    expect(await story.access("ada")).toEqual([]);
  });

  it("2025-02-20: another card that is declined doesn't use up the schedule (rule D3)", async () => {
    await story.travel("2025-02-20");
    const { customerId } = await story.subscription(id);
    await story.newCard(customerId, CARDS.failsLater);
    expect(await story.news()).toEqual(FAILED_AGAIN);
    const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?limit=1"))).data;
    expect(invoice.nextAttemptAt).toBe("2025-02-24T09:00:00.000Z");
  });

  it("2025-02-21: only changes for the period's end are possible (rule P5)", async () => {
    await story.travel("2025-02-21");
    await story.plan("basic", 1000);
    await story.news();
    const refused = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "basic" });
    expect(refused).toMatchObject({ status: 409, body: { code: "subscription_past_due" } });
    await story.change(id, { productKey: "basic", prorationBehavior: "next_period" });
    await story.change(id, { cancelAtPeriodEnd: true });
    await story.change(id, { cancelAtPeriodEnd: false });
    expect(await story.news()).toEqual([
      "subscription.updated",
      "subscription.cancellation_scheduled",
      "subscription.cancellation_undone",
    ]);
  });

  it("2025-03-03: the last retry fails; the Subscription is canceled and its invoice void", async () => {
    await story.travel("2025-03-02");
    expect(await story.news()).toEqual(FAILED_AGAIN);
    await story.travel("2025-03-03");
    expect(await story.news()).toEqual([...FAILED_AGAIN, "subscription.canceled", "invoice.voided"]);
    expect(await story.statement()).toEqual(["0002 renewal void 3000"]);
    expect(await story.subscription(id)).toMatchObject({
      status: "canceled",
      cancellationReason: "payment_failed",
      canceledAt: "2025-03-03T09:00:00.000Z",
      endedAt: "2025-03-03T09:00:00.000Z",
      cancelAt: null,
      pendingChange: null,
    });
  });

  it("2026-03-03: no event follows, and a new Checkout begins anew", async () => {
    await story.travel("2026-03-03");
    expect(await story.news()).toEqual([]);
    const again = await story.buy({ productKey: "pro", externalCustomerId: "ada" }, CARDS.pays);
    expect(again).toMatchObject({ status: "active" });
    expect(again.id).not.toBe(id);
    expect(await story.access("ada")).toEqual(["SSO"]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("several open invoices", () => {
  let story: Story;
  let id: string;
  let customer: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-06T09:00:00Z" });
    // Renewals go on within the grace.
    await story.ok(
      story.app.manage("PATCH", "/organization", { dunning: { retryDays: [3, 7, 14, 21], graceDays: 30 } }),
    );
    await story.plan("weekly", 700, { interval: "week" });
    await story.plan("fortnightly", 1200, { interval: "week", intervalCount: 2 });
    ({ id, customerId: customer } = await story.buy(
      { productKey: "weekly", customer: { email: "ada@example.com" } },
      CARDS.failsLater,
    ));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-01-13 to 2025-01-20: a renewal while past due makes no attempt of its own (rule S)", async () => {
    await story.travel("2025-01-19");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      ...FAILED_AGAIN,
      "subscription.past_due",
      ...FAILED_AGAIN,
    ]);
    await story.travel("2025-01-20"); // the second retry and the renewal are due at the same instant
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", ...FAILED_AGAIN]);
    expect(await story.statement()).toEqual([
      "0002 renewal open 700",
      "     weekly 700 2025-01-13 → 2025-01-20",
      "0003 renewal open 700",
      "     weekly 700 2025-01-20 → 2025-01-27",
    ]);
    expect(await story.subscription(id)).toMatchObject({
      status: "past_due",
      currentPeriodEnd: "2025-01-27T09:00:00.000Z",
    });
  });

  it("2025-01-22: a new card pays the oldest first, then the others", async () => {
    await story.travel("2025-01-22");
    await story.newCard(customer, CARDS.pays);
    const paid = ["payment.succeeded", "invoice.paid"];
    expect(await story.news()).toEqual([...paid, ...paid, "subscription.recovered"]);
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${customer}&status=succeeded`));
    const { data: invoices } = await story.ok(story.app.manage("GET", `/invoices?customerId=${customer}`));
    expect(data.map((payment: { invoiceId: string }) => payment.invoiceId)).toEqual(
      invoices.map((invoice: { id: string }) => invoice.id),
    );
    expect(data.map((payment: { trigger: string }) => payment.trigger)).toEqual(["new_card", "new_card", "checkout"]);
    expect(await story.statement()).toEqual(["0002 renewal paid 700", "0003 renewal paid 700"]);
  });

  it("2025-02-24: the next failure has a schedule of its own; at its end all that is open is void", async () => {
    await story.newCard(customer, CARDS.failsLater);
    await story.change(id, { productKey: "fortnightly", prorationBehavior: "next_period" });
    await story.news();
    await story.travel("2025-02-16");
    expect(await story.statement()).toEqual([
      "0004 renewal open 1200",
      "     fortnightly 1200 2025-01-27 → 2025-02-10",
      "0005 renewal open 1200",
      "     fortnightly 1200 2025-02-10 → 2025-02-24",
    ]);
    expect(await story.subscription(id)).toMatchObject({
      status: "past_due",
      interval: "week",
      intervalCount: 2,
      amount: 1200,
    });
    await story.news();
    await story.travel("2025-02-17"); // 21 days after 2025-01-27
    expect(await story.news()).toEqual([...FAILED_AGAIN, "subscription.canceled", "invoice.voided", "invoice.voided"]);
    expect(await story.statement()).toEqual(["0004 renewal void 1200", "0005 renewal void 1200"]);
    expect((await story.books()).captured).toEqual([700, 700, 700]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("when an open invoice is tried next", () => {
  it("is told from its first event on, and a new time is a new version of it", async () => {
    const story = await startStory({ clock: "2025-01-06T09:00:00Z" });
    try {
      await story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [10, 20], graceDays: 30 } }));
      await story.plan("weekly", 700, { interval: "week" });
      const { id } = await story.buy(
        { productKey: "weekly", customer: { email: "ada@example.com" } },
        CARDS.failsLater,
      );
      await story.travel("2025-01-20"); // the first renewal failed on 2025-01-13
      const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&status=open`));
      const next = { nextAttemptAt: "2025-01-23T09:00:00.000Z" };
      expect(data).toMatchObject([next, next]);
      const second = `/invoices/${data[0].id}`;
      const recorded = await story.ok(story.app.manage("GET", `/events?resourceId=${data[0].id}`));
      expect(recorded.data).toMatchObject([{ type: "invoice.created", data: next }]);

      const etag = (await story.app.manage("GET", second)).headers.get("ETag")!;
      const readAgain = () => story.app.manage("GET", second, undefined, { "If-None-Match": etag });
      await story.travel("2025-01-22");
      expect((await readAgain()).status).toBe(304);
      await story.travel("2025-01-23");
      expect(await readAgain()).toMatchObject({ status: 200, body: { nextAttemptAt: "2025-02-02T09:00:00.000Z" } });
    } finally {
      await story.close();
    }
  });
});

describe("a card that asks for the buyer at every charge", () => {
  let story: Story;
  let id: string;
  const WAITS = ["payment.action_required", "invoice.payment_failed"];
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000);
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "pro", customer: { email: "ada@example.com" } }),
    );
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.asksBuyer }),
    );
    expect(paid).toMatchObject({ status: "processing", nextAction: { type: "challenge", url: expect.any(String) } });
    await story.answerChallenge(true);
    ({ subscriptionId: id } = await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`)));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-02-10: the buyer is not there at the renewal, which counts as a failure (rule D2)", async () => {
    await story.travel("2025-02-10");
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", ...WAITS, "subscription.past_due"]);
    const [payment] = (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data;
    expect(payment).toMatchObject({ status: "requires_action", trigger: "renewal", settledAt: null });
  });

  it("2025-02-12: the buyer follows the link and passes; everything is as if it had been paid", async () => {
    await story.travel("2025-02-12");
    await story.answerChallenge(true);
    expect(await story.news()).toEqual(["payment.succeeded", "invoice.paid", "subscription.recovered"]);
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2025-02-10 → 2025-03-10"]);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
  });

  it("2025-03-13: a retry gives the old challenge up and asks anew", async () => {
    await story.travel("2025-03-12");
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", ...WAITS, "subscription.past_due"]);
    await story.travel("2025-03-13");
    expect(await story.news()).toEqual(["payment.failed", ...WAITS]);
    const [now, before] = (await story.ok(story.app.manage("GET", "/payments?limit=2"))).data;
    expect(before).toMatchObject({ status: "failed", failureCode: "authentication_failed", trigger: "renewal" });
    expect(now).toMatchObject({ status: "requires_action", trigger: "retry" });
  });

  it("2025-03-14: a challenge that counted as a failure already uses up no other retry when it fails", async () => {
    await story.travel("2025-03-14");
    await story.answerChallenge(false);
    expect(await story.news()).toEqual(["payment.failed"]);
    const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?limit=1"))).data;
    expect(invoice.nextAttemptAt).toBe("2025-03-17T09:00:00.000Z");
  });

  it("2025-03-18: another card is charged at once, in place of the challenge", async () => {
    await story.travel("2025-03-18");
    expect(await story.news()).toEqual(WAITS);
    await story.newCard((await story.subscription(id)).customerId, CARDS.pays);
    expect(await story.news()).toEqual([
      "payment.failed",
      "payment.succeeded",
      "invoice.paid",
      "subscription.recovered",
    ]);
    expect((await story.books()).captured).toEqual([3000, 3000, 3000]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a buyer that is past due and comes too late", () => {
  it("has paid all the same, into the balance, if the bank had let the payment through (rule S5)", async () => {
    const story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    try {
      await story.plan("pro", 3000);
      const checkout = await story.ok(
        story.app.api("POST", "/checkouts", { productKey: "pro", customer: { email: "ada@example.com" } }),
      );
      await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.asksBuyer }));
      await story.answerChallenge(true);
      await story.travel("2025-02-10");
      await story.statement();
      await story.news();
      const { subscriptionId, customerId } = await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`));
      await story.passAtBank();
      await story.ok(story.app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {}));
      await story.settle();
      expect(await story.news()).toEqual(["subscription.canceled", "payment.succeeded", "invoice.voided"]);
      expect(await story.statement()).toEqual(["0002 renewal void 3000"]);
      expect(await story.balance(customerId)).toBe(3000);
      expect(await story.audit()).toEqual([]);
    } finally {
      await story.close();
    }
  });

  it("has not, where the last retry was given up with the Subscription (rule D3)", async () => {
    const story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    try {
      await story.plan("pro", 3000);
      const checkout = await story.ok(
        story.app.api("POST", "/checkouts", { productKey: "pro", customer: { email: "ada@example.com" } }),
      );
      await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.asksBuyer }));
      await story.answerChallenge(true);
      await story.travel("2025-03-02");
      await story.news();
      const { data } = await story.ok(story.app.manage("GET", "/payments?status=requires_action"));
      expect(data).toMatchObject([{ trigger: "retry", createdAt: "2025-02-24T09:00:00.000Z" }]);
      await story.travel("2025-03-03");
      expect(await story.news()).toEqual([
        "payment.failed",
        "payment.action_required",
        "invoice.payment_failed",
        "subscription.canceled",
        "payment.failed",
        "invoice.voided",
      ]);
      expect((await story.ok(story.app.manage("GET", "/payments?status=requires_action"))).data).toEqual([]);
      expect((await story.books()).captured).toEqual([3000]);
      expect(await story.audit()).toEqual([]);
    } finally {
      await story.close();
    }
  });
});

describe("a void invoice", () => {
  it("gives back the part that the balance had settled (rule S5)", async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    try {
      await story.plan("thirty", 3000);
      await story.plan("twenty", 2000);
      const bought = await story.buy(
        { productKey: "thirty", customer: { email: "ada@example.com" } },
        CARDS.failsLater,
      );
      await story.travel("2025-06-16");
      await story.change(bought.id, { productKey: "twenty" });
      expect(await story.balance(bought.customerId)).toBe(500);
      await story.travel("2025-07-01");
      expect(await story.balance(bought.customerId)).toBe(0);
      await story.statement();
      await story.travel("2025-07-22");
      expect(await story.statement()).toEqual(["0003 renewal void 2000 (balance 500)"]);
      expect(await story.balance(bought.customerId)).toBe(500);
      expect(await story.audit()).toEqual([]);
    } finally {
      await story.close();
    }
  });
});
