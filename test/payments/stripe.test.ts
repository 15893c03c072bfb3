import { describeProvider } from "./conformance.ts";
import { startStripe } from "./stripe/server.ts";
import { answerOnPage, openStripeWorld } from "./stripe-world.ts";

describeProvider("Stripe", async () => {
  const stripe = await startStripe();
  const world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0 });
  return {
    ...world,
    async close() {
      await world.close();
      await stripe.close();
    },
  };
});
