import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The example of rule S9 in docs/rules.md, and the things that are planned for the end of a trial. */
let story: Story;
let id: string;
const lengthen = (to: string, of = id) =>
  story.ok(story.app.manage("POST", `/subscriptions/${of}/trial`, { trialEnd: `${to}T09:00:00Z` }));

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const sso = await story.ok(story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
  await story.plan("pro", 3000, { trialDays: 14, benefitIds: [sso.id] });
  await story.plan("team", 6000);
  const customer = { email: "ada@example.com", externalId: "ada" };
  ({ id } = await story.buy({ productKey: "pro", customer }, CARDS.pays));
  await story.news();
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("a trial that is lengthened (rule S9)", () => {
  it("9 March: the planned end moves along", async () => {
    await story.travel("2026-03-05");
    await story.change(id, { cancelAtPeriodEnd: true });
    await story.travel("2026-03-09");
    const end = "2026-03-29T09:00:00.000Z";
    expect(await lengthen("2026-03-29")).toMatchObject({ cancelAt: end, trialEnd: end, currentPeriodEnd: end });
    expect(await story.news()).toEqual(["subscription.cancellation_scheduled", "subscription.updated"]);
  });

  it("15 March: the trial goes on, with its access", async () => {
    await story.travel("2026-03-20");
    expect(await story.news()).toEqual([]);
    expect(await story.statement()).toEqual([]);
    expect(await story.access("ada")).toEqual(["SSO"]);
    await story.change(id, { cancelAtPeriodEnd: false });
    expect(await story.news()).toEqual(["subscription.cancellation_undone"]);
  });

  it("26 March: the notice of the new end comes", async () => {
    await story.travel("2026-03-26");
    expect(await story.newsAndNotices()).toEqual(["subscription.trial_ending"]);
  });

  it("27 March: after another request the notice comes again, and a pending change moves along", async () => {
    await story.travel("2026-03-27");
    await story.change(id, { productKey: "team", prorationBehavior: "next_period" });
    const { pendingChange } = await lengthen("2026-04-10");
    expect(pendingChange).toMatchObject({ amount: 6000, effectiveAt: "2026-04-10T09:00:00.000Z" });
    await story.news();
    await story.travel("2026-04-08");
    expect(await story.newsAndNotices()).toEqual(["subscription.trial_ending"]);
  });

  it("10 April: the first paid period begins at the new end", async () => {
    await story.travel("2026-04-10");
    expect(await story.statement()).toEqual(["0001 renewal paid 6000", "     team 6000 2026-04-10 → 2026-05-10"]);
    expect(await story.news()).toEqual([
      "subscription.activated",
      "invoice.created",
      "benefit_grant.revoked",
      "payment.succeeded",
      "invoice.paid",
    ]);
    await story.travel("2026-05-10");
    expect(await story.statement()).toEqual(["0002 renewal paid 6000", "     team 6000 2026-05-10 → 2026-06-10"]);
    await story.news();
  });

  it("a trial without a card ends at the new end", async () => {
    const ben = { email: "ben@example.com", externalId: "ben" };
    const { id: customerId } = await story.ok(story.app.api("POST", "/customers", ben));
    const body = { productKey: "pro", customerId, trialEnd: "2026-05-20T09:00:00Z" };
    const made = await story.ok(story.app.manage("POST", "/subscriptions", body));
    await lengthen("2026-05-25", made.id);
    await story.news();
    await story.travel("2026-05-22");
    expect(await story.access("ben")).toEqual(["SSO"]);
    await story.travel("2026-05-25");
    expect(await story.access("ben")).toEqual([]);
    expect(await story.news()).toEqual(["subscription.canceled", "benefit_grant.revoked"]);
  });
});
