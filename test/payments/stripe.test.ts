import { describeProvider, type TestCard } from "./conformance.ts";
import { describeHostedEntry } from "./hosted-conformance.ts";
import { authenticateOn, payOn } from "./stripe/buyer.ts";
import { startStripe } from "./stripe/server.ts";
import { answerOnPage, LACKS, openStripeWorld, sellerOf } from "./stripe-world.ts";

async function open() {
  const stripe = await startStripe();
  const world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0 });
  const close = async () => {
    await world.close();
    await stripe.close();
  };
  return { ...world, stripe, close };
}

describeProvider("Stripe", open, LACKS);

const NUMBERS: Partial<Record<TestCard, string>> = {
  pays: "4242 4242 4242 4242",
  card_declined: "4000 0000 0000 0002",
  authenticates: "4000 0027 6000 3184",
};

describeHostedEntry("Stripe", async () => {
  const { stripe, ...world } = await open();
  return {
    ...world,
    async payHosted(url, behavior, pass = true) {
      const { location } = await payOn(url, NUMBERS[behavior]!);
      if (behavior === "authenticates" && location !== "") await authenticateOn(location, pass ? "complete" : "fail");
    },
    async expireHosted(url) {
      const [id] = /cs_\w+/.exec(url)!;
      await sellerOf(stripe)(`POST /v1/checkout/sessions/${id}/expire`);
    },
  };
});
