import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { authenticateOn, payOn, submit } from "../payments/stripe/buyer.ts";
import type { StripeServer } from "../payments/stripe/server.ts";
import { advanceSandbox, type Json } from "../support/app.ts";
import { newBuyer, press } from "../support/buyers.ts";
import { connectStripe, pollStripe, startStripeBehind } from "../support/stripe.ts";
import { openHostedShop } from "./hosted-shop.ts";

export const VISA = "4242 4242 4242 4242";
export const MASTERCARD = "5555 5555 5555 4444";
export const DECLINES = "4000 0000 0000 0002";
export const AUTHENTICATES_ONCE = "4000 0000 0000 3220";
export const AUTHENTICATES_ALWAYS = "4000 0027 6000 3184";

/** Types a card on Stripe's page and sends the form. */
export async function give(page: Page, number: string, label = "Pay"): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiration").fill("12 / 40");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: label, exact: true }).click();
}

/** A merchant whose buyers pay on the pages of the local Stripe server. */
export function openStripeShop() {
  const connected = {} as { stripe: StripeServer };
  beforeAll(async () => void (connected.stripe = await startStripeBehind()));
  afterAll(() => connected.stripe.close());

  const hosted = openHostedShop(
    async (app) => {
      await connectStripe(app, connected.stripe);
      // The first look at the list of events only notes the present.
      await pollStripe(app);
      const prices = [{ currency: "usd", amount: 9000 }];
      const max = { key: "max", name: "Max", interval: "month", prices };
      expect((await app.manage("POST", "/products", max)).status).toBe(201);
    },
    () => `${connected.stripe.url}/c/pay/**`,
  );

  const { opened, ok, checkout, read } = hosted;

  /** Answers the bank on the page for 3-D Secure. */
  async function answer(page: Page, label: "Complete" | "Fail"): Promise<void> {
    await page.waitForURL(`${connected.stripe.url}/3d_secure/**`);
    await press(page, label);
  }
  const charged = (amount: number) =>
    [...connected.stripe.book.charges.values()].filter((each) => each.amount === amount && each.status === "succeeded")
      .length;

  /** A Customer with a Subscription that was bought with this card, by the requests that a browser sends. */
  async function buy(number: string): Promise<Json> {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const atStripe = await submit(url, { expectedAmount: "3000" });
    const paid = await payOn(atStripe.location, number);
    const back = number === VISA ? paid : await authenticateOn(paid.location, "complete");
    await fetch(back.location);
    const { subscriptionId } = await read(id);
    return (await opened.app.api("GET", `/subscriptions/${subscriptionId}`)).body;
  }
  async function month(): Promise<void> {
    expect(await advanceSandbox(opened.app.manage, { by: "P1M" })).toMatchObject({ status: 200 });
  }
  const newestInvoice = async ({ id }: Json): Promise<Json> =>
    (await ok("GET", `/invoices?subscriptionId=${id}&limit=1`)).data[0];

  /** An open invoice of a Subscription whose card was declined at the renewal. */
  async function owed(): Promise<Json> {
    const subscription = await buy(VISA);
    const card = [...connected.stripe.book.paymentMethods.keys()].at(-1)!;
    connected.stripe.operations.turnCard(card, "pm_card_visa_chargeDeclined");
    await month();
    return newestInvoice(subscription);
  }

  return { ...hosted, connected, answer, charged, buy, month, newestInvoice, owed };
}
