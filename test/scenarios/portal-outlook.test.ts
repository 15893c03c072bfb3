import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;

beforeEach(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("team", 6000, { name: "Team" });
});
afterEach(async () => {
  await story.settle();
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const ADA = { email: "ada@example.com", externalId: "ada" };
const manage = (method: string, path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));
const buy = (productKey: string, card: string = CARDS.pays, more: object = {}) =>
  story.buy({ productKey, customer: ADA, ...more }, card);
const credit = (customerId: string, amount: number) =>
  manage("POST", `/customers/${customerId}/balance-adjustments`, { currency: "usd", amount, reason: "By hand" });

/** The words of the portal's home page. */
async function read(customerId: string): Promise<string> {
  const there = await signInTo(story, customerId);
  return wordsOf((await there.get(`/portal/${story.app.organization.id}`)).text)
    .replaceAll("\u00a0", " ")
    .replaceAll(" .", ".");
}

/** `has`: texts of the page, in their order. `lacks`: texts that the page must not have. */
type Row = { name: string; play: () => Promise<Json>; has: string[]; lacks?: string[] };

const ROWS: Row[] = [
  {
    name: "active",
    play: () => buy("pro"),
    has: ["Active", "Price US$30.00 every month", "Next charge 1 April 2026: US$30.00 to Visa •••• 4242"],
    lacks: ["overdue", "Access ", "Due now"],
  },
  {
    name: "with tax on top of the price",
    play: async () => {
      await manage("PATCH", "/organization", { taxRates: [{ country: "DE", basisPoints: 1900, name: "USt" }] });
      return buy("pro", CARDS.pays, { customer: { ...ADA, billingAddress: { country: "DE" } } });
    },
    has: ["Price US$30.00 plus 19% USt every month", "Next charge 1 April 2026: US$35.70 to Visa •••• 4242"],
  },
  {
    name: "a trial with a card",
    play: async () => {
      await story.plan("try", 2000, { trialDays: 10 });
      return buy("try");
    },
    has: ["Free trial", "Free until 11 March 2026", "Next charge 11 March 2026: US$20.00 to Visa •••• 4242"],
  },
  {
    name: "a trial without a card",
    play: async () => {
      await story.plan("try", 2000, { trialDays: 10, trialCard: "optional" });
      const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "try", customer: ADA }));
      const { subscriptionId } = await manage("POST", `/sandbox/checkouts/${id}/pay`, {});
      return story.subscription(subscriptionId);
    },
    has: ["Next charge 11 March 2026: US$20.00, but there is no card on file, so your access ends then"],
  },
  {
    name: "no card",
    play: async () => {
      const { id: customerId } = await story.ok(story.app.api("POST", "/customers", ADA));
      return manage("POST", "/subscriptions", { productKey: "pro", customerId });
    },
    has: [
      "US$30.00 is overdue",
      "There is no card on file that can be charged.",
      "Pay US$30.00",
      "After that 1 April 2026: US$30.00, but there is no card on file",
      "Add a card",
    ],
  },
  {
    name: "past due",
    play: async () => {
      const sold = await buy("pro", CARDS.failsLater);
      await story.travel("2026-04-02");
      return sold;
    },
    has: [
      "US$30.00 is overdue",
      "The payment for Pro has been due since 1 April 2026.",
      "Otherwise, we will try Visa •••• 0341 again on 4 April 2026.",
      "Without payment, your access ends on 8 April 2026.",
      "Pay US$30.00",
      "Payment overdue",
      "Due now US$30.00, since 1 April 2026",
      "Next attempt 4 April 2026, with Visa •••• 0341",
      "After that 1 May 2026: US$30.00 to Visa •••• 0341",
      "Access Until 8 April 2026",
      "US$30.00 due",
    ],
    lacks: ["Next charge"],
  },
  {
    name: "past due, and to end with the period",
    play: async () => {
      const sold = await buy("pro", CARDS.failsLater);
      await story.travel("2026-04-02");
      await story.change(sold.id, { cancelAtPeriodEnd: true });
      return sold;
    },
    has: [
      "US$30.00 is overdue",
      "Payment overdue Ends on 1 May 2026. Price until the end",
      "Due now US$30.00, since 1 April 2026",
    ],
    lacks: ["Next charge", "After that"],
  },
  {
    name: "access suspended within the period",
    play: async () => {
      const sold = await buy("pro", CARDS.failsLater);
      await story.travel("2026-04-09");
      return sold;
    },
    has: [
      "Your access is off until everything you owe is paid.",
      "Due now US$30.00, since 1 April 2026",
      "Access Off until everything you owe is paid",
    ],
    lacks: ["After that"],
  },
  {
    name: "access suspended, and the period is over",
    play: async () => {
      await story.plan("week", 700, { name: "Week", interval: "week" });
      const sold = await buy("week", CARDS.failsLater);
      await story.travel("2026-03-20");
      return sold;
    },
    has: [
      "US$7.00 is overdue",
      "Your last period has ended. You pay the US$7.00 that you owe, plus US$7.00 for Week until 27 March 2026.",
      "Pay US$14.00",
      "To continue US$14.00: the US$7.00 that you owe, plus US$7.00 for Week until 27 March 2026",
    ],
    lacks: ["Next charge", "After that"],
  },
  {
    name: "several open invoices",
    play: async () => {
      await story.plan("day", 500, { name: "Day", interval: "day" });
      const sold = await buy("day", CARDS.failsLater);
      await story.travel("2026-03-04");
      return sold;
    },
    has: [
      "US$15.00 is overdue",
      "You have 3 open invoices for Day , US$15.00 in total. Pay the oldest one, and the others will be charged to the",
      "Pay US$5.00",
      "Due now US$15.00, since 2 March 2026",
    ],
  },
  {
    name: "two plans past due, in two currencies",
    play: async () => {
      const prices = [{ currency: "eur", amount: 900 }];
      await story.plan("add-on", 900, { name: "Add-on", group: "add-ons", prices });
      await buy("add-on", CARDS.failsLater, { currency: "eur" });
      const sold = await buy("pro", CARDS.failsLater);
      await story.travel("2026-04-02");
      return sold;
    },
    has: ["€9.00 and US$30.00 is overdue", "Pay €9.00 for Add-on", "Pay US$30.00 for Pro"],
  },
  {
    name: "the bank asks for a confirmation",
    play: async () => {
      const sold = await buy("pro");
      await story.newCard(sold.customerId, CARDS.asksBuyer);
      await story.travel("2026-04-02");
      return sold;
    },
    has: [
      "Confirm a payment of US$30.00",
      "Your bank asks you to confirm the payment for Pro.",
      "Without payment, your access ends on 8 April 2026.",
      "Confirm with your bank",
    ],
    lacks: ["is overdue", "Otherwise"],
  },
  {
    name: "past due, while another card is charged",
    play: async () => {
      const sold = await buy("pro", CARDS.failsLater);
      await story.travel("2026-04-02");
      await manage("POST", `/sandbox/customers/${sold.customerId}/card`, { card: CARDS.processing });
      await story.app.runDue();
      return sold;
    },
    has: ["US$30.00 is overdue", "The payment for Pro is being processed. You won’t be charged twice."],
    lacks: ["Pay US$30.00", "Otherwise", "Next attempt"],
  },
  {
    name: "an invoice that waits for the seller",
    play: async () => {
      const sold = await buy("pro");
      await story.newCard(sold.customerId, CARDS.refused);
      await story.travel("2026-04-02");
      return sold;
    },
    has: [
      "Active",
      "Open invoice US$30.00 from 1 April 2026. The seller has not been able to charge it yet.",
      "Next charge 1 May 2026: US$30.00",
      "US$30.00 due",
    ],
    lacks: ["overdue"],
  },
  {
    name: "a planned end",
    play: async () => {
      const sold = await buy("pro");
      await story.change(sold.id, { cancelAtPeriodEnd: true });
      return sold;
    },
    has: ["Active Ends on 1 April 2026. You won’t be charged again. Price until the end", "Undo cancellation"],
    lacks: ["Next charge", "Last charge", "Cancel subscription"],
  },
  {
    name: "a planned end with lines that wait",
    play: async () => {
      const sold = await buy("pro");
      await story.travel("2026-03-17T00:00:00Z");
      await story.change(sold.id, { productKey: "team", prorationBehavior: "next_invoice" });
      await story.change(sold.id, { cancelAtPeriodEnd: true });
      return sold;
    },
    has: ["Ends on 1 April", "Last charge 1 April 2026: US$14.88 to Visa •••• 4242"],
  },
  {
    name: "a planned end with credit that waits",
    play: async () => {
      const sold = await buy("team");
      await story.travel("2026-03-17T00:00:00Z");
      await story.change(sold.id, { productKey: "pro", prorationBehavior: "next_invoice" });
      await story.change(sold.id, { cancelAtPeriodEnd: true });
      return sold;
    },
    has: ["At the end 1 April 2026: US$14.88 to your account balance"],
    lacks: ["Last charge"],
  },
  {
    name: "a change at the end of the period",
    play: async () => {
      const sold = await buy("pro");
      await story.change(sold.id, { productKey: "team", prorationBehavior: "next_period" });
      return sold;
    },
    has: ["From 1 April 2026 Team , US$60.00 every month", "Next charge 1 April 2026: US$60.00 to Visa •••• 4242"],
  },
  {
    name: "a change to a Product that is not for sale any more",
    play: async () => {
      const sold = await buy("pro");
      const { id } = await story.plan("gone", 9000);
      await story.change(sold.id, { productId: id, prorationBehavior: "next_period" });
      await manage("PATCH", `/products/${id}`, { archived: true });
      return sold;
    },
    has: ["Next charge 1 April 2026: US$30.00"],
    lacks: ["From 1 April", "US$90.00"],
  },
  {
    name: "a discount that ends later",
    play: async () => {
      const months = { type: "percentage", basisPoints: 1000, duration: "repeating", months: 2 };
      await manage("POST", "/discounts", { code: "TENTH", ...months });
      return buy("pro", CARDS.pays, { discountCode: "TENTH" });
    },
    has: ["Discount 10% off until 1 May 2026", "Next charge 1 April 2026: US$27.00 to Visa •••• 4242"],
  },
  {
    name: "a discount that has ended",
    play: async () => {
      await manage("POST", "/discounts", { code: "ONCE", type: "percentage", basisPoints: 1000, duration: "once" });
      return buy("pro", CARDS.pays, { discountCode: "ONCE" });
    },
    has: ["Next charge 1 April 2026: US$30.00 to Visa •••• 4242"],
    lacks: ["Discount"],
  },
  {
    name: "a balance that pays a part",
    play: async () => {
      const sold = await buy("pro");
      await credit(sold.customerId, 1000);
      return sold;
    },
    has: [
      "Next charge 1 April 2026: US$20.00 to Visa •••• 4242, and US$10.00 from your account balance",
      "Account balance: US$10.00. Your next charges use it first.",
    ],
  },
  {
    name: "a balance that pays all",
    play: async () => {
      const sold = await buy("pro");
      await credit(sold.customerId, 5000);
      return sold;
    },
    has: ["Next charge 1 April 2026: US$30.00 from your account balance"],
  },
  {
    name: "a debt on the balance",
    play: async () => {
      const sold = await buy("pro");
      await credit(sold.customerId, -500);
      return sold;
    },
    has: ["Next charge 1 April 2026: US$35.00 to Visa •••• 4242", "You still owe US$5.00 from an earlier invoice."],
  },
  {
    name: "two plans and one credit",
    play: async () => {
      await story.plan("add-on", 2000, { name: "Add-on", group: "add-ons" });
      const sold = await buy("pro");
      await story.travel("2026-03-10");
      await buy("add-on");
      await credit(sold.customerId, 4000);
      return sold;
    },
    has: [
      "Next charge 1 April 2026: US$30.00 from your account balance",
      "Next charge 10 April 2026: US$10.00 to Visa •••• 4242, and US$10.00 from your account balance",
    ],
  },
  {
    name: "a card that its owner disputed a payment of",
    play: async () => {
      const sold = await buy("pro");
      const { data } = await manage("GET", `/payments?subscriptionId=${sold.id}`);
      await manage("POST", `/sandbox/payments/${data[0].id}/dispute`, {});
      return sold;
    },
    has: [
      "US$30.00, but Visa •••• 4242 is not charged automatically, because your bank reversed a payment with it",
      "Visa •••• 4242 is not charged automatically",
    ],
  },
  {
    name: "a free plan",
    play: async () => {
      await story.plan("free", 0, { name: "Free" });
      return buy("free");
    },
    has: ["Next charge 1 April 2026: no charge"],
  },
];

describe("the portal tells the payments that are still to come", () => {
  it.each(ROWS)("$name", async ({ play, has, lacks = [] }) => {
    const { customerId } = await play();
    const words = await read(customerId);
    const positions = has.map((said) => {
      expect(words).toContain(said);
      return words.indexOf(said);
    });
    expect(positions).toEqual([...positions].sort((one, other) => one - other));
    for (const said of lacks) expect(words).not.toContain(said);
  });
});

describe("in real time", () => {
  beforeEach(async () => {
    await story.close();
    story = await startStory({}, { trustedProxies: ["127.0.0.1"] });
    await story.plan("pro", 3000, { name: "Pro" });
  });

  it("the portal tells a renewal that no worker has made yet, and a charge under way", async () => {
    const { id, customerId } = await buy("pro");
    await story.newCard(customerId, CARDS.processing);
    await story.endPeriod(id);
    expect(await read(customerId)).toMatch(/Next charge US\$30\.00 to Visa •••• 2024, due since .* not charged yet/);
    await story.app.runDue();
    const words = await read(customerId);
    for (const said of ["Active", "Payment in progress US$30.00", "US$30.00 Payment in progress"])
      expect(words).toContain(said);
    for (const said of ["overdue", "Pay", "not charged yet"]) expect(words).not.toContain(`${said} `);
    const { data } = await manage("GET", `/invoices?subscriptionId=${id}&status=open`);
    const page = wordsOf(await (await fetch(data[0].url)).text());
    expect(page).toContain("Your payment is being processed");
    expect(page).not.toContain("The next payment attempt");
  });
});
