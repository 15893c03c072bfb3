import type { Block, Letter } from "./letter.ts";

/** The next event of a Subscription, in words. */
export type AheadFacts = {
  seller: string;
  product: string;
  /** The day of the event. */
  day: string;
  /** The amount that is due on that day, tax included. */
  amount: string;
  /** The length of the period that begins on that day: `month`, `3 months`. */
  period: string;
  /** The means of payment on file: a card, or the account balance; null if there is no such means. */
  paidBy: string | null;
  /**
   * True if a dispute blocks off-session charges of that card, so that the buyer has to make the payment in person
   * (rule D6).
   */
  isDisputed: boolean;
  /** The page on which the Subscription can be canceled. */
  portal: string;
};

function cancel({ day, portal }: AheadFacts): Block[] {
  return [
    { text: `If you would rather stop, sign in to your account and cancel before ${day}.` },
    { label: "Your account", url: portal },
  ];
}

/** The sentences for a card that is not charged off-session because of a dispute. */
const heldBack = ({ paidBy, seller }: AheadFacts) =>
  `Your bank reversed an earlier payment with ${paidBy}, so that card is not charged automatically. ` +
  `Please give ${seller} another card ` +
  "before then. Otherwise, you will get an e-mail with a link to a page for the payment.";

export function trialEnding(facts: AheadFacts): Letter {
  const { product, day, amount, period, paidBy, isDisputed, seller } = facts;
  const goesOn = isDisputed
    ? `Then ${amount} for the first ${period} is due. ${heldBack(facts)}`
    : paidBy === null
      ? `There is no card on file. Unless you give ${seller} a card before then, your access ends on that day, ` +
        "and you are not charged."
      : `Then ${amount} for the first ${period} is charged to ${paidBy}. You do not need to do anything to continue.`;
  return {
    subject: `Your trial of ${product} ends on ${day}`,
    heading: `Your trial ends on ${day}`,
    blocks: [{ text: `Your trial of ${product} ends on ${day}. ${goesOn}` }, ...(paidBy === null ? [] : cancel(facts))],
  };
}

export function renewalUpcoming(facts: AheadFacts): Letter {
  const { product, day, amount, period, paidBy, isDisputed, seller } = facts;
  const paid = isDisputed
    ? `${amount} is due then. ${heldBack(facts)}`
    : paidBy === null
      ? `${amount} is due then, and there is no card on file. Please give ${seller} a card before that day.`
      : `${amount} is charged to ${paidBy}.`;
  return {
    subject: `${product} renews on ${day}`,
    heading: `Your subscription renews on ${day}`,
    blocks: [{ text: `${product} renews on ${day} for another ${period}. ${paid}` }, ...cancel(facts)],
  };
}

/** An ended Subscription, in words. */
export type EndFacts = { seller: string; product: string; day: string; endedWithTrial: boolean };

export function renewalFailed({ seller, product, day }: EndFacts): Letter {
  return {
    subject: `Your subscription to ${product} has ended`,
    heading: "Your subscription has ended",
    blocks: [
      { text: `We tried several times to charge the amount due for ${product}, without success.` },
      { text: `Therefore it ended on ${day}, and your access ended with it.` },
      { text: `We will not try again. If you want it back, you can buy it again from ${seller}.` },
    ],
  };
}

export function canceled({ seller, product, day, endedWithTrial }: EndFacts): Letter {
  const how = endedWithTrial
    ? `Your trial of ${product} ended on ${day}, and your access ended with it. You were not charged.`
    : `Your subscription to ${product} ended on ${day}, and your access ended with it. It does not renew any more.`;
  return {
    subject: endedWithTrial ? `Your trial of ${product} has ended` : `Your subscription to ${product} has ended`,
    heading: endedWithTrial ? "Your trial has ended" : "Your subscription has ended",
    blocks: [{ text: how }, { text: `If you want it back, you can buy it again from ${seller}.` }],
  };
}
