import { expect, it, test } from "vitest";
import { billingWith, cardWith, customerWith } from "../../../test/support/customer-billing.ts";
import { subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { cardOf } from "../payment/card.ts";
import { claim, claimWithItsCard } from "./claim.ts";

const AT = { country: "AT", line1: null, line2: null, city: null, postalCode: null, state: null };
const TAX_ID = { type: "eu_vat", value: "ATU12345675" } as const;
const TYPED = { address: AT, taxId: TAX_ID, companyName: "Eva GmbH" };
const cards = [cardWith({ id: "pm_own" }), cardWith({ id: "pm_default" }), cardWith({ id: "pm_dead", dead: true })];
const unclaimedWith = (more = {}) => subscriptionWith({ claimed: false, paymentMethodId: "pm_own", ...more });

test.each([
  ["stays the Subscription's own", "pm_own", "pm_default", "pm_own", "pm_own"],
  ["is the default card", "pm_default", "pm_default", null, "pm_default"],
  ["can't be charged any more", "pm_dead", "pm_default", null, "pm_default"],
  ["is missing", null, "pm_default", null, "pm_default"],
  ["is missing, as is a default card", null, null, null, null],
])("a claim, where the card of the purchase %s (rule C12e)", (_, bought, customers, own, pays) => {
  const customer = customerWith({ defaultPaymentMethodId: customers });
  const subscription = unclaimedWith({ paymentMethodId: bought });
  const billing = billingWith({ subscriptions: [subscription], cards, customer });
  const claimed = claim(billing, subscription);
  expect(claimed).toMatchObject({ claimed: true, billing: null, paymentMethodId: own });
  expect(cardOf(billing, claimed)?.id ?? null).toBe(pays);
  expect(billing.subscriptions.get(subscription.id)).toEqual(claimed);
});

test.each([
  [
    "become the Customer's, if there is no address",
    {},
    TYPED,
    { billingAddress: AT, taxId: TAX_ID, companyName: "Eva GmbH" },
  ],
  [
    "do not replace an address",
    { billingAddress: { ...AT, country: "DE" } },
    TYPED,
    { billingAddress: { ...AT, country: "DE" } },
  ],
  [
    "without an address bring the company",
    {},
    { address: null, taxId: null, companyName: "Eva GmbH" },
    { companyName: "Eva GmbH" },
  ],
  [
    "without an address do not replace a company",
    { companyName: "Own" },
    { address: null, taxId: null, companyName: "Eva" },
    { companyName: "Own" },
  ],
])("typed billing data %s (rule C12c)", (_, stored, details, after) => {
  const subscription = unclaimedWith({ billing: details });
  const billing = billingWith({ subscriptions: [subscription], cards, customer: customerWith(stored) });
  claim(billing, subscription);
  expect(billing.customer).toMatchObject(after);
  expect(billing.events).toHaveLength(JSON.stringify(stored) === JSON.stringify(after) ? 0 : 1);
});

test.each([
  ["claims a Subscription with a card of its own", { paymentMethodId: "pm_own" }, true],
  ["charges no other card for a purchase without a card", { paymentMethodId: null }, false],
  ["charges no other card in the place of one that ended", { paymentMethodId: "pm_dead" }, false],
  ["claims a Subscription that costs nothing", { paymentMethodId: null, amount: 0 }, true],
])("an act that names no card %s (rule C12d)", (_, state, claimed) => {
  const subscription = unclaimedWith(state);
  const customer = customerWith({ defaultPaymentMethodId: "pm_default" });
  const billing = billingWith({ subscriptions: [subscription], cards, customer });
  expect(claimWithItsCard(billing, subscription).claimed).toBe(claimed);
});

it("lets a trial without a card go on with the default card (rule C2)", () => {
  const trial = trialWith({ claimed: false, cardMissing: true, paymentMethodId: null });
  const customer = customerWith({ defaultPaymentMethodId: "pm_default" });
  const billing = billingWith({ subscriptions: [trial], cards, customer });
  expect(claim(billing, trial)).toMatchObject({ cardMissing: false, accessEndsAt: null });
});
