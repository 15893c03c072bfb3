import type { Letter } from "./letter.ts";

/** An invoice that is not paid, in words. `card`: what it was charged to; null: there was none. */
export type UnpaidFacts = {
  amount: string;
  product: string;
  card: string | null;
  /** Why the bank refused, in a sentence. */
  reason: string;
  /** The day on which the card on file is charged again; null: it is not. */
  retryOn: string | null;
  /** Until which day access stays, or that it is off; null: it is not affected. */
  access: { until: string } | "off" | null;
  /** The page on which the invoice is paid, and the charge confirmed. */
  url: string;
};

function accessOf(access: UnpaidFacts["access"]): string {
  if (access === null) return "";
  return access === "off" ? " Your access is off until everything that is owed is paid." : ` Your access stays until ${access.until}.`;
}

export function paymentFailed({ amount, product, card, reason, retryOn, access, url }: UnpaidFacts): Letter {
  const failed = card === null ? `${amount} for ${product} is due.` : `${amount} for ${product} could not be charged to ${card}.`;
  const retry =
    retryOn === null
      ? "It is not charged again by itself: please pay it with a card."
      : `Unless you pay before, it is charged again on ${retryOn}.`;
  return {
    subject: `We could not charge ${amount} for ${product}`,
    heading: "Your payment did not go through",
    blocks: [{ text: `${failed} ${reason}` }, { text: retry + accessOf(access) }, { label: `Pay ${amount}`, url }],
  };
}

export function authenticationRequired({ amount, product, card, retryOn, access, url }: UnpaidFacts): Letter {
  const charged = `${amount} for ${product} is charged to ${card ?? "your card"} as soon as you confirm it at your bank`;
  const retry = retryOn === null ? ", and not before." : `. Unless you confirm or pay before, it is charged again on ${retryOn}.`;
  return {
    subject: `Please confirm your payment of ${amount}`,
    heading: "Your bank asks you to confirm a payment",
    blocks: [
      { text: charged + retry },
      { text: `On the page you can also pay with another card.${accessOf(access)}` },
      { label: "Confirm the payment", url },
    ],
  };
}
