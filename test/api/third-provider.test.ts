import { afterEach, beforeEach, expect, it } from "vitest";
import { examineInstallation } from "../../src/actions/doctor/doctor.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startAcorn, type Acorn } from "../payments/toy/server.ts";
import type { Json } from "../support/app.ts";
import { sellThrough, toAcornsPage } from "../support/acorn.ts";
import { startStory, type Story } from "../support/story.ts";

const forgetNowStatement = sql(
  "test.forget_now",
  "UPDATE customers SET forget_at = statement_timestamp() WHERE forget_at IS NOT NULL",
);

let acorn: Acorn;
let story: Story;

beforeEach(async () => {
  acorn = await startAcorn();
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await sellThrough(acorn, story.app);
  await story.plan("pro", 1000);
});
afterEach(async () => {
  await story.close();
  await acorn.close();
});

/** Sells `pro` on Acorn's page to a buyer with this card. Returns the Subscription. */
async function buy(number: string): Promise<Json> {
  const { checkout, url } = await toAcornsPage(story.app, {
    productKey: "pro",
    customer: { email: "ada@example.com" },
  });
  expect(new URL(url).origin).toBe(acorn.url);
  await acorn.answer(url, { number });
  await story.settle();
  const { status, subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`));
  expect(status).toBe("completed");
  return story.subscription(subscriptionId);
}
const invoices = async ({ id }: Json): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`))).data;
/** The warnings of `billow doctor` about payment providers. */
async function warnings(): Promise<string[]> {
  const { ctx } = story.app;
  const checks = await examineInstallation({ config: ctx.config, server: null, ctx });
  return checks.filter(({ name, status }) => name === "provider" && status === "warning").map(({ says }) => says);
}
const booked = () => acorn.bank.charges().map(({ amount, currency }) => `${amount} ${currency}`);

it("sells on the provider's page, renews with the card from there, and refunds", async () => {
  const subscription = await buy("9000 0000 0001");
  const cards = await story.ok(story.app.manage("GET", `/customers/${subscription.customerId}/payment-methods`));
  expect(cards.data).toMatchObject([{ brand: "acorn", last4: "0001" }]);
  expect(booked()).toEqual(["10.00 usd"]);

  await story.travel("2025-07-02");
  expect(await story.subscription(subscription.id)).toMatchObject({ status: "active" });
  expect(booked()).toEqual(["10.00 usd", "10.00 usd"]);

  const [renewal] = await invoices(subscription);
  expect(renewal).toMatchObject({ reason: "renewal", status: "paid" });
  const refund = await story.ok(story.app.manage("POST", `/invoices/${renewal.id}/refunds`, { amount: 400 }));
  await story.settle();
  expect(acorn.bank.findRefund(refund.id)).toMatchObject({ amount: "4.00", status: "succeeded" });
  expect((await story.ok(story.app.manage("GET", `/refunds/${refund.id}`))).status).toBe("succeeded");
});

it("makes the provider forget a deleted Customer, once the provider answers", async () => {
  const { customerId, id } = await buy("9000 0000 0001");
  expect(acorn.bank.hasCards(customerId)).toBe(true);
  await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
  acorn.next("before");
  expect((await story.app.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
  await story.app.runDue();
  expect(acorn.bank.hasCards(customerId)).toBe(true);
  expect(await warnings()).toEqual(["1 deleted Customer or the cards are still at a payment provider"]);
  await story.app.ctx.db.tx((tx) => tx.query(forgetNowStatement, []));
  await story.app.runDue();
  expect(acorn.bank.hasCards(customerId)).toBe(false);
  expect(await warnings()).toEqual([]);
});

it("retries a renewal that the bank declines", async () => {
  const subscription = await buy("9000 0000 0004");
  await story.travel("2025-07-02");
  expect(await story.subscription(subscription.id)).toMatchObject({ status: "past_due" });
  const [open] = await invoices(subscription);
  expect(open).toMatchObject({ status: "open" });
  await story.travel("2025-07-05");
  expect(booked()).toEqual(["10.00 usd"]);
});

it("charges a renewal once, though the answer of the provider is lost", async () => {
  const subscription = await buy("9000 0000 0001");
  acorn.next("after");
  await story.travel("2025-07-02");
  await story.settle();
  expect(await story.subscription(subscription.id)).toMatchObject({ status: "active" });
  expect(booked()).toEqual(["10.00 usd", "10.00 usd"]);
});

it("books a dispute of a renewal, which a notice names by its key", async () => {
  const subscription = await buy("9000 0000 0001");
  await story.travel("2025-07-02");
  const { reference } = acorn.bank.charges().at(-1)!;
  acorn.bank.dispute(reference!, { reason: "twice" });
  const { body, headers } = acorn.bank.notice();
  await fetch(`${story.app.url}/inbound/acorn/${story.app.organization.id}`, { method: "POST", body, headers });
  await story.settle();
  const { data } = await story.ok(story.app.manage("GET", `/disputes?subscriptionId=${subscription.id}`));
  expect(data).toMatchObject([{ status: "open", reason: "duplicate", amount: 1000 }]);
});
