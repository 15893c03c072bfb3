import { expect } from "vitest";
import { connectAccount } from "../../src/actions/payment/connect.ts";
import { createStripeConnectable } from "../../src/payments/stripe/connectable.ts";
import { sql } from "../../src/store/db.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { payOnPage } from "../payments/stripe-requests.ts";
import { startTestApp, type Json, type TestApp } from "./app.ts";
import { redirectOf } from "./hosted.ts";
import { get, post } from "./pages.ts";
import { ok } from "./story.ts";
import { useConnectables } from "./toy-bank.ts";

/** A sandbox that takes its payments at the tests' own Stripe. */
export type StripeApp = TestApp & {
  stripe: StripeServer;
  /** The warnings of the adapter. */
  warnings: string[];
  /** Reads Stripe's list of events now, and does all due work. */
  poll(): Promise<void>;
  /** A buyer pays on Stripe's page, or saves a card for a trial. */
  payOnStripe(params: object, number?: string): Promise<PaidOnStripe>;
};

/** The intent at Stripe and its card. `comeBack`: the buyer returns, so that Billow asks Stripe for the outcome. */
type PaidOnStripe = { checkout: Json; intent: string; card: string; comeBack(): Promise<void> };

/** A poll leaves the present second to the next poll, and reads the last minute again. So each poll finds all events. */
const BEHIND = 30_000;

const pollStatement = sql("test.stripe_poll", "UPDATE provider_connections SET poll_at = statement_timestamp()");

/** `now`: the time in milliseconds. Stripe's clock is half a minute behind. */
export async function startStripeApp(now: () => number = Date.now): Promise<StripeApp> {
  const app = await startTestApp();
  const stripe = await startStripe({ now: () => now() - BEHIND });
  const { ctx } = app;
  const warnings: string[] = [];
  const connectable = createStripeConnectable({
    db: ctx.db,
    installation: async () => "ins_test",
    warn: (message) => void warnings.push(message),
    baseUrl: stripe.url,
  });
  useConnectables(ctx, connectable);
  const connected = await connectAccount(ctx, connectable, app.organization, { key: stripe.key, variable: null });
  expect(connected).toMatchObject({ account: { account: stripe.accountId } });
  async function poll(): Promise<void> {
    await ctx.db.tx((tx) => tx.query(pollStatement, []));
    await app.runDue();
  }
  // The first look at the list only notes the present.
  await poll();
  return {
    ...app,
    stripe,
    warnings,
    poll,
    async payOnStripe(params, number = "4242424242424242") {
      const checkout = await ok(app.api("POST", "/checkouts", params));
      const page = redirectOf(checkout.url, await post(checkout.url, { expectedAmount: String(checkout.totalAmount) }));
      const { location } = await payOnPage(page, number);
      const intents = checkout.trialDays === null ? stripe.book.paymentIntents : stripe.book.setupIntents;
      const { id: intent, payment_method: card } = [...intents.values()].at(-1)!;
      const comeBack = async () => void (await get(redirectOf(location!, await get(location!))));
      return { checkout, intent, card: String(card), comeBack };
    },
    async close() {
      await app.close();
      await stripe.close();
    },
  };
}
