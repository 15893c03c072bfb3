import { CARDS } from "../support/story.ts";
import {
  ADA,
  askedEachTime,
  bought,
  cardOf,
  cardOnFile,
  changed,
  disputed,
  later,
  pastDue,
  paused,
  post,
  travel,
  type Action,
} from "./world.ts";

/** Rows of "As time goes by" and "When a payment fails". */
export const TIME: Record<string, Action> = {
  "a trial ends in 3 days": { before: bought(CARDS.pays, { trialDays: 14 }), act: travel("2025-02-11") },
  "a trial ends": {
    before: later((shop) => bought(CARDS.pays, { trialDays: 14, benefitIds: [shop.benefit] })(shop), "2025-02-12"),
    act: travel("2025-02-14"),
  },
  "a trial without a card ends": {
    before: async (shop) => {
      const { id: customerId } = await shop.story.ok(shop.story.app.api("POST", "/customers", ADA));
      const sub = await post(shop, "/subscriptions", {
        productKey: "pro",
        customerId,
        trialEnd: "2025-02-14T09:00:00Z",
      });
      await shop.story.travel("2025-02-12");
      return { sub };
    },
    act: travel("2025-02-14"),
  },
  "a month ends in 7 days": { before: bought(), act: travel("2025-02-21") },
  "a card expires in 30 days": {
    before: async (shop) => {
      const found = await bought(CARDS.pays, { interval: "year" })(shop);
      const { id } = await cardOnFile({ ...shop, ...found });
      await post(shop, `/sandbox/payment-methods/${id}/update`, { expMonth: 3, expYear: 2025 });
      return found;
    },
    act: travel("2025-03-02"),
  },
  "a period ends and is paid": {
    operations: ["POST /sandbox/clock/advance"],
    before: later(bought(), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "a period ends and the balance settles it": {
    before: async (shop) => {
      const found = await bought()(shop);
      await post(shop, `/customers/${found.sub.customerId}/balance-adjustments`, {
        currency: "usd",
        amount: 3000,
        reason: "sorry",
      });
      await shop.story.travel("2025-02-22");
      return found;
    },
    act: travel("2025-02-28"),
  },
  "a period ends with a scheduled pause": { before: paused(), act: travel("2025-02-28") },
  "a pause ends in 3 days": {
    before: later(paused({ resumesAt: "2025-05-20T09:00:00Z" }), "2025-05-16"),
    act: travel("2025-05-17"),
  },
  "a pause ends by its `resumesAt`": {
    before: later(paused({ resumesAt: "2025-05-20T09:00:00Z" }), "2025-05-18"),
    act: travel("2025-05-20"),
  },
  "a period ends with a scheduled cancellation": {
    before: changed({ cancelAtPeriodEnd: true }),
    act: travel("2025-02-28"),
  },
  "a period ends with a change to `basic` planned": {
    before: later(changed({ productKey: "basic", prorationBehavior: "next_period" }), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  // When a payment fails
  "the card is declined at a renewal": {
    before: later(bought(CARDS.failsLater), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "the card is declined as a trial ends": {
    before: later(
      (shop) => bought(CARDS.failsLater, { trialDays: 14, benefitIds: [shop.benefit] })(shop),
      "2025-02-12",
    ),
    act: travel("2025-02-14"),
  },
  "the bank asks the buyer to authenticate at a renewal": {
    before: later(askedEachTime, "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "the buyer authenticates at last": {
    before: later(askedEachTime, "2025-02-28"),
    act: ({ story }) => story.answerChallenge(true),
  },
  "the provider refuses the charge of a renewal alone": {
    before: later(cardOf(CARDS.refused), "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "the provider refuses all charges at a renewal": {
    before: later(cardOf(CARDS.refusesAccount), "2025-02-22"),
    act: (world) => post(world, "/sandbox/clock/advance", { to: "2025-02-28T09:00:00Z" }),
  },
  "`POST /sandbox/payments/resume`: the provider takes charges again": {
    operations: ["POST /sandbox/payments/resume"],
    before: async (shop) => {
      const found = await later(cardOf(CARDS.refusesAccount), "2025-02-22")(shop);
      await post(shop, "/sandbox/clock/advance", { to: "2025-02-28T09:00:00Z" });
      return found;
    },
    act: (world) => post(world, "/sandbox/payments/resume"),
  },
  "a dispute holds the card back at a renewal": {
    before: later(disputed, "2025-02-22"),
    act: travel("2025-02-28"),
  },
  "a retry is declined": { before: pastDue, act: travel("2025-03-03") },
  "the grace is over": {
    settings: { dunning: { retryDays: [3, 14], graceDays: 7 } },
    before: later(pastDue, "2025-03-04"),
    act: travel("2025-03-07"),
  },
  "a new card pays the debt": {
    operations: ["POST /sandbox/customers/{customerId}/card"],
    before: pastDue,
    act: (world) => world.story.newCard(world["sub"].customerId, CARDS.pays),
  },
  "a new card pays the debt after the grace": {
    before: later(pastDue, "2025-03-10"),
    act: (world) => world.story.newCard(world["sub"].customerId, CARDS.pays),
  },
  "a new card pays the debt after the grace and the period's end": {
    settings: { dunning: { retryDays: [3, 60], graceDays: 7 } },
    before: later(pastDue, "2025-04-10"),
    act: (world) => world.story.newCard(world["sub"].customerId, CARDS.pays),
  },
  "a retry is declined on the day that the grace is over": {
    before: later(pastDue, "2025-03-04"),
    act: travel("2025-03-07"),
  },
  "the last retry is declined after the grace": { before: later(pastDue, "2025-03-20"), act: travel("2025-03-21") },
  "the last retry is declined within the grace": {
    settings: { dunning: { retryDays: [3], graceDays: 7 } },
    before: pastDue,
    act: travel("2025-03-03"),
  },
};
