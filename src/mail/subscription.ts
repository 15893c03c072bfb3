import type { Period } from "../domain/calendar.ts";
import { plainSentences } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";
import type { Block, EmailContent } from "./email-content.ts";

/** The means of payment on file. `name`: the card, with its last digits. */
type PaidBy = { means: "card"; name: string } | { means: "balance" };

/** The next event of a Subscription, in words. */
export type AheadFacts = {
  product: string;
  /** The day of the event. */
  day: string;
  /** The amount that is due on that day, tax included. */
  amount: string;
  /** The period that begins on that day. */
  period: Period;
  /** Null if there is no means of payment on file. */
  paidBy: PaidBy | null;
  /**
   * True if a dispute blocks off-session charges of that card, so that the buyer has to make the payment in person
   * (rule D6).
   */
  isDisputed: boolean;
  seller: string;
  /** The page on which the Subscription can be canceled; null: the seller allows no cancellation there (rule I10). */
  portal: string | null;
  /** The page on which the buyer gives another card. */
  portalCard: string;
};

/** The period of the next payment: `for the next 3 months`. */
function spanOf({ mailSubscription: said }: Words, { interval, intervalCount: count }: Period): string {
  const spans = { day: said.forDay, week: said.forWeek, month: said.forMonth, year: said.forYear };
  return spans[interval]({ count });
}

/** The next payment and its means. `more`: a link to the portal's card page, if the buyer has to act. */
export function payment(
  words: Words,
  { amount, period, paidBy, isDisputed, portalCard }: AheadFacts,
  kind: "trial" | "renewal",
): { sentences: string[]; more: Block[] } {
  const said = words.mailSubscription;
  const charge = { amount, span: spanOf(words, period) };
  const add: Block = { label: said.addCard, url: portalCard };
  if (paidBy === null) {
    const text = (kind === "trial" ? said.trialNoCard : said.renewalNoCard)(charge);
    return { sentences: [text], more: [add] };
  }
  if (paidBy.means === "balance")
    return { sentences: [kind === "trial" ? said.trialBalance(charge) : said.renewalBalance(charge)], more: [] };
  const card = paidBy.name;
  if (isDisputed) {
    const due = kind === "trial" ? said.trialHeld(charge) : said.renewalHeld(charge);
    return { sentences: [due, said.held({ card })], more: [add] };
  }
  return {
    sentences: [kind === "trial" ? said.trialCard({ ...charge, card }) : said.renewalCard({ ...charge, card })],
    more: [],
  };
}

/** The way to cancel before the day. */
export function cancel({ mailSubscription: said, seller: words }: Words, { day, portal, seller }: AheadFacts): Block[] {
  if (portal === null) return [{ text: words.cancelBySeller({ seller }) }];
  return [{ text: said.cancel({ day }) }, { label: said.account, url: portal }];
}

export function trialEnding(facts: AheadFacts, words: Words): EmailContent {
  const { product, day, paidBy } = facts;
  const said = words.mailSubscription;
  const { sentences, more } = payment(words, facts, "trial");
  return {
    subject: said.trialSubject({ product, day }),
    heading: said.trialTitle({ day }),
    blocks: [
      { text: plainSentences(words, said.trial({ product, day }), ...sentences) },
      ...more,
      ...(paidBy === null ? [] : cancel(words, facts)),
    ],
  };
}

export function renewalUpcoming(facts: AheadFacts, words: Words): EmailContent {
  const { product, day } = facts;
  const said = words.mailSubscription;
  const { sentences, more } = payment(words, facts, "renewal");
  return {
    subject: said.renewalSubject({ product, day }),
    heading: said.renewalTitle({ day }),
    blocks: [
      { text: plainSentences(words, said.renewal({ product, day }), ...sentences) },
      ...more,
      ...cancel(words, facts),
    ],
  };
}

export function resumeUpcoming(facts: AheadFacts, words: Words): EmailContent {
  const { product, day } = facts;
  const said = words.mailPause;
  const { sentences, more } = payment(words, facts, "renewal");
  return {
    subject: said.resumeSubject({ product, day }),
    heading: said.resumeTitle({ day }),
    blocks: [
      { text: plainSentences(words, said.resume({ product, day }), ...sentences) },
      ...more,
      ...cancel(words, facts),
    ],
  };
}

/**
 * An ended Subscription, in words. `ended`: the trial if no paid period began, a purchase that the Customer did not
 * recognize, or a new price to which the Customer did not agree (rules C13, N6).
 */
export type EndFacts = {
  seller: string;
  product: string;
  day: string;
  ended: "paid" | "trial" | "unrecognized" | "price";
};

export function renewalFailed({ seller, product, day }: EndFacts, { mailSubscription: said }: Words): EmailContent {
  return {
    subject: said.endedSubject({ product }),
    heading: said.endedTitle,
    blocks: [{ text: said.unpaid({ product, day }) }, { text: said.again({ seller }) }],
  };
}

export function canceled({ seller, product, day, ended }: EndFacts, words: Words): EmailContent {
  const { mailSubscription: said, mailPrice } = words;
  const [subject, heading, text, more] = {
    paid: [said.endedSubject, said.endedTitle, said.ended, said.again] as const,
    price: [said.endedSubject, said.endedTitle, mailPrice.ended, said.again] as const,
    trial: [said.trialEndedSubject, said.trialEndedTitle, said.trialEnded, said.again] as const,
    unrecognized: [said.unrecognizedSubject, said.unrecognizedTitle, said.unrecognized, said.notYou] as const,
  }[ended];
  return {
    subject: subject({ product }),
    heading,
    blocks: [{ text: text({ product, day }) }, { text: more({ seller }) }],
  };
}
