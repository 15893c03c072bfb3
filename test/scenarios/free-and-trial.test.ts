import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

const customer = (name: string) => ({ customer: { email: `${name}@example.com`, externalId: name } });

describe("a free plan", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("free", 0);
    await story.plan("pro", 3000);
    await story.plan("year", 30_000, { interval: "year" });
    await story.news();
  });
  afterAll(() => story.close());
  const take = async (name: string) => {
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "free", ...customer(name) }));
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
    return story.subscription(paid.subscriptionId);
  };

  it("2025-06-01: asks for no card (rule C2) and has an invoice that is paid at once (rule S3)", async () => {
    ({ id, customerId } = await take("ada"));
    expect(await story.news()).toEqual([
      "customer.created",
      "checkout.created",
      "subscription.created",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual(["0001 checkout paid 0", "     free 0 2025-06-01 → 2025-07-01"]);
  });

  it("2025-07-01: renews for nothing", async () => {
    await story.travel("2025-07-01");
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", "invoice.paid"]);
    expect(await story.statement()).toEqual(["0002 renewal paid 0", "     free 0 2025-07-01 → 2025-08-01"]);
  });

  it.each(["invoice_now", "next_invoice", "none", "next_period"])(
    "2025-07-11: can't become a paid one without a card: %s (rule P9)",
    async (behavior) => {
      await story.travel("2025-07-11");
      const before = await story.app.api("GET", `/subscriptions/${id}`);
      const refused = await story.app.api("PATCH", `/subscriptions/${id}`, {
        productKey: "pro",
        prorationBehavior: behavior,
      });
      expect(refused).toMatchObject({ status: 402, body: { code: "payment_method_required", declineCode: null } });
      const after = await story.app.api("GET", `/subscriptions/${id}`);
      expect([after.body, after.headers.get("ETag")]).toEqual([before.body, before.headers.get("ETag")]);
      expect(await story.news()).toEqual([]);
    },
  );

  it("2025-07-11: with one, the first paid period begins at once", async () => {
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual([]);
    expect(await story.change(id, { productKey: "pro" })).toMatchObject({
      amount: 3000,
      currentPeriodStart: "2025-07-11T09:00:00.000Z",
    });
    expect(await story.statement()).toEqual(["0003 product_change paid 3000", "     pro 3000 2025-07-11 → 2025-08-11"]);
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
    ]);
  });

  test.each([
    ["none", "pro", "2025-08-11"],
    ["next_invoice", "pro", "2025-08-11"],
    ["invoice_now", "year", "2026-07-11"],
    ["none", "year", "2026-07-11"],
  ])(
    "2025-07-11: from free, %s to %s is a new period in full, billed now (rule P9)",
    async (behavior, productKey, end) => {
      const { id: other, customerId: owner } = await take(`${behavior}-${productKey}`);
      await story.newCard(owner, CARDS.pays);
      await story.statement();
      const changed = await story.change(other, { productKey, prorationBehavior: behavior });
      expect(changed).toMatchObject({
        currentPeriodStart: "2025-07-11T09:00:00.000Z",
        currentPeriodEnd: `${end}T09:00:00.000Z`,
      });
      const amount = productKey === "pro" ? 3000 : 30_000;
      expect(await story.statement()).toEqual([
        `0002 product_change paid ${amount}`,
        `     ${productKey} ${amount} 2025-07-11 → ${end}`,
      ]);
    },
  );

  it("2025-07-26: back to free at once gives balance, which a later plan uses up", async () => {
    await story.news();
    await story.travel("2025-07-26T21:00:00Z"); // half of 31 days
    await story.change(id, { productKey: "free" });
    expect(await story.statement()).toEqual([
      "0004 product_change paid -1500 (balance -1500)",
      "     pro, unused rest of the period -1500 2025-07-26 → 2025-08-11",
    ]);
    await story.change(id, { productKey: "pro", prorationBehavior: "next_period" });
    await story.travel("2025-08-11");
    expect((await story.statement()).slice(0, 2)).toEqual([
      "0005 renewal paid 3000 (balance 1500)",
      "     pro 3000 2025-08-11 → 2025-09-11",
    ]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a trial", () => {
  let story: Story;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000, { trialDays: 14 });
    await story.plan("easy", 3000, { trialDays: 14, trialCard: "optional" });
    await story.plan("max", 9000);
    await story.plan("year", 30_000, { interval: "year" });
    await story.plan("free", 0);
    await story.news();
  });
  afterAll(() => story.close());
  const begin = async (productKey: string, name: string, card: string | null) => {
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey, ...customer(name) }));
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, card === null ? {} : { card }),
    );
    return story.subscription(paid.subscriptionId);
  };
  const recordedOf = async (subscriptionId: string) => {
    const { data } = await story.ok(story.app.manage("GET", `/events?resourceId=${subscriptionId}`));
    return data.map((event: { type: string }) => event.type);
  };
  const invoices = async (subscriptionId: string) => {
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${subscriptionId}`));
    return data.map(
      ({ reason, status, totalAmount }: { reason: string; status: string; totalAmount: number }) =>
        `${reason} ${status} ${totalAmount}`,
    );
  };
  const ids: Record<string, string> = {};

  it("2025-06-01: asks for a card, unless the Product leaves it to the buyer", async () => {
    const { id, ...due } = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "pro", ...customer("ada") }),
    );
    expect(due).toMatchObject({ subtotalAmount: 0, totalAmount: 0, recurringAmount: 3000, trialDays: 14 });
    const without = await story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, {});
    expect(without).toMatchObject({ status: 422, body: { errors: [{ pointer: "/card", code: "required" }] } });
    const declined = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.declined }));
    expect(declined).toMatchObject({ status: "open", lastPaymentError: { code: "card_declined" } });
    for (const name of ["ada", "changes", "scheduled", "waits", "leaves", "to-free"])
      ids[name] = (await begin("pro", name, CARDS.pays)).id;
    for (const name of ["no-card", "late-card"]) ids[name] = (await begin("easy", name, null)).id;
    const grants = await story.app.api("GET", "/benefit-grants?externalCustomerId=no-card");
    for (const grant of grants.body.data) expect(grant.expiresAt).toBe("2025-06-15T09:00:00.000Z");
    ids["bad-card"] = (await begin("easy", "bad-card", CARDS.failsLater)).id;
    expect((await story.books()).captured).toEqual([]);
    expect((await story.ok(story.app.manage("GET", "/payments"))).data).toEqual([]);
  });

  it("2025-06-05: keeps its end at any change of the Product; no amount is billed (rule P4)", async () => {
    await story.travel("2025-06-05");
    for (const behavior of ["none", "next_invoice", "invoice_now"]) {
      for (const productKey of ["max", "year"]) {
        const changed = await story.change(ids["changes"]!, { productKey, prorationBehavior: behavior });
        expect(changed).toMatchObject({
          status: "trialing",
          trialEnd: "2025-06-15T09:00:00.000Z",
          currentPeriodEnd: "2025-06-15T09:00:00.000Z",
        });
      }
    }
    await story.change(ids["to-free"]!, { productKey: "free" });
    const scheduled = await story.change(ids["waits"]!, { productKey: "max", prorationBehavior: "next_period" });
    expect(scheduled).toMatchObject({
      amount: 3000,
      pendingChange: { amount: 9000, effectiveAt: "2025-06-15T09:00:00.000Z" },
    });
    const refused = await story.app.api("PATCH", `/subscriptions/${ids["no-card"]}`, { productKey: "max" });
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_method_required" } });
    expect(await story.statement()).toEqual([]);
  });

  it("2025-06-10: a scheduled cancellation ends the trial at its end, without a charge (rule S1)", async () => {
    await story.travel("2025-06-10");
    const canceled = await story.change(ids["scheduled"]!, { cancelAtPeriodEnd: true });
    expect(canceled).toMatchObject({ status: "trialing", cancelAt: "2025-06-15T09:00:00.000Z" });
    await story.newCard((await story.subscription(ids["late-card"]!)).customerId, CARDS.pays);
    await story.ok(story.app.manage("POST", `/subscriptions/${ids["leaves"]}/cancel-now`, {}));
  });

  it("2025-06-15: at its end each goes its own way", async () => {
    await story.travel("2025-06-15");
    const outcomes: Record<string, string[]> = {};
    for (const [name, id] of Object.entries(ids)) {
      const { status, cancellationReason } = await story.subscription(id);
      outcomes[name] = [
        status,
        ...(cancellationReason ? [cancellationReason] : []),
        ...(await recordedOf(id)),
        ...(await invoices(id)),
      ];
    }
    const went = ["subscription.trial_ending", "subscription.activated"];
    const created = "subscription.created";
    expect(outcomes).toEqual({
      ada: ["active", created, ...went, "renewal paid 3000"],
      changes: ["active", created, ...Array(6).fill("subscription.updated"), ...went, "renewal paid 30000"],
      scheduled: ["canceled", created, "subscription.cancellation_scheduled", "subscription.canceled"],
      waits: ["active", created, "subscription.updated", ...went, "renewal paid 9000"],
      leaves: ["canceled", created, "subscription.canceled"],
      "to-free": ["active", created, "subscription.updated", ...went, "renewal paid 0"],
      "no-card": ["canceled", "payment_failed", created, "subscription.trial_ending", "subscription.canceled"],
      "late-card": ["active", created, ...went, "renewal paid 3000"],
      "bad-card": ["past_due", created, ...went, "subscription.past_due", "renewal open 3000"],
    });
    expect((await story.books()).captured).toEqual([3000, 3000, 9000, 30_000]);
  });

  it("2025-07-15: from its end on the paid periods count (rule T2)", async () => {
    await story.travel("2025-07-15");
    const { currentPeriodStart, currentPeriodEnd, trialStart, startedAt } = await story.subscription(ids["ada"]!);
    expect([startedAt, trialStart]).toEqual(["2025-06-01T09:00:00.000Z", "2025-06-01T09:00:00.000Z"]);
    expect([currentPeriodStart, currentPeriodEnd]).toEqual(["2025-07-15T09:00:00.000Z", "2025-08-15T09:00:00.000Z"]);
  });

  it("2025-07-15: is given once for each Customer and group (rule C4)", async () => {
    const again = await story.ok(story.app.api("POST", "/checkouts", { productKey: "easy", ...customer("leaves") }));
    expect(again).toMatchObject({ trialDays: null, totalAmount: 3000 });
    const open = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", ...customer("twice") }));
    const { id } = await begin("pro", "twice", CARDS.pays);
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
    expect(open).toMatchObject({ trialDays: 14, totalAmount: 0 });
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card: CARDS.pays }));
    expect(paid).toMatchObject({ status: "completed", trialDays: null, totalAmount: 3000 });
    expect(await story.subscription(paid.subscriptionId)).toMatchObject({ status: "active", trialEnd: null });
    expect(await story.audit()).toEqual([]);
  });
});
