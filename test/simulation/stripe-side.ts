import { settleCustomer } from "../../src/actions/payment/settle-customer.ts";
import { inBilling } from "../../src/actions/customer-billing.ts";
import { providerAt } from "../../src/actions/provider.ts";
import { replaceCard } from "../../src/domain/card/given-card.ts";
import { newId } from "../../src/ids.ts";
import { customers } from "../../src/store/customers.ts";
import { authenticateOn, payOn } from "../payments/stripe/buyer.ts";
import { keepForOne } from "./card-for-one.ts";
import { Died } from "./faults.ts";
import type { CardName } from "./history.ts";
import type { OpenSide, StepRun } from "./provider-side.ts";
import { STRIPE } from "./reference-provider.ts";
import { openStripeBuyers } from "./stripe-buyer.ts";
import { differencesAt, moneyAt } from "./stripe-book.ts";
import { givenKey, loseAnswers, NUMBERS, sessionAt, turnCard } from "./stripe-cards.ts";
import { underFault } from "./stripe-fault.ts";
import { openStripeOffice } from "./stripe-office.ts";
import { openStripeSandbox, type StripeSandbox } from "./stripe-sandbox.ts";
import { openStripePost } from "./stripe-post.ts";

/**
 * A Customer gives a card on Stripe's page. Billow has no page of its own that leads there without a purchase, so this
 * asks the adapter for the page, and keeps the card as `POST /sandbox/customers/{id}/card` does.
 */
async function giveCard(
  sandbox: StripeSandbox,
  { world, fault, index: step }: StepRun,
  customerId: string,
  card: CardName,
  subscriptionId: string | null,
): Promise<string> {
  const { ctx, organizationId, stripe } = sandbox;
  const account = { provider: "stripe", providerAccount: stripe.accountId };
  const provider = (await providerAt(ctx, organizationId, account))!;
  const { id, email, name } = (await customers.find(ctx.db.read, organizationId, customerId))!;
  const key = givenKey(step);
  const returnUrl = ctx.config.publicOrigin;
  const request = {
    organizationId,
    key,
    card: null,
    customer: { id, email, name },
    description: id,
    page: null,
    returnUrl,
  };
  const asked = await provider.saveCard(request);
  if (asked.status !== "requires_action") throw new Error(`Stripe has no page for a card: ${JSON.stringify(asked)}`);
  const { location } = await payOn(asked.url, NUMBERS[card]);
  if (card === "declined") {
    await provider.cancel(request);
    return "402 payment_failed";
  }
  if (card === "asksBuyer") await authenticateOn(location, "complete");
  turnCard(stripe, sessionAt(stripe, asked.url)!, card);
  const saved = await provider.read(organizationId, key);
  if (saved.status !== "succeeded" || !saved.card) throw new Error(`the card is not saved: ${JSON.stringify(saved)}`);
  const given = { ...saved.card, ...account };
  if (subscriptionId !== null) {
    await keepForOne(ctx, { organizationId, id }, subscriptionId, given);
    await world.settle();
    return "200";
  }
  await ctx.db.tx((tx) =>
    inBilling(ctx, tx, { organizationId, id }, (books) => replaceCard(books, given, newId("pm"))),
  );
  await underFault(sandbox, fault, (by) => settleCustomer(by, organizationId, id)).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  await world.settle();
  return "200";
}

/** A sandbox that is connected to an account at the tests' own Stripe server. */
export const openStripeSide: OpenSide = async (outer, organizationId, seed) => {
  const sandbox = await openStripeSandbox(outer, organizationId, seed);
  const { ctx, stripe } = sandbox;
  loseAnswers(stripe);
  const post = openStripePost(sandbox);
  // A worker polls as soon as an account is connected. Later polls go on from there.
  await post.poll();
  return {
    ctx,
    traits: STRIPE,
    underFault: (fault, work) => underFault(sandbox, fault, work),
    arrive: post.arrive,
    cardOnPage: () => "hosted",
    ...openStripeBuyers(sandbox),
    giveCard: (run, ...given) => giveCard(sandbox, run, ...given),
    ...openStripeOffice(sandbox, post),
    money: async () => moneyAt(sandbox),
    differences: () => differencesAt(sandbox),
    close: () => stripe.close(),
  };
};
