import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines, keepsSilent, loses, type Bank } from "../support/bank.ts";
import { BANK_PAGE } from "../support/bank-page.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const FAILED = ["payment.failed", "invoice.payment_failed"];
const PAID = ["payment.succeeded", "invoice.paid"];
const RENEWED = ["subscription.renewed", "invoice.created"];

let story: Story;
let bank: Bank;
let id: string;
let customerId: string;

/** Ada buys SSO for 30.00 on 2025-01-10 at 09:00; `dunning` is the Organization's, `more` the Product's. */
async function begin(card: string, dunning: object | null = null, more: object = {}): Promise<void> {
  story = await startStory({ clock: "2025-01-10T09:00:00Z" });
  bank = bankOf(story.app);
  if (dunning) await story.ok(story.app.manage("PATCH", "/organization", { dunning }));
  const { id: sso } = await story.ok(
    story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
  );
  await story.plan("pro", 3000, { benefitIds: [sso], ...more });
  ({ id, customerId } = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
    card,
  ));
  await story.news();
}
afterEach(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const list = async (what: string): Promise<Json[]> => (await story.ok(story.app.manage("GET", what))).data;
const triggers = async () =>
  (await list("/payments")).map((payment) => `${payment.trigger} ${payment.status}`).reverse();
/** Advances once, because an outcome that stays unknown holds the clock. */
const tryToReach = (to: string) => story.app.manage("POST", "/sandbox/clock/advance", { to: `${to}T09:00:00Z` });

describe.each(["card_lost", "do_not_retry"] as const)("a card that the bank declines with %s", (code) => {
  it("is not charged again, while the schedule runs on to its end (rule D3e)", async () => {
    await begin(CARDS.pays);
    bank.says(declines(code));
    await story.travel("2025-02-10");
    const [payment, invoice] = FAILED;
    expect(await story.news()).toEqual([
      ...RENEWED,
      payment,
      "payment_method.detached",
      invoice,
      "subscription.past_due",
    ]);
    bank.says(null);
    const none = "invoice.payment_failed";
    await story.travel("2025-03-02");
    expect(await story.news()).toEqual([none, none, "benefit_grant.revoked", none]);
    await story.travel("2025-03-03");
    expect(await story.news()).toEqual([none, "subscription.canceled", "invoice.voided"]);
    expect(await triggers()).toEqual(["checkout succeeded", "renewal failed"]);
    expect((await story.books()).captured).toEqual([3000]);
  });

  it("is not charged by hand either; another one pays at once", async () => {
    await begin(CARDS.pays);
    bank.says(declines("card_declined"));
    await story.travel("2025-02-11");
    bank.says(declines("account_closed"));
    const [open] = await list("/invoices?status=open");
    const pay = () => story.app.manage("POST", `/invoices/${open.id}/pay`);
    expect(await pay()).toMatchObject({ status: 402, body: { code: "payment_failed", declineCode: "account_closed" } });
    bank.says(null);
    expect(await pay()).toMatchObject({ status: 402, body: { code: "payment_method_required", declineCode: null } });
    await story.news();
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect(await triggers()).toEqual(["checkout succeeded", "renewal failed", "manual failed", "new_card succeeded"]);
  });
});

describe("grace", () => {
  const active = () => list("/benefit-grants?status=active");

  it("of no days ends access with the first failure; the grant comes back as the same row (rules B2, D4)", async () => {
    await begin(CARDS.failsLater, { retryDays: [3], graceDays: 0 });
    const [before] = await active();
    await story.travel("2025-02-10");
    expect(await story.news()).toEqual([...RENEWED, ...FAILED, "subscription.past_due", "benefit_grant.revoked"]);
    expect(await story.access("ada")).toEqual([]);
    await story.travel("2025-02-11");
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered", "benefit_grant.granted"]);
    expect(await active()).toMatchObject([
      { id: before.id, grantedAt: "2025-02-11T09:00:00.000Z", reason: "payment_recovered" },
    ]);
  });

  it("that has not ended leaves the grants untouched by a recovery", async () => {
    await begin(CARDS.failsLater);
    const [before] = await active();
    await story.travel("2025-02-16");
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual([
      ...RENEWED,
      ...FAILED,
      "subscription.past_due",
      ...FAILED,
      ...PAID,
      "subscription.recovered",
    ]);
    expect(await active()).toMatchObject([{ id: before.id, grantedAt: before.grantedAt }]);
  });

  it("that is longer than the schedule ends with the Subscription", async () => {
    await begin(CARDS.failsLater, { retryDays: [2, 4], graceDays: 30 });
    await story.travel("2025-02-14T08:59:59.999Z");
    expect(await story.access("ada")).toEqual(["SSO"]);
    await story.news();
    await story.travel("2025-02-14");
    expect(await story.news()).toEqual([...FAILED, "subscription.canceled", "invoice.voided", "benefit_grant.revoked"]);
    expect(await story.access("ada")).toEqual([]);
  });
});

describe("the schedule", () => {
  it("is fixed at the first failure; a second dunning takes the settings of its own time (rule D3)", async () => {
    await begin(CARDS.failsLater, { retryDays: [2, 4], graceDays: 1 });
    await story.travel("2025-02-11T08:00:00Z");
    await story.ok(story.app.manage("PATCH", "/organization", { dunning: { retryDays: [1, 10], graceDays: 5 } }));
    const nextAttempts = async () =>
      (await list("/invoices?status=open")).map((invoice) => invoice.nextAttemptAt.slice(0, 10));
    expect(await nextAttempts()).toEqual(["2025-02-12"]);
    await story.travel("2025-02-12");
    expect(await nextAttempts()).toEqual(["2025-02-14"]);
    await story.newCard(customerId, CARDS.pays);
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel("2025-03-10");
    expect(await nextAttempts()).toEqual(["2025-03-11"]);
    const [grant] = await list("/benefit-grants?status=active");
    expect(grant.expiresAt).toBe("2025-03-15T09:00:00.000Z");
    await story.travel("2025-03-12");
    expect(await nextAttempts()).toEqual(["2025-03-20"]);
  });

  it("pays the open invoices at one retry, oldest first", async () => {
    await begin(CARDS.pays, { retryDays: [10], graceDays: 20 }, { interval: "week" });
    bank.says(declines("processing_error"));
    await story.travel("2025-01-26");
    bank.says(null);
    const open = (await list("/invoices?status=open")).map((invoice) => invoice.id).reverse();
    expect(open).toHaveLength(2);
    await story.news();
    await story.travel("2025-01-27");
    expect(await story.news()).toEqual([...PAID, ...PAID, "subscription.recovered"]);
    const paid = (await list("/payments?trigger=retry")).map((payment) => payment.invoiceId).reverse();
    expect(paid).toEqual(open);
  });
});

describe("a new card", () => {
  it("that comes with another purchase is tried at once, too (rule D3)", async () => {
    await begin(CARDS.failsLater);
    await story.plan("seats", 500, { group: "seats" });
    await story.travel("2025-02-11");
    await story.news();
    await story.buy({ productKey: "seats", customerId }, CARDS.pays);
    await story.settle();
    const recorded = await story.news();
    expect(recorded.slice(recorded.indexOf("checkout.completed") + 1)).toEqual([...PAID, "subscription.recovered"]);
    expect(await triggers()).toEqual([
      "checkout succeeded",
      "renewal failed",
      "checkout succeeded",
      "new_card succeeded",
    ]);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
  });

  it("that comes with a stranger's purchase is not: they may not be that Customer (rule C)", async () => {
    await begin(CARDS.failsLater);
    await story.plan("seats", 500, { group: "seats" });
    await story.travel("2025-02-11");
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "seats" }));
    await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays, email: "ada@example.com" }),
    );
    await story.settle();
    expect(await triggers()).toEqual(["checkout succeeded", "renewal failed", "checkout succeeded"]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
  });

  it("pays while the outcome of a retry is unknown; the lost request is refused for good", async () => {
    await begin(CARDS.pays);
    bank.says(declines("card_declined"));
    await story.travel("2025-02-12");
    bank.says(loses);
    expect((await tryToReach("2025-02-13")).status).toBe(202);
    expect(await triggers()).toEqual(["checkout succeeded", "renewal failed", "retry unknown"]);
    await story.news();
    bank.says(null);
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual(["payment.failed", ...PAID, "subscription.recovered"]);
    expect(await triggers()).toEqual(["checkout succeeded", "renewal failed", "retry failed", "retry succeeded"]);
    await story.travel("2025-02-14");
    expect((await story.books()).captured).toEqual([3000, 3000]);
  });

  it("is not charged where a retry with an unknown outcome had been paid", async () => {
    await begin(CARDS.pays);
    bank.says(declines("card_declined"));
    await story.travel("2025-02-12");
    bank.says(keepsSilent);
    expect((await tryToReach("2025-02-13")).status).toBe(202);
    await story.news();
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect(await triggers()).toEqual(["checkout succeeded", "renewal failed", "retry succeeded"]);
    bank.says(null);
    await story.travel("2025-02-14");
    expect((await story.books()).captured).toEqual([3000, 3000]);
  });
});

describe("a challenge that was passed, without news of it yet", () => {
  it("pays its invoice when a retry gives it up, and the retry goes on with the next one", async () => {
    await begin(CARDS.pays, { retryDays: [10, 20], graceDays: 30 }, { interval: "week" });
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2025-01-26");
    const [, older] = await list("/invoices?status=open");
    await story.passAtBank();
    bank.says({ ...declines("insufficient_funds"), silent: true });
    await story.news();
    await story.travel("2025-01-27");
    expect(await story.news()).toEqual([...PAID, ...FAILED]);
    const [rest] = await list("/invoices?status=open");
    expect(rest).toMatchObject({ nextAttemptAt: "2025-02-06T09:00:00.000Z" });
    expect(await triggers()).toEqual(["checkout succeeded", "renewal succeeded", "retry failed"]);
    expect((await list(`/payments?invoiceId=${older.id}`)).map((payment) => payment.status)).toEqual(["succeeded"]);
    // The schedule goes on to its end.
    await story.travel("2025-02-06");
    expect(await story.subscription(id)).toMatchObject({ status: "canceled", cancellationReason: "payment_failed" });
  });
});

describe("where the buyer has to authenticate", () => {
  it("is told by the payment and its event, until there is no action left (rule D2)", async () => {
    await begin(CARDS.pays);
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2025-02-10");
    const [payment] = await list("/payments?status=requires_action");
    expect(payment.nextAction).toEqual({ type: "challenge", url: expect.stringMatching(BANK_PAGE) });
    const [event] = await list(`/events?resourceId=${payment.id}`);
    expect(event).toMatchObject({ type: "payment.action_required", data: { nextAction: payment.nextAction } });
    await story.answerChallenge(true);
    expect((await list(`/events?resourceId=${payment.id}`)).at(-1)).toMatchObject({
      type: "payment.succeeded",
      data: { nextAction: null },
    });
  });
});
