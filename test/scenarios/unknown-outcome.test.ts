import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The answer to a charge gets lost. The buyer must not be charged twice, and Billow must not lose the payment. */
describe("a charge with an unknown outcome", () => {
  let story: Story;
  let id: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 3000, { benefitIds: [sso] });
    await story.plan("max", 9000, { benefitIds: [sso] });
    await story.news();
  });
  afterAll(() => story.close());
  const patch = (body: object, key?: string) =>
    story.app.api("PATCH", `/subscriptions/${id}`, body, key === undefined ? {} : { "Idempotency-Key": key });

  it("2025-06-01: the Checkout is being paid until the provider says", async () => {
    const body = { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", body));
    const path = `/sandbox/checkouts/${checkout.id}/pay`;
    expect(await story.ok(story.app.manage("POST", path, { card: CARDS.answerLost }))).toMatchObject({
      status: "processing",
      nextAction: null,
    });
    const { data: attempts } = await story.ok(story.app.manage("GET", `/payments?checkoutId=${checkout.id}`));
    expect(attempts).toMatchObject([{ status: "unknown", processing: false }]);
    expect(await story.access("ada")).toEqual([]);
    expect(await story.news()).toEqual(["customer.created", "checkout.created"]);
    expect(await story.app.manage("POST", path, { card: CARDS.pays })).toMatchObject({
      status: 409,
      body: { code: "checkout_not_open" },
    });
    expect(await story.app.api("POST", "/checkouts", body)).toMatchObject({
      status: 409,
      body: { code: "already_subscribed" },
    });
    await story.settle();
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.created",
      "invoice.created",
      "invoice.paid",
      "benefit_grant.granted",
      "checkout.completed",
    ]);
    ({ subscriptionId: id } = await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`)));
    expect(await story.books()).toEqual({ paid: [3000], captured: [3000] });
    await story.statement();
  });

  it("2025-07-01: a renewal is settled before the clock moves on", async () => {
    await story.travel("2025-07-16");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    const [payment] = (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data;
    expect(payment).toMatchObject({ trigger: "renewal", settledAt: "2025-07-01T09:00:00.000Z" });
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2025-07-01 → 2025-08-01"]);
  });

  it("2025-07-16: an upgrade is neither made nor refused: 503; any other change is refused with 409", async () => {
    await story.travel("2025-07-16T21:00:00Z");
    const before = await story.app.api("GET", `/subscriptions/${id}`);
    const first = await patch({ productKey: "max" }, "upgrade");
    expect(first).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(Number(first.headers.get("Retry-After"))).toBeGreaterThan(0);
    for (const body of [
      { productKey: "max" },
      { productKey: "max", prorationBehavior: "next_period" },
      { cancelAtPeriodEnd: true },
    ]) {
      const other = await patch(body);
      expect(other).toMatchObject({ status: 409, body: { code: "change_in_progress" } });
      expect(Number(other.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    for (const end of ["cancel-now", "cancel-now/preview"]) {
      const refused = await story.app.manage("POST", `/subscriptions/${id}/${end}`, {});
      expect(refused).toMatchObject({ status: 409, body: { code: "change_in_progress" } });
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    const after = await story.app.api("GET", `/subscriptions/${id}`);
    expect([after.body, after.headers.get("ETag")]).toEqual([before.body, before.headers.get("ETag")]);
    expect(await story.news()).toEqual([]);
  });

  it("2025-07-16: the same request gets its 200, charged once, as of the instant it was decided", async () => {
    expect(await patch({ productKey: "pro" }, "upgrade")).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    const [answer] = await Promise.all([patch({ productKey: "max" }, "upgrade"), story.settle()]);
    expect(answer).toMatchObject({ status: 200, body: { amount: 9000, updatedAt: "2025-07-16T21:00:00.000Z" } });
    expect(answer.headers.get("Idempotency-Replayed")).toBe("true");
    expect(answer.body).toEqual(await story.subscription(id));
    const again = await patch({ productKey: "max" }, "upgrade");
    expect([again.status, again.body, again.headers.get("ETag")]).toEqual([
      200,
      answer.body,
      answer.headers.get("ETag"),
    ]);
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
    ]);
    expect((await story.statement())[0]).toBe("0003 product_change paid 3000");
    expect((await story.books()).captured).toEqual([3000, 3000, 3000]);
  });

  it("2025-08-10: a sandbox that moves on settles a change first, and then renews it", async () => {
    await story.travel("2025-08-10T09:00:00Z");
    await story.news();
    await story.statement();
    await story.plan("mega", 31_000);
    expect(await patch({ productKey: "mega" })).toMatchObject({ status: 503 });
    await story.travel("2025-09-01");
    expect(await story.news()).toEqual([
      "product.created",
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "benefit_grant.revoked",
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual([
      "0005 product_change paid 15613",
      "     max, unused rest of the period -6387 2025-08-10 → 2025-09-01",
      "     mega, rest of the period 22000 2025-08-10 → 2025-09-01",
      "0006 renewal paid 31000",
      "     mega 31000 2025-09-01 → 2025-10-01",
    ]);
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a change with a charge of unknown outcome", () => {
  it("reserves the part of the balance that it takes", async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    try {
      await story.plan("basic", 1000);
      await story.plan("pro", 3000);
      await story.plan("five-seats", 1000, { group: "seats" });
      await story.plan("ten-seats", 4000, { group: "seats" });
      const plan = await story.buy(
        { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
        CARDS.pays,
      );
      const seats = await story.buy({ productKey: "five-seats", externalCustomerId: "ada" }, CARDS.pays);
      await story.travel("2025-06-16"); // half of 30 days
      await story.change(plan.id, { productKey: "basic" });
      expect(await story.balance(plan.customerId)).toBe(1000);
      await story.newCard(plan.customerId, CARDS.answerLost);
      await story.statement();

      const upgrade = (id: string, productKey: string) =>
        story.app.api("PATCH", `/subscriptions/${id}`, { productKey });
      expect(await upgrade(seats.id, "ten-seats")).toMatchObject({ status: 503 });
      expect(await upgrade(plan.id, "pro")).toMatchObject({ status: 503 });
      expect(await story.statement()).toEqual([]);
      await story.settle();
      const heads = (await story.statement()).filter((line) => !line.startsWith(" "));
      // Either change may be settled first.
      expect(heads.map((line) => line.slice(5)).sort()).toEqual([
        "product_change paid 1000",
        "product_change paid 1500 (balance 1000)",
      ]);
      expect(await story.balance(plan.customerId)).toBe(0);
      expect((await story.books()).captured).toEqual([500, 1000, 1000, 3000]);
      expect(await story.audit()).toEqual([]);
    } finally {
      await story.close();
    }
  });
});

describe("in real time, without waiting for the provider", () => {
  let story: Story;
  beforeAll(async () => {
    story = await startStory({});
    await story.plan("pro", 3000);
    await story.plan("max", 9000);
  });
  afterAll(() => story.close());

  async function buyPro(email: string): Promise<string> {
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer: { email } }));
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.answerLost }));
    await story.settle();
    await story.statement();
    return (await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`))).subscriptionId;
  }
  const heads = async () => (await story.statement()).filter((entry) => !entry.startsWith(" "));

  it("a renewal leaves an open invoice, beside which only `next_period` is possible (rule P5)", async () => {
    const id = await buyPro("ada@example.com");
    await story.endPeriod(id);
    await story.app.runDue();
    const upgrade = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" });
    expect(upgrade).toMatchObject({ status: 409, body: { code: "invoice_open" } });
    const scheduled = await story.change(id, { productKey: "max", prorationBehavior: "next_period" });
    expect(scheduled).toMatchObject({ status: "active", pendingChange: { amount: 9000 } });
    expect(await heads()).toEqual(["0002 renewal open 3000"]);
    await story.settle();
    expect(await heads()).toEqual(["0002 renewal paid 3000"]);
  });

  it("a renewal waits for the change that is being paid, and then runs as of its own instant (rule P1)", async () => {
    const id = await buyPro("grace@example.com");
    expect((await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" })).status).toBe(503);
    await story.endPeriod(id);
    await story.news();
    await story.app.runDue();
    expect(await story.news()).toEqual([]);
    const { currentPeriodEnd } = await story.subscription(id);
    await story.settle();
    await story.settle();
    expect(await story.subscription(id)).toMatchObject({ amount: 9000, currentPeriodStart: currentPeriodEnd });
    expect(await heads()).toEqual(["0002 product_change paid 6000", "0003 renewal paid 9000"]);
  });

  it("an end leaves its invoice open until the outcome; money then goes whole to the balance (rule S5)", async () => {
    const id = await buyPro("joan@example.com");
    const { customerId } = await story.subscription(id);
    await story.endPeriod(id);
    await story.app.runDue();
    await story.news();
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
    expect(await story.news()).toEqual(["subscription.canceled"]);
    expect(await heads()).toEqual(["0002 renewal open 3000"]);
    await story.settle();
    expect(await story.news()).toEqual(["payment.succeeded", "invoice.voided"]);
    expect(await heads()).toEqual(["0002 renewal void 3000"]);
    expect(await story.balance(customerId)).toBe(3000);
    expect(await story.audit()).toEqual([]);
  });
});
