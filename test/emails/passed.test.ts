import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { advanceSandbox, type Json } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

// An event may be out of date when its e-mail goes out, because a server was down or because more happened at once.

let story: Story;
let server: MailServer;
let count = 0;

beforeAll(async () => {
  server = await startMailServer();
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { smtpUrl: server.url });
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("max", 9000, { name: "Max" });
  await story.plan("trial", 2000, { name: "Trial", trialDays: 30 });
});
afterAll(async () => {
  await story.close();
  await server.close();
});

async function buy(productKey: string, card: string): Promise<Json> {
  count += 1;
  const bought = await story.buy(
    { productKey, customer: { email: `buyer${count}@example.com`, externalId: `buyer${count}` } },
    card,
  );
  await mailOnce(story.app.ctx);
  return bought;
}
const unwriteStatement = sql(
  "test.emails_unwrite",
  "UPDATE emails SET recipient = NULL, subject = NULL, text = NULL, html = NULL WHERE status = 'queued'",
);
const dueStatement = sql(
  "test.emails_due",
  "UPDATE emails SET attempt_at = statement_timestamp() WHERE attempt_at IS NOT NULL",
);
const manage = (method: string, path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));
/** Sends all queued e-mails, and returns the only one of this kind to the Subscription's Customer. */
async function whatBecameOf(kind: string, { customerId }: Json): Promise<Json> {
  await mailOnce(story.app.ctx);
  const { data } = await manage("GET", `/emails?kind=${kind}&customerId=${customerId}`);
  expect(data).toHaveLength(1);
  const { status, reason, to } = data[0];
  return { status, reason, to };
}
async function textOf(kind: string, { customerId }: Json): Promise<string> {
  const { data } = await manage("GET", `/emails?kind=${kind}&customerId=${customerId}`);
  return (await manage("GET", `/emails/${data[0].id}`)).text.replaceAll("\u00a0", " ");
}
/** Ends the Subscription, so that it plays no part in other tests. */
const quit = ({ id }: Json): Promise<Json> => manage("POST", `/subscriptions/${id}/cancel-now`, {});
const skipped = (reason: string) => ({ status: "skipped", reason, to: null });
const openInvoice = async ({ id }: Json): Promise<Json> =>
  (await manage("GET", `/invoices?subscriptionId=${id}&status=open`)).data[0];
/** Moves the clock on by this duration. */
async function wait(by: string): Promise<void> {
  expect((await advanceSandbox(story.app.manage, { by })).status).toBe(200);
  // As in real time: no message is written before it is sent.
  await story.app.ctx.db.tx((tx) => tx.query(unwriteStatement));
}
/** A Subscription with an open renewal, before any e-mail about it goes out. */
async function unpaid(card: string): Promise<Json> {
  const bought = await buy("pro", CARDS.pays);
  await story.newCard(bought.customerId, card);
  await wait("P1M");
  expect((await openInvoice(bought)).status).toBe("open");
  return bought;
}

test("a challenge that was passed", async () => {
  const bought = await unpaid(CARDS.asksBuyer);
  await story.answerChallenge(true);
  expect(await whatBecameOf("authentication_required", bought)).toEqual(skipped("invoice_paid"));
  await quit(bought);
});

test("a challenge that was failed", async () => {
  const bought = await unpaid(CARDS.asksBuyer);
  await story.answerChallenge(false);
  // The challenge is over, and the payment counts as failed.
  expect(await whatBecameOf("payment_failed", bought)).toMatchObject({ status: "sent" });
  expect(await textOf("payment_failed", bought)).toContain("The payment was not confirmed with your bank.");
  expect((await manage("GET", `/emails?kind=authentication_required&customerId=${bought.customerId}`)).data).toEqual(
    [],
  );
  await quit(bought);
});

test("a challenge that was failed, where failures are not told", async () => {
  const bought = await unpaid(CARDS.asksBuyer);
  await story.answerChallenge(false);
  await manage("PATCH", "/organization", { emails: { paymentFailed: false } });
  expect(await whatBecameOf("authentication_required", bought)).toEqual(skipped("no_longer_asked"));
  await manage("PATCH", "/organization", { emails: { paymentFailed: true } });
  await quit(bought);
});

test("a challenge, where challenges are told as failures alone", async () => {
  await manage("PATCH", "/organization", { emails: { authenticationRequired: false } });
  const bought = await unpaid(CARDS.asksBuyer);
  expect(await whatBecameOf("payment_failed", bought)).toMatchObject({ status: "sent" });
  expect(await textOf("payment_failed", bought)).toContain("Your bank asks you to confirm the payment first.");
  await manage("PATCH", "/organization", { emails: { authenticationRequired: true } });
  await quit(bought);
});

test("a failure that a newer e-mail tells of, unless that one did not arrive", async () => {
  const bought = await buy("pro", CARDS.failsLater);
  await wait("P1M");
  server.toRecipient = () => ({ code: 451 });
  await mailOnce(story.app.ctx);
  server.toRecipient = () => ({ code: 550 });
  await story.newCard(bought.customerId, CARDS.asksBuyer);
  expect(await whatBecameOf("authentication_required", bought)).toMatchObject({ status: "failed" });
  server.toRecipient = () => ({ code: 250 });
  await story.app.ctx.db.tx((tx) => tx.query(dueStatement));
  expect(await whatBecameOf("payment_failed", bought)).toMatchObject({ status: "sent" });
  await quit(bought);
});

test("a failed payment of an invoice that was paid elsewhere", async () => {
  const bought = await buy("pro", CARDS.failsLater);
  await wait("P1M");
  await manage("POST", `/invoices/${(await openInvoice(bought)).id}/mark-paid`, {});
  expect(await whatBecameOf("payment_failed", bought)).toEqual(skipped("invoice_paid"));
});

test("a failed payment of an invoice that is void", async () => {
  const bought = await buy("pro", CARDS.failsLater);
  await wait("P1M");
  await manage("POST", `/invoices/${(await openInvoice(bought)).id}/void`, {});
  expect(await whatBecameOf("payment_failed", bought)).toEqual(skipped("invoice_void"));
});

test("a renewal that was canceled since", async () => {
  const bought = await buy("pro", CARDS.pays);
  await wait("P25D");
  await story.change(bought.id, { cancelAtPeriodEnd: true });
  expect(await whatBecameOf("renewal_upcoming", bought)).toEqual(skipped("changed_meanwhile"));
});

test("a renewal that a change has moved", async () => {
  await story.plan("year", 30_000, { name: "Year", interval: "year" });
  const bought = await buy("pro", CARDS.pays);
  await wait("P25D");
  await story.change(bought.id, { productKey: "year" });
  expect(await whatBecameOf("renewal_upcoming", bought)).toEqual(skipped("changed_meanwhile"));
});

test("a renewal that has come", async () => {
  const bought = await buy("pro", CARDS.pays);
  await wait("P32D");
  expect(await whatBecameOf("renewal_upcoming", bought)).toEqual(skipped("changed_meanwhile"));
});

test("a renewal that costs nothing any more", async () => {
  const bought = await buy("pro", CARDS.pays);
  await wait("P25D");
  await story.plan("gift", 0, { name: "Gift" });
  await story.change(bought.id, { productKey: "gift", prorationBehavior: "next_period" });
  expect(await whatBecameOf("renewal_upcoming", bought)).toEqual(skipped("nothing_due"));
});

test("a renewal that costs nothing itself, but with which something else is due", async () => {
  const bought = await buy("pro", CARDS.pays);
  await story.change(bought.id, { productKey: "max", prorationBehavior: "next_invoice" });
  await story.plan("present", 0, { name: "Present" });
  await story.change(bought.id, { productKey: "present", prorationBehavior: "next_period" });
  await wait("P25D");
  expect(await whatBecameOf("renewal_upcoming", bought)).toMatchObject({ status: "sent" });
  expect(await textOf("renewal_upcoming", bought)).toMatch(
    /^Present renews on .*?\. We will charge US\$60\.00 to .*? for the next month/m,
  );
});

test("a trial that was ended before", async () => {
  const bought = await buy("trial", CARDS.pays);
  await wait("P28D");
  await manage("POST", `/subscriptions/${bought.id}/cancel-now`, {});
  expect(await whatBecameOf("trial_ending", bought)).toEqual(skipped("subscription_ended"));
});

test("an end after which another Subscription of the same group was bought", async () => {
  const bought = await buy("pro", CARDS.pays);
  await manage("POST", `/subscriptions/${bought.id}/cancel-now`, {});
  await story.buy({ productKey: "max", externalCustomerId: `buyer${count}` }, CARDS.pays);
  expect(await whatBecameOf("canceled", bought)).toEqual(skipped("replaced"));
});

test("a last retry that failed, after which the same was bought again", async () => {
  const bought = await buy("pro", CARDS.failsLater);
  await wait("P2M");
  await story.buy({ productKey: "pro", externalCustomerId: `buyer${count}` }, CARDS.pays);
  expect(await whatBecameOf("renewal_failed", bought)).toEqual(skipped("replaced"));
});

test("anything to a deleted Customer", async () => {
  const bought = await story.buy({ productKey: "pro", customer: { email: "gone@example.com" } }, CARDS.pays);
  expect((await story.app.manage("DELETE", `/customers/${bought.customerId}`)).status).toBe(204);
  expect(await whatBecameOf("receipt", bought)).toEqual(skipped("customer_deleted"));
});

test("and an e-mail goes to the address that the Customer has by then", async () => {
  const bought = await story.buy({ productKey: "pro", customer: { email: "old@example.com" } }, CARDS.pays);
  await manage("PATCH", `/customers/${bought.customerId}`, { email: "new@example.com" });
  expect(await whatBecameOf("receipt", bought)).toMatchObject({ status: "sent", to: "new@example.com" });
});
