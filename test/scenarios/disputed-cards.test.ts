import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, keepsSilent } from "../support/bank.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const REFUSED = ["payment.failed", "invoice.payment_failed"];
const PAID = ["payment.succeeded", "invoice.paid"];
const RENEWED = ["subscription.renewed", "invoice.created"];

let story: Story;
let id: string;
let customerId: string;

/** A month of 100.00 from 1 June 2025 at 9:00, paid by a card. */
beforeEach(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("ten", 10_000);
  await story.plan("thirty", 30_000);
  await story.plan("addon", 2000, { group: "addons" });
  ({ id, customerId } = await story.buy(
    { productKey: "ten", customer: { email: "ada@example.com", externalId: "ada" } },
    CARDS.pays,
  ));
  await story.news();
});
afterEach(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const manage = (method: string, path: string, body?: object) => story.ok(story.app.manage(method, path, body));
const list = async (path: string): Promise<Json[]> => (await manage("GET", path)).data;
const attempts = async () =>
  (await list("/payments?limit=100"))
    .map(({ trigger, method, status, failureCode }) => [trigger, method.last4, failureCode ?? status].join(" "))
    .reverse();
const openInvoice = async () => (await list("/invoices?status=open&limit=1"))[0]!;
const disputeOf = async (trigger: string, on: string = id) => {
  const [payment] = await list(`/payments?subscriptionId=${on}&trigger=${trigger}&limit=1`);
  return (await manage("POST", `/sandbox/payments/${payment!.id}/dispute`, {})).id as string;
};
const close = (dispute: string, outcome: string) => manage("POST", `/sandbox/disputes/${dispute}/close`, { outcome });
const cards = async () =>
  (await list(`/customers/${customerId}/payment-methods`)).map(({ last4, disputed }) =>
    disputed ? `${last4} disputed` : last4,
  );
const say = async (url: string) => wordsOf((await get(url)).text);
const payOn = (url: string, number: string) => post(url, { number, expiry: "12 / 40", cvc: "123", instead: "" });

async function sayInPortal(): Promise<string> {
  const { url } = await manage("POST", `/customers/${customerId}/portal-sessions`);
  const there = startWebClient(story.app.url);
  await there.post(new URL(url).pathname);
  return wordsOf((await there.get(`/portal/${story.app.organization.id}`)).text);
}

describe("a card of which a payment is disputed", () => {
  it("is not charged at a renewal or a retry, and the provider never hears of it (rule D6)", async () => {
    await story.travel("2025-06-10");
    expect(await cards()).toEqual(["4242"]);
    expect(await sayInPortal()).toContain("Your payments are charged to Visa •••• 4242.");
    await disputeOf("checkout");
    expect(await cards()).toEqual(["4242 disputed"]);
    const heldBack = "Visa •••• 4242 is not charged automatically, because your bank reversed a payment with it";
    expect(await sayInPortal()).toContain(`, but ${heldBack}`);
    expect(await sayInPortal()).toContain(`Payment ${heldBack}.`);
    expect(await sayInPortal()).not.toContain("are charged to");
    await story.news();
    await story.travel("2025-07-01");
    expect(await story.news()).toEqual([...RENEWED, ...REFUSED, "subscription.past_due"]);
    const [refused] = await list("/payments?limit=1");
    expect(refused).toMatchObject({
      trigger: "renewal",
      status: "failed",
      failureCode: "card_disputed",
      nextAction: null,
    });
    const { payments } = story.app.ctx;
    expect(await payments.sandbox.read(story.app.organization.id, refused!.id)).toEqual({ status: "absent" });
    await story.travel("2025-07-04");
    expect(await story.news()).toEqual(REFUSED);
    expect(await attempts()).toEqual([
      "checkout 4242 succeeded",
      "renewal 4242 card_disputed",
      "retry 4242 card_disputed",
    ]);
    const timeline = await list(`/subscriptions/${id}/timeline?limit=100`);
    const said = timeline.filter(({ type }) => type === "payment.failed").map(({ text }) => text);
    expect(said[0]).toBe("US$100.00 was not charged to Visa ending in 4242: a payment with it is disputed.");
    await story.travel("2025-07-22");
    expect(await story.subscription(id)).toMatchObject({ status: "canceled", cancellationReason: "payment_failed" });
    expect((await story.books()).captured).toEqual([10_000]);
  });

  it("is not charged for a last invoice, which is void at once, as the preview says (rules S4, D6)", async () => {
    await story.travel("2025-06-16");
    await story.change(id, { productKey: "thirty", prorationBehavior: "next_invoice" });
    await story.travel("2025-06-21");
    await disputeOf("checkout");
    await story.statement();
    const said = await manage("POST", `/subscriptions/${id}/cancel-now/preview`);
    expect(said).toMatchObject({ chargeAmount: 0, balanceChange: 0 });
    await manage("POST", `/subscriptions/${id}/cancel-now`);
    expect((await story.statement())[0]).toBe("0002 product_change void 3333 (balance -1667)");
    expect(await attempts()).toEqual(["checkout 4242 succeeded"]);
    const timeline = await list(`/subscriptions/${id}/timeline?limit=100`);
    const made = timeline.filter(({ type }) => type === "invoice.created").map(({ text }) => text);
    const entry50 = /over US\$33\.33 was created; US\$16\.67 more is due because of the balance; US\$50\.00 was due\.$/;
    expect(made).toContainEqual(expect.stringMatching(entry50));
  });

  it("is not charged by hand either, and stays so when the dispute is lost", async () => {
    const dispute = await disputeOf("checkout");
    await story.travel("2025-07-02");
    await close(dispute, "lost");
    const { id: invoiceId } = await openInvoice();
    const byHand = await story.app.manage("POST", `/invoices/${invoiceId}/pay`);
    expect(byHand).toMatchObject({ status: 402, body: { code: "payment_failed", declineCode: "card_disputed" } });
    expect(await attempts()).toEqual([
      "checkout 4242 succeeded",
      "renewal 4242 card_disputed",
      "manual 4242 card_disputed",
    ]);
    expect(await cards()).toEqual(["4242 disputed"]);
  });

  it("is charged again once the buyer has paid with it on the invoice's page", async () => {
    await disputeOf("checkout");
    await story.travel("2025-07-02");
    const { url } = await openInvoice();
    const said = await say(url);
    expect(said).toContain(
      "US$100.00 was not charged to Visa •••• 4242 on 1 July 2025. Your bank reversed an earlier payment with this",
    );
    expect(said).not.toContain("unless you pay before then");
    await story.news();
    expect((await payOn(url, CARDS.pays)).status).toBe(303);
    expect(await story.news()).toEqual([...PAID, "subscription.recovered"]);
    expect(await cards()).toEqual(["4242", "4242"]);
    await story.travel("2025-08-02");
    expect((await attempts()).slice(1)).toEqual([
      "renewal 4242 card_disputed",
      "new_card 4242 succeeded",
      "renewal 4242 succeeded",
    ]);
  });

  it("is held back by a later dispute again", async () => {
    await disputeOf("checkout");
    await story.travel("2025-07-02");
    await payOn((await openInvoice()).url, CARDS.pays);
    await disputeOf("new_card");
    expect(await cards()).toEqual(["4242 disputed", "4242 disputed"]);
    await story.travel("2025-08-02");
    expect((await attempts()).at(-1)).toBe("renewal 4242 card_disputed");
  });

  it("is charged by the next retry once the dispute is won, not at once", async () => {
    const dispute = await disputeOf("checkout");
    await story.travel("2025-07-02");
    await close(dispute, "won");
    await story.settle();
    expect(await cards()).toEqual(["4242"]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    expect(await say((await openInvoice()).url)).toContain(
      "Unless you pay before then, we will try Visa •••• 4242 again on 4 July 2025.",
    );
    await story.news();
    await story.travel("2025-07-04");
    expect(await story.news()).toEqual([...PAID, "subscription.recovered"]);
  });

  it("leaves a trial to dunning when the trial ends", async () => {
    await story.plan("tries", 2000, { trialDays: 7, group: "tries" });
    const trial = await story.buy({ productKey: "tries", customerId }, CARDS.pays);
    await disputeOf("checkout");
    await story.travel("2025-06-09");
    expect(await story.subscription(trial.id)).toMatchObject({ status: "past_due" });
  });
});

describe("the same card that was given twice", () => {
  it("is one card: it is charged for no Subscription, but another card is charged at once", async () => {
    const addon = await story.buy({ productKey: "addon", customerId }, CARDS.pays);
    await disputeOf("checkout");
    await story.travel("2025-07-02");
    expect((await attempts()).slice(2)).toEqual(["renewal 4242 card_disputed", "renewal 4242 card_disputed"]);
    // The Customer gives the same card once more, but the card has paid no charge since.
    await story.newCard(customerId, CARDS.pays);
    expect((await attempts()).slice(4)).toEqual(["new_card 4242 card_disputed", "new_card 4242 card_disputed"]);
    await story.newCard(customerId, CARDS.paysToo);
    expect((await attempts()).slice(6)).toEqual(["new_card 5556 succeeded", "new_card 5556 succeeded"]);
    for (const each of [id, addon.id]) expect(await story.subscription(each)).toMatchObject({ status: "active" });
    expect(await cards()).toEqual(["5556", "4242 disputed", "4242 disputed", "4242 disputed"]);
  });

  it("is charged for all of them once the buyer has bought something else with it", async () => {
    await disputeOf("checkout");
    await story.travel("2025-07-02");
    await story.buy({ productKey: "addon", customerId }, CARDS.pays);
    await story.settle();
    expect((await attempts()).slice(1)).toEqual([
      "renewal 4242 card_disputed",
      "checkout 4242 succeeded",
      "new_card 4242 succeeded",
    ]);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
  });

  it("is another Customer's own matter", async () => {
    const other = await story.buy({ productKey: "ten", customer: { email: "eve@example.com" } }, CARDS.pays);
    await disputeOf("checkout");
    await story.travel("2025-07-02");
    expect(await story.subscription(other.id)).toMatchObject({ status: "active" });
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
  });
});

describe("a PATCH that would charge a disputed card", () => {
  const upgrade = { productKey: "thirty", prorationBehavior: "invoice_now" };
  const change = () => story.app.api("PATCH", `/subscriptions/${id}`, upgrade, { "Idempotency-Key": "upgrade" });

  it("is 402 with its page, each time; paying there with that card makes the change and frees the card", async () => {
    await story.travel("2025-07-02");
    await disputeOf("checkout");
    await story.news();
    const refused = await change();
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_failed", declineCode: "card_disputed" } });
    expect(await change()).toMatchObject({ status: 402, body: refused.body });
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await story.subscription(id)).toMatchObject({ amount: 10_000, status: "active" });
    const { checkoutId, url } = refused.body;
    expect(await say(url)).toContain("thirty");
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: CARDS.pays }));
    expect(await story.subscription(id)).toMatchObject({ amount: 30_000 });
    expect(await cards()).toEqual(["4242", "4242"]);
    await story.travel("2025-08-02");
    expect((await attempts()).slice(2)).toEqual([
      "product_change 4242 card_disputed",
      "checkout 4242 succeeded",
      "renewal 4242 succeeded",
    ]);
  });

  it("goes through where the balance pays it", async () => {
    await story.travel("2025-07-02");
    await disputeOf("checkout");
    await manage("POST", `/customers/${customerId}/balance-adjustments`, {
      currency: "usd",
      amount: 90_000,
      reason: "Gift",
    });
    expect(await change()).toMatchObject({ status: 200, body: { amount: 30_000 } });
  });
});

it("a charge with an unknown outcome when the dispute begins is settled as the provider says", async () => {
  const bank = bankOf(story.app);
  bank.says(keepsSilent);
  const advance = (to: string) => story.app.manage("POST", "/sandbox/clock/advance", { to: `${to}T09:00:00Z` });
  await advance("2025-07-01");
  expect(await attempts()).toEqual(["checkout 4242 succeeded", "renewal 4242 unknown"]);
  await disputeOf("checkout");
  bank.says(null);
  await story.settle();
  expect(await attempts()).toEqual(["checkout 4242 succeeded", "renewal 4242 succeeded"]);
  await story.travel("2025-08-02");
  expect((await attempts()).at(-1)).toBe("renewal 4242 card_disputed");
});
