import { plainSentences } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";
import type { Block, EmailContent } from "./email-content.ts";

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
  /** A sentence about the end of the Subscription with that charge (rule N6); null if it goes on. */
  end: string | null;
  /** A sentence about the buyer's access; null if access is not affected. */
  access: string | null;
  /** The page on which the buyer pays the invoice or confirms the charge. */
  url: string;
};

/** A paragraph of these sentences. Without a sentence there is no paragraph. */
function paragraph(words: Words, ...texts: readonly (string | null)[]): Block[] {
  const text = plainSentences(words, ...texts.map((each) => each ?? ""));
  return text === "" ? [] : [{ text }];
}

/** The card is not charged because of a dispute (rule D6). The e-mail gives the reason, and the way to pay. */
function notCharged(
  { amount, product, card, retryOn: day, end, access, url }: UnpaidFacts,
  words: Words,
): EmailContent {
  const said = words.mailPayment;
  return {
    subject: said.heldSubject({ amount, product }),
    heading: said.heldTitle,
    blocks: [
      { text: said.held({ amount, product, card: card! }) },
      { text: said.heldCards },
      ...paragraph(words, day && said.heldRetry({ day }), end, access),
      { label: said.pay({ amount }), url },
    ],
  };
}

/** No card was charged, so the e-mail names no failure. */
function withoutCard({ amount, product, reason, access, url }: UnpaidFacts, words: Words): EmailContent {
  const said = words.mailPayment;
  return {
    subject: said.heldSubject({ amount, product }),
    heading: said.dueTitle,
    blocks: [
      ...paragraph(words, said.due({ amount, product }), reason, said.payByCard),
      ...paragraph(words, access),
      { label: said.pay({ amount }), url },
    ],
  };
}

export function paymentFailed(facts: UnpaidFacts, words: Words): EmailContent {
  const { amount, product, card, reason, isDisputed, retryOn: day, end, access, url } = facts;
  if (isDisputed) return notCharged(facts, words);
  if (card === null && day === null) return withoutCard(facts, words);
  const said = words.mailPayment;
  const failed = card === null ? said.due({ amount, product }) : said.failed({ amount, product, card });
  return {
    subject: said.failedSubject({ amount, product }),
    heading: said.failedTitle,
    blocks: [
      ...paragraph(words, failed, reason),
      ...paragraph(words, day === null ? said.noRetry : said.retry({ day }), end, access),
      { label: said.pay({ amount }), url },
    ],
  };
}

export function authenticationRequired(facts: UnpaidFacts, words: Words): EmailContent {
  const { amount, product, card, retryOn: day, end, access, url } = facts;
  const said = words.mailPayment;
  const charged = card === null ? said.confirmAny({ amount, product }) : said.confirm({ amount, product, card });
  return {
    subject: said.confirmSubject({ amount }),
    heading: said.confirmTitle,
    blocks: [
      ...paragraph(words, charged, day && said.confirmRetry({ day }), end),
      ...paragraph(words, said.confirmOther, access),
      { label: said.toBank, url },
    ],
  };
}
