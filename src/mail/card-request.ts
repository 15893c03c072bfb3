import { plainSentences } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";
import type { EmailContent } from "./email-content.ts";
import { cancel, payment, type AheadFacts } from "./subscription.ts";

/** A next charge without a card. `isTrial`: the trial ends on that day, and so does the access without a card (rule C2). */
export type CardRequestFacts = AheadFacts & { isTrial: boolean };

/** Asks the Customer of an imported Subscription for a card (rule V21). */
export function cardRequest(facts: CardRequestFacts, words: Words): EmailContent {
  const { product, day, seller, isTrial } = facts;
  const { mailCardRequest: said, mailSubscription } = words;
  const { sentences, more } = payment(words, facts, isTrial ? "trial" : "renewal");
  const next = (isTrial ? mailSubscription.trial : mailSubscription.renewal)({ product, day });
  return {
    subject: said.subject({ product, day }),
    heading: said.title({ day }),
    blocks: [
      { text: said.moved({ seller, product }) },
      { text: plainSentences(words, next, ...sentences) },
      ...more,
      ...(isTrial ? [] : cancel(words, facts)),
    ],
  };
}
