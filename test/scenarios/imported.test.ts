import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdDiscount, newDiscount } from "../../src/domain/model/discount.ts";
import type { ImportedTerms } from "../../src/domain/import/imported-subscription.ts";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { hold, moveRow, nextTotal, refresh, release } from "../support/held.ts";
import { CARDS, ok, startStory, type Story } from "../support/story.ts";
import { at } from "../support/subscription.ts";

const PAID = ["invoice.created", "payment.succeeded", "invoice.paid"];
const RENEWED = ["subscription.renewed", ...PAID];

let story: Story;
let customerId: string;

async function customer(name: string): Promise<string> {
  const { id } = await ok(story.app.api("POST", "/customers", { email: `${name}@example.com`, externalId: name }));
  await story.newCard(id, CARDS.pays);
  return id;
}

beforeEach(async () => {
  story = await startStory({ clock: "2026-03-10T09:00:00Z" });
  const sso = await ok(story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
  await story.plan("pro", 3000, { benefitIds: [sso.id], quantity: { maximum: 100 } });
  customerId = await customer("ada");
  await story.news();
});
afterEach(async () => {
  expect(await story.audit()).toEqual([]);
  const { paid, captured } = await story.books();
  expect(paid).toEqual(captured);
  await story.close();
});

const held = (more: Partial<ImportedTerms> = {}) => hold(story.app, customerId, "pro", more);
const emailsStatement = sql("test.imported_emails", "SELECT kind FROM emails WHERE organization_id = $1 ORDER BY id");
const emails = async () =>
  (await story.app.ctx.db.read.query<{ kind: string }>(emailsStatement, [story.app.organization.id])).map(
    ({ kind }) => kind,
  );
const mrr = () => ok(story.app.manage("GET", "/metrics?from=2026-03-01&to=2026-03-10"));

describe("a Subscription that is imported in the middle of its month", () => {
  it("is held: it has access, and no work is due on it", async () => {
    const subscription = await held();
    expect(await story.newsAndNotices()).toEqual(["subscription.created", "benefit_grant.granted"]);
    const created = (await story.events()).find(({ type }) => type === "subscription.created")!;
    expect(created["data"]).toMatchObject({
      status: "active",
      amount: 2800,
      startedAt: "2025-11-20T00:00:00.000Z",
      currentPeriodStart: "2026-02-20T00:00:00.000Z",
      currentPeriodEnd: "2026-03-20T00:00:00.000Z",
      imported: { source: "stripe", reference: "sub_ada", held: true },
    });
    expect(await story.access("ada")).toEqual(["SSO"]);
    await story.travel("2026-06-01");
    expect(await story.newsAndNotices()).toEqual([]);
    expect(await story.statement()).toEqual([]);
    expect(await story.access("ada")).toEqual(["SSO"]);
    expect(await emails()).toEqual([]);
    expect(await nextTotal(story.app, subscription)).toMatchObject({ total: 2800 });
  });

  it("renews after its release, on the days of the other system", async () => {
    const subscription = await held();
    await story.news();
    await story.travel("2026-03-15");
    await moveRow(story.app, subscription, "stopping");
    await release(story.app, subscription);
    expect(await story.newsAndNotices()).toEqual(["subscription.updated"]);
    expect(await story.subscription(subscription.id)).toMatchObject({ imported: { held: false } });
    await story.travel("2026-03-21");
    expect(await story.newsAndNotices()).toEqual(RENEWED);
    expect(await story.statement()).toEqual(["0001 renewal paid 2800", "     pro 2800 2026-03-20 → 2026-04-20"]);
    await story.travel("2026-04-21");
    expect(await story.news()).toEqual(RENEWED);
    expect(await story.statement()).toEqual(["0002 renewal paid 2800", "     pro 2800 2026-04-20 → 2026-05-20"]);
  });

  it("is billed late, and once, for a period that began during the stop", async () => {
    const subscription = await held();
    await moveRow(story.app, subscription, "stopping");
    await story.travel("2026-03-22");
    await story.news();
    await release(story.app, subscription);
    await story.settle();
    expect(await story.newsAndNotices()).toEqual(["subscription.updated", ...RENEWED]);
    expect(await story.statement()).toEqual(["0001 renewal paid 2800", "     pro 2800 2026-03-20 → 2026-04-20"]);
    await story.travel("2026-04-21");
    expect(await story.statement()).toEqual(["0002 renewal paid 2800", "     pro 2800 2026-04-20 → 2026-05-20"]);
  });

  it("takes a later reading, and makes no event without a difference", async () => {
    const subscription = await held();
    await story.news();
    await refresh(story.app, subscription);
    expect(await story.newsAndNotices()).toEqual([]);
    await story.travel("2026-03-25");
    const april = { periodStart: at("2026-03-20"), periodEnd: at("2026-04-20") };
    await refresh(story.app, subscription, { ...april, quantity: 2 });
    expect(await story.newsAndNotices()).toEqual(["subscription.updated", "benefit_grant.updated"]);
    expect(await story.subscription(subscription.id)).toMatchObject({ quantity: 2, amount: 5600, unitAmount: 2800 });
    await release(story.app, subscription, { ...april, quantity: 2 });
    await story.travel("2026-04-21");
    expect(await story.statement()).toEqual([
      "0001 renewal paid 5600",
      "     pro, 2 × US$28.00 5600 2026-04-20 → 2026-05-20",
    ]);
  });
});

describe("an imported Subscription", () => {
  it("in a trial is billed first at the end of the trial", async () => {
    const trial = { periodStart: at("2026-03-05"), periodEnd: at("2026-03-19"), anchorAt: at("2026-03-19") };
    const terms = { ...trial, startedAt: at("2026-03-05"), trialEnd: at("2026-03-19") };
    const subscription = await held(terms);
    expect(await story.subscription(subscription.id)).toMatchObject({
      status: "trialing",
      trialStart: "2026-03-05T00:00:00.000Z",
      trialEnd: "2026-03-19T00:00:00.000Z",
    });
    await release(story.app, subscription, terms);
    await story.news();
    await story.travel("2026-03-20");
    expect(await story.newsAndNotices()).toEqual(["subscription.trial_ending", "subscription.activated", ...PAID]);
    expect(await story.statement()).toEqual(["0001 renewal paid 2800", "     pro 2800 2026-03-19 → 2026-04-19"]);
  });

  it("with a discount until 5 May has it for the periods that begin before, whole", async () => {
    const { id, organizationId } = await discount();
    const rest = {
      ...holdDiscount(newDiscountOf(organizationId, id)),
      startedAt: at("2026-02-05"),
      endsAt: at("2026-05-05"),
    };
    const subscription = await held({ discount: rest });
    expect(await nextTotal(story.app, subscription)).toMatchObject({ total: 2100, discount: 700 });
    await release(story.app, subscription, { discount: rest });
    await story.travel("2026-06-21");
    const found = await story.statement();
    expect(found.filter((line) => !line.startsWith(" "))).toEqual([
      "0001 renewal paid 2100",
      "0002 renewal paid 2100",
      "0003 renewal paid 2800",
      "0004 renewal paid 2800",
    ]);
  });

  it("with 7 units at a price of its own keeps the price in a round of new prices", async () => {
    const subscription = await held({ quantity: 7 });
    const { data } = await ok(story.app.manage("GET", "/products"));
    const round = await ok(story.app.manage("POST", `/products/${data[0].id}/price-changes`, { consent: "notice" }));
    await story.settle();
    const left = await ok(story.app.manage("GET", `/price-changes/${round.id}/subscriptions`));
    expect(left.data).toMatchObject([{ subscriptionId: subscription.id, status: "left_out", reason: "imported" }]);
    await release(story.app, subscription, { quantity: 7 });
    await story.travel("2026-03-21");
    expect(await story.statement()).toEqual([
      "0001 renewal paid 19600",
      "     pro, 7 × US$28.00 19600 2026-03-20 → 2026-04-20",
    ]);
  });

  it("with a planned end is over at that end, without an invoice", async () => {
    const terms = { cancelAt: at("2026-03-20") };
    const subscription = await held(terms);
    expect(await nextTotal(story.app, subscription)).toBeNull();
    await release(story.app, subscription, terms);
    await story.news();
    await story.travel("2026-03-21");
    expect(await story.newsAndNotices()).toEqual(["subscription.canceled", "benefit_grant.revoked"]);
    expect(await story.statement()).toEqual([]);
    expect(await story.access("ada")).toEqual([]);
  });

  it("with an end within its period is over then", async () => {
    const terms = { cancelAt: at("2026-03-15") };
    await release(story.app, await held(terms), terms);
    await story.news();
    await story.travel("2026-03-16");
    expect(await story.newsAndNotices()).toEqual(["subscription.canceled", "benefit_grant.revoked"]);
    expect(await story.statement()).toEqual([]);
  });

  it("gets the Benefits that its Product gains, also while it is held", async () => {
    await held();
    const { id } = await ok(story.app.manage("POST", "/benefits", { key: "beta", type: "feature", name: "Beta" }));
    const { data } = await ok(story.app.manage("GET", "/products"));
    const benefitIds = [...data[0].benefitIds, id];
    await ok(story.app.manage("PATCH", `/products/${data[0].id}`, { benefitIds }));
    await story.settle();
    expect(await story.access("ada")).toEqual(["Beta", "SSO"]);
  });

  it("counts in the MRR from the import on", async () => {
    await held();
    expect(JSON.stringify(await mrr())).toContain("2800");
  });
});

/** 25 % for 3 months, in the catalogue. */
async function discount(): Promise<Json> {
  const terms = { code: "SPRING", type: "percentage", basisPoints: 2500, duration: "repeating", months: 3 };
  const { id } = await ok(story.app.manage("POST", "/discounts", terms));
  return { id, organizationId: story.app.organization.id };
}

const newDiscountOf = (organizationId: string, id: string) => ({
  ...newDiscount(
    organizationId,
    {
      code: "SPRING",
      type: "percentage",
      basisPoints: 2500,
      amount: null,
      currency: null,
      duration: "repeating",
      months: 3,
      productIds: null,
      maxRedemptions: null,
      startsAt: null,
      endsAt: null,
    },
    at("2026-02-05"),
  ),
  id,
});
