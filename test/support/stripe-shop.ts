import type { StripeServer } from "../payments/stripe/server.ts";
import { payOnPage } from "../payments/stripe-requests.ts";
import type { Json } from "./app.ts";
import { post } from "./pages.ts";
import { ok, startStory, type Story } from "./story.ts";
import { connectStripe, pollStripe, startStripeBehind } from "./stripe.ts";

/** A story with payments at the tests' own Stripe server. */
export type StripeShop = {
  story: Story;
  stripe: StripeServer;
  /** Buys with a card that is typed on Stripe's page. Returns the Subscription. */
  buy(params: object, card?: string): Promise<Json>;
  /** Stripe sends its notices: each one twice, and the newest one first. Then all due work is done. */
  notify(): Promise<void>;
  /** Billow reads Stripe's list of events now. Then all due work is done. */
  poll(): Promise<void>;
  /** The Stripe ids of the saved cards, oldest first. */
  cards(): string[];
  close(): Promise<void>;
};

export async function openStripeShop(clock: string): Promise<StripeShop> {
  const stripe = await startStripeBehind();
  const story = await startStory({ clock }, { publicOrigin: "https://pay.example.com" });
  const { app } = story;
  await connectStripe(app, stripe);
  const [secret] = [...stripe.book.endpointSecrets.values()];
  return {
    story,
    stripe,
    async buy(params, card = "4242 4242 4242 4242") {
      const checkout = await ok(app.api("POST", "/checkouts", params));
      const { pathname, search } = new URL(checkout.url);
      await post(app.url + pathname + search, { expectedAmount: String(checkout.totalAmount) });
      await payOnPage([...stripe.book.sessions.values()].at(-1)!.url!, card);
      await story.settle();
      const { subscriptionId } = await ok(app.api("GET", `/checkouts/${checkout.id}`));
      return ok(app.api("GET", `/subscriptions/${subscriptionId}`));
    },
    async notify() {
      const how = { shuffled: true, repeated: true, secrets: [secret!] };
      await stripe.deliver(`${app.url}/inbound/stripe/${app.organization.id}`, how);
      await app.runDue();
    },
    poll: () => pollStripe(app),
    cards: () => [...stripe.book.paymentMethods.values()].filter(({ customer }) => customer).map(({ id }) => id),
    async close() {
      await story.close();
      await stripe.close();
    },
  };
}
