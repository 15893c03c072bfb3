import type { Letter } from "./letter.ts";

/** An unpaid invoice, in words. `card`: the card that was charged, or null. */
export type UnpaidFacts = {
  amount: string;
  product: string;
  card: string | null;
  /** The bank's reason for the refusal, in a sentence. */
  reason: string;
  /** True if the charge was not tried, because a dispute blocks off-session charges of that card (rule D6). */
  isDisputed: boolean;
  /** The day on which the card on file is charged again; null if the card is not charged again. */
  retryOn: string | null;
  /** A sentence about the buyer's access; null if access is not affected. */
  access: string | null;
  /** The page on which the buyer pays the invoice or confirms the charge. */
  url: string;
};

/** A text, followed by the sentence about the buyer's access, if any. */
const withAccess = (text: string, access: string | null) => (access === null ? text : `${text} ${access}`);

/** The card is not charged because of a dispute (rule D6). The letter gives the reason, and the way to pay. */
function notCharged({ amount, product, card, retryOn, access, url }: UnpaidFacts): Letter {
  const why = "Your bank reversed an earlier payment with this card, because that payment was disputed.";
  const retry = retryOn === null ? [] : [`Unless you pay first, your card on file is charged on ${retryOn}.`];
  const next = [...retry, ...(access === null ? [] : [access])].join(" ");
  return {
    subject: `Please pay ${amount} for ${product} yourself`,
    heading: "We did not charge your card",
    blocks: [
      { text: `${amount} for ${product} is due, and was not charged to ${card}. ${why}` },
      {
        text:
          "You can pay with this card or with another one. " +
          "Later payments are charged to the card that you pay with.",
      },
      ...(next === "" ? [] : [{ text: next }]),
      { label: `Pay ${amount}`, url },
    ],
  };
}

export function paymentFailed(facts: UnpaidFacts): Letter {
  const { amount, product, card, reason, isDisputed, retryOn, access, url } = facts;
  if (isDisputed) return notCharged(facts);
  const failed =
    card === null ? `${amount} for ${product} is due.` : `${amount} for ${product} could not be charged to ${card}.`;
  const retry =
    retryOn === null
      ? "This amount is not charged again automatically. Please pay it with a card."
      : `Unless you pay first, the amount is charged again on ${retryOn}.`;
  return {
    subject: `We could not charge ${amount} for ${product}`,
    heading: "Your payment did not go through",
    blocks: [{ text: `${failed} ${reason}` }, { text: withAccess(retry, access) }, { label: `Pay ${amount}`, url }],
  };
}

export function authenticationRequired({ amount, product, card, retryOn, access, url }: UnpaidFacts): Letter {
  const source = card ?? "your card";
  const charged = `${amount} for ${product} is charged to ${source} as soon as you confirm it at your bank`;
  const retry =
    retryOn === null
      ? ", and not before."
      : `. Unless you confirm or pay first, the amount is charged again on ${retryOn}.`;
  return {
    subject: `Please confirm your payment of ${amount}`,
    heading: "Your bank asks you to confirm a payment",
    blocks: [
      { text: charged + retry },
      { text: withAccess("On the page you can also pay with another card.", access) },
      { label: "Confirm the payment", url },
    ],
  };
}
