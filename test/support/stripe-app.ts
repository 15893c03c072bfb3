import type { StripeServer } from "../payments/stripe/server.ts";
import { payOnPage } from "../payments/stripe-requests.ts";
import { startTestApp, type Json, type TestApp } from "./app.ts";
import { redirectOf } from "./hosted.ts";
import { get, post } from "./pages.ts";
import { ok } from "./story.ts";
import { connectStripe, pollStripe, startStripeBehind } from "./stripe.ts";

/** A sandbox that takes its payments at the tests' own Stripe. */
export type StripeApp = TestApp & {
  stripe: StripeServer;
  /** The warnings of the adapter. */
  warnings: string[];
  /** Five minutes pass, as in `pollStripe`. */
  poll(): Promise<void>;
  /** A buyer pays on Stripe's page, or saves a card for a trial. */
  payOnStripe(params: object, number?: string): Promise<PaidOnStripe>;
};

/** The intent at Stripe and its card. `comeBack`: the buyer returns, so that Billow asks Stripe for the outcome. */
type PaidOnStripe = { checkout: Json; intent: string; card: string; comeBack(): Promise<void> };

/** `now`: the time in milliseconds. Stripe's clock is half a minute behind. */
export async function startStripeApp(now: () => number = Date.now): Promise<StripeApp> {
  const app = await startTestApp();
  const stripe = await startStripeBehind(now);
  const warnings: string[] = [];
  await connectStripe(app, stripe, (message) => void warnings.push(message));
  // The first look at the list only notes the present.
  await pollStripe(app);
  return {
    ...app,
    stripe,
    warnings,
    poll: () => pollStripe(app),
    async payOnStripe(params, number = "4242424242424242") {
      const checkout = await ok(app.api("POST", "/checkouts", params));
      const submitted = await post(checkout.url, { expectedAmount: String(checkout.totalAmount) });
      const { location } = await payOnPage(redirectOf(checkout.url, submitted), number);
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
