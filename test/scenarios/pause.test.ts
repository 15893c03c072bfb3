import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines, keepsSilent } from "../support/bank.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const PAID = ["payment.succeeded", "invoice.paid"];
const FAILED = ["payment.failed", "invoice.payment_failed"];

let story: Story;
let id: string;
let customerId: string;

/** Ada buys Pro at 30.00 a month on 1 June. Pro and Team have the Benefit SSO. */
function tell(more: object = {}, card: string = CARDS.pays) {
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const sso = await story.ok(story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
    await story.plan("pro", 3000, { benefitIds: [sso.id], ...more });
    await story.plan("team", 6000, { benefitIds: [sso.id] });
    const customer = { email: "ada@example.com", externalId: "ada" };
    ({ id, customerId } = await story.buy({ productKey: "pro", customer }, card));
    await story.news();
    await story.statement();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
    await story.close();
  });
}

const pause = (body: object): Promise<Json> => story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, body));
async function resume(): Promise<Json> {
  const resumed = await story.ok(story.app.manage("POST", `/subscriptions/${id}/resume`));
  await story.settle();
  return resumed;
}
const refusal = async (method: "POST" | "PATCH", path: string, body: object) => {
  const call = method === "PATCH" ? story.app.api : story.app.manage;
  const answer = await call(method, `/subscriptions/${id}${path}`, body);
  return [answer.status, answer.body.code];
};
const MONTHS = { access: "revoke", resumesAt: "2025-09-15T09:00:00Z" };

describe("the example of rule S8", () => {
  tell();

  it("10 June: the pause is scheduled, and the access stays", async () => {
    await story.travel("2025-06-10");
    const paused = await pause(MONTHS);
    const shown = { startsAt: "2025-07-01T09:00:00.000Z", resumesAt: "2025-09-15T09:00:00.000Z", access: "revoke" };
    expect(paused).toMatchObject({ status: "active", pause: shown });
    expect(await pause(MONTHS)).toEqual(paused);
    expect(await story.news()).toEqual(["subscription.updated"]);
    expect(await story.access("ada")).toEqual(["SSO"]);
    const preview = await story.app.manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: false });
    expect(preview.body.nextInvoice).toMatchObject({ date: "2025-09-15T09:00:00.000Z", totalAmount: 3000 });
  });

  it("12 June: a cancellation and a change at once wait for the pause to be undone", async () => {
    await story.travel("2025-06-12");
    expect(await refusal("PATCH", "", { cancelAtPeriodEnd: true })).toEqual([409, "subscription_pause_scheduled"]);
    expect(await refusal("PATCH", "", { productKey: "team" })).toEqual([409, "subscription_pause_scheduled"]);
    expect(await story.news()).toEqual([]);
  });

  it("1 July: the pause begins in place of the renewal", async () => {
    await story.travel("2025-07-02");
    expect(await story.newsAndNotices()).toEqual(["subscription.paused", "benefit_grant.revoked"]);
    expect(await story.subscription(id)).toMatchObject({
      status: "paused",
      currentPeriodEnd: "2025-07-01T09:00:00.000Z",
    });
    expect(await story.statement()).toEqual([]);
    expect(await story.access("ada")).toEqual([]);
  });

  it("20 July: a change waits with `next_period`, and is refused at once", async () => {
    await story.travel("2025-07-20");
    const team = { productKey: "team" };
    expect(await refusal("PATCH", "", team)).toEqual([409, "subscription_paused"]);
    expect(await refusal("POST", "/pause", { access: "revoke", resumesAt: "2025-07-20T09:00:00Z" })).toEqual([
      422,
      "validation_failed",
    ]);
    const { pendingChange } = await story.change(id, { ...team, prorationBehavior: "next_period" });
    expect(pendingChange).toMatchObject({ amount: 6000, effectiveAt: "2025-09-15T09:00:00.000Z" });
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("12 September: a notice announces the resume", async () => {
    await story.travel("2025-09-13");
    expect(await story.newsAndNotices()).toEqual(["subscription.resume_upcoming"]);
  });

  it("15 September: Team begins with a new anchor, and the grants come back with the payment", async () => {
    await story.travel("2025-09-15");
    await story.settle();
    expect(await story.news()).toEqual(["subscription.resumed", "invoice.created", ...PAID, "benefit_grant.granted"]);
    expect(await story.statement()).toEqual(["0002 renewal paid 6000", "     team 6000 2025-09-15 → 2025-10-15"]);
    expect(await story.subscription(id)).toMatchObject({ status: "active", pause: null, pendingChange: null });
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`));
    expect(data[0]).toMatchObject({ restarted: true, reason: "renewal" });
    expect(await story.access("ada")).toEqual(["SSO"]);
  });

  it("15 October: the next period follows without a gap", async () => {
    await story.travel("2025-10-16");
    expect(await story.statement()).toEqual(["0003 renewal paid 6000", "     team 6000 2025-10-15 → 2025-11-15"]);
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", ...PAID]);
  });

  it("the timeline tells the pause in words", async () => {
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline?limit=100`));
    const texts = data.map(({ text }: Json) => text);
    for (const text of [
      "A pause from 1 July 2025, until 15 September 2025, without access, was planned.",
      "The Subscription is paused until 15 September 2025, without access.",
      "SSO: revoked, because the Subscription is paused.",
      "Notice was given that the Subscription resumes on 15 September 2025.",
      "The pause is over. A new period is from 15 September 2025 to 15 October 2025.",
      "SSO: granted, because the pause of the Subscription is over.",
    ])
      expect(texts).toContain(text);
  });
});

describe("a resume that the bank declines", () => {
  tell();

  it("15 September: the access never comes back, and retries follow from the 18th", async () => {
    await pause(MONTHS);
    await story.travel("2025-09-14");
    await story.news();
    const bank = bankOf(story.app);
    bank.says(declines("card_declined"));
    await story.travel("2025-09-16");
    expect(await story.news()).toEqual(["subscription.resumed", "invoice.created", ...FAILED, "subscription.past_due"]);
    bank.says(null);
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`));
    expect(data[0]).toMatchObject({ status: "open", nextAttemptAt: "2025-09-18T09:00:00.000Z" });
    expect(await story.access("ada")).toEqual([]);
  });

  it("18 September: the retry pays, and the access is back for the rest of the period", async () => {
    await story.travel("2025-09-19");
    expect(await story.news()).toEqual([...PAID, "subscription.recovered", "benefit_grant.granted"]);
    expect(await story.subscription(id)).toMatchObject({
      status: "active",
      currentPeriodEnd: "2025-10-15T09:00:00.000Z",
    });
    expect(await story.access("ada")).toEqual(["SSO"]);
  });
});

describe("a pause that is undone, and one that ends early", () => {
  tell();

  it("11 June: `resume` undoes the pause without a charge, and a repeat has no effect", async () => {
    await story.travel("2025-06-10");
    await pause({ access: "revoke" });
    await story.travel("2025-06-11");
    expect(await resume()).toMatchObject({ status: "active", pause: null });
    await resume();
    expect(await story.news()).toEqual(["subscription.updated", "subscription.updated"]);
    await story.travel("2025-07-02");
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2025-07-01 → 2025-08-01"]);
  });

  it("10 August: `resume` before `resumesAt` begins a period at once", async () => {
    await pause({ access: "keep", resumesAt: "2025-12-01T00:00:00Z" });
    await story.travel("2025-08-10");
    await story.news();
    expect(await story.access("ada")).toEqual(["SSO"]);
    const resumed = await resume();
    expect(resumed).toMatchObject({ status: "active", currentPeriodStart: "2025-08-10T09:00:00.000Z" });
    expect(await story.news()).toEqual(["subscription.resumed", "invoice.created", ...PAID]);
    expect(await story.statement()).toEqual(["0003 renewal paid 3000", "     pro 3000 2025-08-10 → 2025-09-10"]);
  });

  it("20 August: the pause is changed after its begin, and the access follows", async () => {
    await pause({ access: "keep" });
    await story.travel("2025-09-11");
    await pause({ access: "revoke", resumesAt: "2025-09-20T09:00:00Z" });
    expect(await story.news()).toEqual([
      "subscription.updated",
      "subscription.paused",
      "subscription.updated",
      "benefit_grant.revoked",
    ]);
    await pause({ access: "keep" });
    expect(await story.news()).toEqual(["subscription.updated", "benefit_grant.granted"]);
  });

  it("a request to cancel at the period's end ends the paused Subscription at once", async () => {
    expect(await story.change(id, { cancelAtPeriodEnd: false })).toMatchObject({ status: "paused" });
    expect(await story.change(id, { cancelAtPeriodEnd: true })).toMatchObject({ status: "canceled", pause: null });
    expect(await story.news()).toEqual([
      "subscription.cancellation_scheduled",
      "subscription.canceled",
      "benefit_grant.revoked",
    ]);
    expect(await refusal("POST", "/resume", {})).toEqual([409, "subscription_canceled"]);
    expect(await refusal("POST", "/pause", { access: "keep" })).toEqual([409, "subscription_canceled"]);
  });
});

describe("a resume with a charge of which the outcome is unknown at first", () => {
  tell();

  it("has no access until the outcome is known", async () => {
    await pause({ access: "revoke" });
    await story.travel("2025-08-10");
    await story.news();
    const bank = bankOf(story.app);
    bank.says(keepsSilent);
    expect(await resume()).toMatchObject({ status: "active" });
    expect(await story.news()).toEqual(["subscription.resumed", "invoice.created"]);
    expect(await story.access("ada")).toEqual([]);
    expect(await refusal("POST", "/pause", { access: "keep" })).toEqual([409, "invoice_open"]);
    bank.says(null);
    await story.settle();
    expect(await story.news()).toEqual([...PAID, "benefit_grant.granted"]);
    expect(await story.access("ada")).toEqual(["SSO"]);
  });

  it("has access if the provider refuses this charge alone", async () => {
    await story.newCard(customerId, CARDS.refused);
    await pause({ access: "revoke" });
    await story.travel("2025-09-15");
    await story.news();
    await resume();
    expect(await story.news()).toEqual([
      "subscription.resumed",
      "invoice.created",
      "payment.failed",
      "invoice.held",
      "benefit_grant.granted",
    ]);
    expect(await story.access("ada")).toEqual(["SSO"]);
  });
});

describe("a pause after a trial", () => {
  tell({ trialDays: 14 });

  it("15 June: the trial ends with the pause", async () => {
    await pause({ access: "revoke", resumesAt: "2025-08-01T09:00:00Z" });
    await story.travel("2025-06-16");
    expect(await story.news()).toEqual(["subscription.updated", "subscription.paused", "benefit_grant.revoked"]);
  });

  it("1 August: the first paid period begins", async () => {
    await story.travel("2025-08-02");
    expect(await story.news()).toEqual([
      "subscription.resume_upcoming",
      "subscription.resumed",
      "invoice.created",
      ...PAID,
      "benefit_grant.granted",
    ]);
    expect(await story.statement()).toEqual(["0001 renewal paid 3000", "     pro 3000 2025-08-01 → 2025-09-01"]);
  });
});

describe("a pause after a trial without a card", () => {
  tell();

  it("15 June: the Subscription goes on, and 1 August: without a card dunning begins", async () => {
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    const { id: benId } = await story.ok(
      story.app.api("POST", "/customers", { email: "ben@example.com", externalId: "ben" }),
    );
    const trial = { productKey: "pro", customerId: benId, trialEnd: "2025-06-15T09:00:00Z" };
    ({ id } = await story.ok(story.app.manage("POST", "/subscriptions", trial)));
    await pause({ access: "keep", resumesAt: "2025-08-01T09:00:00Z" });
    await story.travel("2025-07-31");
    expect(await story.subscription(id)).toMatchObject({ status: "paused" });
    expect(await story.access("ben")).toEqual(["SSO"]);
    await story.news();
    await story.travel("2025-08-02");
    expect(await story.news()).toEqual([
      "subscription.resumed",
      "invoice.created",
      "invoice.payment_failed",
      "subscription.past_due",
      "benefit_grant.revoked",
    ]);
    expect(await story.access("ben")).toEqual([]);
  });
});

describe("waiting lines, a refund and the end during a pause", () => {
  tell();

  it("1 July: the lines of a change wait for the resume", async () => {
    await story.travel("2025-06-16");
    await story.change(id, { productKey: "team", prorationBehavior: "next_invoice" });
    await pause({ access: "revoke" });
    await story.travel("2025-07-05");
    expect(await story.statement()).toEqual([]);
    await story.news();
    await resume();
    expect(await story.statement()).toEqual([
      "0002 renewal paid 7500",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     team, rest of the period 3000 2025-06-16 → 2025-07-01",
      "     team 6000 2025-07-05 → 2025-08-05",
    ]);
  });

  it("20 August: the last period is refunded, and `cancel-now` ends the paused Subscription", async () => {
    await pause({ access: "revoke" });
    await story.travel("2025-08-20");
    await story.news();
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`));
    await story.ok(story.app.manage("POST", `/invoices/${data[0].id}/refunds`, { to: "balance", amount: 1000 }));
    expect(await story.balance(customerId)).toBe(1000);
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded", "subscription.canceled"]);
  });
});
