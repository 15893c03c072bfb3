import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStory, type Story } from "../support/story.ts";

const PAYS = "4242424242424242";
const FAILS_LATER = "4000000000000341";

/** From sign-up to a year later: a trial, an upgrade, a downgrade, a change of mind, a bad card, a switch to years. */
describe("a Customer's first year", () => {
  let story: Story;
  let subscription: string;
  let customer: string;
  const product = async (body: object) => story.ok(story.app.manage("POST", "/products", body));
  const change = async (body: object) => story.ok(story.app.api("PATCH", `/subscriptions/${subscription}`, body));
  const read = async () => story.ok(story.app.api("GET", `/subscriptions/${subscription}`));

  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-15T09:00:00Z" });
    const benefit = async (body: object) => (await story.ok(story.app.manage("POST", "/benefits", body))).id as string;
    const sso = await benefit({ key: "sso", type: "feature", name: "SSO" });
    const seats = await benefit({ key: "seats", type: "feature", name: "Seats", properties: { value: 50 } });
    const licence = await benefit({ key: "licence", type: "license_key", name: "Licence" });
    const monthly = { interval: "month", intervalCount: 1 };
    await product({
      key: "starter",
      name: "Starter",
      ...monthly,
      prices: [{ currency: "usd", amount: 1000 }],
      benefitIds: [licence],
    });
    await product({
      key: "pro",
      name: "Pro",
      ...monthly,
      trialDays: 14,
      prices: [{ currency: "usd", amount: 3000 }],
      benefitIds: [sso, licence],
    });
    await product({
      key: "scale",
      name: "Scale",
      ...monthly,
      prices: [{ currency: "usd", amount: 10_000 }],
      benefitIds: [sso, seats, licence],
    });
    await product({
      key: "scale-yearly",
      name: "Scale, yearly",
      interval: "year",
      prices: [{ currency: "usd", amount: 100_000 }],
      benefitIds: [sso, seats, licence],
    });
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-01-15: signs up for Pro; the trial grants at once and charges nothing", async () => {
    const bought = await story.buy(
      { productKey: "pro", customer: { email: "ada@example.com", externalId: "workspace-1" } },
      PAYS,
    );
    subscription = bought.id;
    customer = bought.customerId;
    expect(bought).toMatchObject({
      status: "trialing",
      trialEnd: "2025-01-29T09:00:00.000Z",
      currentPeriodEnd: "2025-01-29T09:00:00.000Z",
    });
    expect(await story.news()).toEqual([
      "customer.created",
      "checkout.created",
      "subscription.created",
      "benefit_grant.granted",
      "benefit_grant.granted",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual([]);
    expect(await story.access("workspace-1")).toEqual(["Licence", "SSO"]);
  });

  it("2025-01-29: the trial ends and the first month is paid", async () => {
    await story.travel("2025-01-29");
    expect(await story.news()).toEqual([
      "subscription.activated",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0001 renewal paid 3000", "     Pro 3000 2025-01-29 → 2025-02-28"]);
  });

  it("2025-02-13: upgrades to Scale; half of the month is credited and billed anew, as the preview said", async () => {
    await story.travel("2025-02-13");
    const preview = await story.ok(
      story.app.manage("POST", `/subscriptions/${subscription}/preview`, { productKey: "scale" }),
    );
    expect(preview).toMatchObject({
      chargeAmount: 3500,
      balanceChange: 0,
      nextInvoice: { date: "2025-02-28T09:00:00.000Z", totalAmount: 10_000 },
    });
    expect(await story.news()).toEqual([]);
    expect(await change({ productKey: "scale" })).toMatchObject({
      status: "active",
      amount: 10_000,
      currentPeriodEnd: "2025-02-28T09:00:00.000Z",
    });
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "benefit_grant.granted",
    ]);
    expect(await story.statement()).toEqual([
      "0002 product_change paid 3500",
      "     Pro, unused rest of the period -1500 2025-02-13 → 2025-02-28",
      "     Scale, rest of the period 5000 2025-02-13 → 2025-02-28",
    ]);
    expect(await story.access("workspace-1")).toEqual(["Licence", "SSO", "Seats"]);
  });

  it("2025-03-05: schedules a downgrade to Starter, which waits for the period's end", async () => {
    await story.travel("2025-03-05");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0003 renewal paid 10000", "     Scale 10000 2025-02-28 → 2025-03-29"]);
    const scheduled = await change({ productKey: "starter", prorationBehavior: "next_period" });
    expect(scheduled.pendingChange).toMatchObject({ amount: 1000, effectiveAt: "2025-03-29T09:00:00.000Z" });
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("2025-03-29: renews as Starter, on the 29th again though February had none", async () => {
    await story.travel("2025-03-29");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "benefit_grant.revoked",
      "benefit_grant.revoked",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0004 renewal paid 1000", "     Starter 1000 2025-03-29 → 2025-04-29"]);
    expect(await story.access("workspace-1")).toEqual(["Licence"]);
  });

  it("2025-04-10: cancels for the period's end, and thinks better of it two days later", async () => {
    await story.travel("2025-04-10");
    const canceled = await change({
      cancelAtPeriodEnd: true,
      cancellationReason: "too_expensive",
      cancellationComment: "For now.",
    });
    expect(canceled).toMatchObject({
      status: "active",
      cancelAt: "2025-04-29T09:00:00.000Z",
      canceledAt: "2025-04-10T09:00:00.000Z",
    });
    expect(await story.access("workspace-1")).toEqual(["Licence"]);
    await story.travel("2025-04-12");
    expect(await change({ cancelAtPeriodEnd: false })).toMatchObject({
      cancelAt: null,
      canceledAt: null,
      cancellationReason: null,
    });
    expect(await story.news()).toEqual(["subscription.cancellation_scheduled", "subscription.cancellation_undone"]);
    expect(await story.statement()).toEqual([]);
  });

  it("2025-05-29: the new card is declined at the renewal; access stays for the grace", async () => {
    await story.travel("2025-05-10");
    expect(await story.statement()).toEqual(["0005 renewal paid 1000", "     Starter 1000 2025-04-29 → 2025-05-29"]);
    await story.ok(story.app.manage("POST", `/sandbox/customers/${customer}/card`, { card: FAILS_LATER }));
    await story.news();
    await story.travel("2025-05-29");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.failed",
      "invoice.payment_failed",
      "subscription.past_due",
    ]);
    expect(await story.statement()).toEqual(["0006 renewal open 1000", "     Starter 1000 2025-05-29 → 2025-06-29"]);
    expect(await read()).toMatchObject({ status: "past_due", currentPeriodEnd: "2025-06-29T09:00:00.000Z" });
    expect(await story.access("workspace-1")).toEqual(["Licence"]);
  });

  it("2025-06-05: two retries have failed and the grace of a week is over", async () => {
    await story.travel("2025-06-05");
    expect(await story.news()).toEqual([
      "payment.failed",
      "invoice.payment_failed",
      "payment.failed",
      "invoice.payment_failed",
      "benefit_grant.revoked",
    ]);
    expect(await story.access("workspace-1")).toEqual([]);
    expect((await story.app.api("PATCH", `/subscriptions/${subscription}`, { productKey: "scale" })).body.code).toBe(
      "subscription_past_due",
    );
  });

  it("2025-06-07: another card pays at once, and the revoked grant comes back", async () => {
    await story.travel("2025-06-07");
    await story.ok(story.app.manage("POST", `/sandbox/customers/${customer}/card`, { card: PAYS }));
    await story.app.runDue();
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "invoice.paid",
      "subscription.recovered",
      "benefit_grant.granted",
    ]);
    expect(await story.statement()).toEqual(["0006 renewal paid 1000"]);
    expect(await read()).toMatchObject({ status: "active" });
    expect(await story.access("workspace-1")).toEqual(["Licence"]);
  });

  it("2025-07-14: goes over to years; the month is credited and the year begins now", async () => {
    await story.travel("2025-07-14");
    expect(await story.statement()).toEqual(["0007 renewal paid 1000", "     Starter 1000 2025-06-29 → 2025-07-29"]);
    await story.news();
    const yearly = await change({ productKey: "scale-yearly", prorationBehavior: "invoice_now" });
    expect(yearly).toMatchObject({
      amount: 100_000,
      currentPeriodStart: "2025-07-14T09:00:00.000Z",
      currentPeriodEnd: "2026-07-14T09:00:00.000Z",
    });
    expect(await story.statement()).toEqual([
      "0008 product_change paid 99500",
      "     Starter, unused rest of the period -500 2025-07-14 → 2025-07-29",
      "     Scale, yearly 100000 2025-07-14 → 2026-07-14",
    ]);
  });

  it("2026-01-15: a year later everything is paid, and the provider's book says the same", async () => {
    await story.news();
    await story.travel("2026-01-15");
    expect(await story.news()).toEqual([]);
    expect(await story.access("workspace-1")).toEqual(["Licence", "SSO", "Seats"]);
    const { paid, captured } = await story.books();
    expect(captured).toEqual([1000, 1000, 1000, 1000, 3000, 3500, 10_000, 99_500]);
    expect(paid).toEqual(captured);
  });
});
