import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Dates mean 9:00, so dates are whole days apart. */
describe("Subscriptions that no Checkout sold", () => {
  let story: Story;
  const make = (name: string, body: object) =>
    story.ok(story.app.manage("POST", "/subscriptions", { externalCustomerId: name, productKey: "ten", ...body }));
  const refused = async (body: object) => {
    const { status, body: problem } = await story.app.manage("POST", "/subscriptions", body);
    return [status, problem.errors?.[0]?.pointer ?? problem.code, problem.errors?.[0]?.code].filter(Boolean);
  };
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-15T09:00:00Z" });
    const sso = { type: "feature", key: "sso", name: "sso", properties: { value: true } };
    const { id } = await story.ok(story.app.manage("POST", "/benefits", sso));
    await story.plan("ten", 1000, { benefitIds: [id] });
    await story.plan("thirty", 3000);
    for (const name of ["gift", "sold", "owes", "moved", "tries"]) {
      await story.ok(story.app.api("POST", "/customers", { email: `${name}@example.com`, externalId: name }));
    }
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-06-15: a complimentary one costs nothing, ever", async () => {
    const gift = await make("gift", { amount: 0 });
    expect(gift).toMatchObject({
      status: "active",
      amount: 0,
      checkoutId: null,
      currentPeriodEnd: "2025-07-15T09:00:00.000Z",
    });
    expect(await story.news()).toEqual([
      "subscription.created",
      "benefit_grant.granted",
      "invoice.created",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0001 renewal paid 0", "     ten 0 2025-06-15 → 2025-07-15"]);
    expect(await story.access("gift")).toEqual(["sso"]);
  });

  it("2025-06-15: one sold by hand is charged to the card on file", async () => {
    const { data } = await story.ok(story.app.manage("GET", "/customers?externalId=sold"));
    await story.newCard(data[0].id, CARDS.pays);
    const sold = await make("sold", { amount: 1500, metadata: { deal: 7 } });
    await story.settle();
    expect(await story.statement()).toEqual(["0001 renewal paid 1500", "     ten 1500 2025-06-15 → 2025-07-15"]);
    expect(await story.news()).toEqual([
      "subscription.created",
      "benefit_grant.granted",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await refused({ externalCustomerId: "sold", productKey: "thirty" })).toEqual([409, "already_subscribed"]);
    expect(sold).toMatchObject({ metadata: { deal: 7 }, amount: 1500 });
  });

  it("2025-06-15: without a card it is owed, with grace, until somebody marks it paid", async () => {
    const owes = await make("owes", {});
    expect(owes).toMatchObject({ status: "past_due" });
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${owes.id}`));
    await story.ok(story.app.manage("POST", `/invoices/${data[0].id}/mark-paid`, { reason: "Bank transfer 12" }));
    expect(await story.subscription(owes.id)).toMatchObject({ status: "active" });
    await story.news();
    await story.statement();
  });

  it("2025-06-15: one that began elsewhere is billed from its next period on, on its own day", async () => {
    const moved = await make("moved", { startedAt: "2024-01-31T00:00:00Z" });
    expect(moved).toMatchObject({
      status: "active",
      startedAt: "2024-01-31T00:00:00.000Z",
      currentPeriodStart: "2025-05-31T00:00:00.000Z",
      currentPeriodEnd: "2025-06-30T00:00:00.000Z",
    });
    expect(await story.statement()).toEqual([]);
    const { data } = await story.ok(story.app.manage("GET", "/customers?externalId=moved"));
    await story.newCard(data[0].id, CARDS.pays);
    await story.travel("2025-07-01T00:00:00Z");
    expect(await story.statement()).toEqual(["0001 renewal paid 1000", "     ten 1000 2025-06-30 → 2025-07-31"]);
  });

  it("2025-07-01: a trial that began elsewhere goes on here", async () => {
    const tries = await make("tries", { startedAt: "2025-06-20T00:00:00Z", trialEnd: "2025-07-04T00:00:00Z" });
    expect(tries).toMatchObject({
      status: "trialing",
      trialStart: "2025-06-20T00:00:00.000Z",
      trialEnd: "2025-07-04T00:00:00.000Z",
    });
    await story.travel("2025-07-05");
    expect(await story.subscription(tries.id)).toMatchObject({
      status: "canceled",
      cancellationReason: "payment_failed",
    });
  });

  it("names the fault of a body", async () => {
    const named = { externalCustomerId: "tries", productKey: "ten" };
    expect(await refused({ productKey: "ten" })).toEqual([422, "/customerId", "one_customer"]);
    expect(await refused({ externalCustomerId: "nobody", productKey: "ten" })).toEqual([
      422,
      "/externalCustomerId",
      "unknown_customer",
    ]);
    expect(await refused({ ...named, productKey: "none" })).toEqual([422, "/productKey", "unknown_product"]);
    expect(await refused({ ...named, amount: 20 })).toEqual([422, "/amount", "below_minimum"]);
    expect(await refused({ ...named, startedAt: "2025-08-01T00:00:00Z" })).toEqual([
      422,
      "/startedAt",
      "in_the_future",
    ]);
    expect(await refused({ ...named, anchorAt: "2025-01-01T00:00:00Z" })).toEqual([422, "/anchorAt", "start_required"]);
    expect(await refused({ ...named, trialEnd: "2025-01-01T00:00:00Z" })).toEqual([422, "/trialEnd", "in_the_past"]);
    expect(await refused({ ...named, trialEnd: "9900-01-01T00:00:00.001Z" })).toEqual([
      422,
      "/trialEnd",
      "out_of_range",
    ]);
    expect(await story.audit()).toEqual([]);
  });
});
