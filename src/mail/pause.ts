import type { Pause } from "../domain/model/subscription.ts";
import type { Words } from "../texts/words.ts";
import type { ContinuedFacts } from "./cancellation.ts";
import type { EmailContent } from "./email-content.ts";
import { nextChargeBlocks } from "./next-charge.ts";

/**
 * A pause, in words. `day`: its first day. `until`: the day of the planned resume; null: there is none. `hasBegun`: the
 * Subscription is paused, so its first day is past.
 */
export type PauseFacts = {
  product: string;
  hasBegun: boolean;
  day: string;
  until: string | null;
  access: Pause["access"];
  portal: string;
};

/** A pause that is scheduled, was changed, or has begun. */
export function pauseInWords(facts: PauseFacts, { mailPause: said, mailSubscription }: Words): EmailContent {
  const { product, hasBegun, day, until, access, portal } = facts;
  const [open, planned] = hasBegun ? [said.begunOpen, said.begunUntil] : [said.open, said.until];
  return {
    subject: hasBegun ? said.begunSubject({ product }) : said.subject({ product, day }),
    heading: hasBegun ? said.begunTitle : said.title({ day }),
    blocks: [
      { text: until === null ? open({ product, day }) : planned({ product, day, until }) },
      { text: access === "keep" ? said.accessStays : said.accessOff },
      { text: hasBegun ? said.end : said.change },
      { label: mailSubscription.account, url: portal },
    ],
  };
}

/** A pause that was undone before its begin, and the next charge of the Subscription. */
export function pauseUndone(facts: ContinuedFacts, { mailPause: said, mailSubscription }: Words): EmailContent {
  const { product, portal } = facts;
  return {
    subject: mailSubscription.continuesSubject({ product }),
    heading: mailSubscription.continuesTitle,
    blocks: [
      { text: said.undone({ product }) },
      ...nextChargeBlocks(facts),
      { label: mailSubscription.account, url: portal },
    ],
  };
}
