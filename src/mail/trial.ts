import type { Words } from "../texts/words.ts";
import { deliverableBlocks, type Deliverables } from "./deliverables.ts";
import type { EmailContent } from "./email-content.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/** A trial that has begun. `day`: the day of its end. `website`: the seller's own. */
export type TrialFacts = {
  product: string;
  seller: string;
  day: string;
  portal: string;
  website: string | null;
  deliverables: Deliverables;
  next: NextCharge | null;
};

/** A trial that ends later than before. `day`: the day of its end. */
export type LongerTrialFacts = Pick<TrialFacts, "product" | "day" | "portal" | "next">;

export function trialExtended(facts: LongerTrialFacts, { mailSubscription: said }: Words): EmailContent {
  const { product, day, portal, next } = facts;
  return {
    subject: said.longerSubject({ product, day }),
    heading: said.longerTitle({ day }),
    blocks: [
      { text: said.longer({ product, day }) },
      ...(next === null ? [] : nextChargeBlocks(next)),
      { label: said.account, url: portal },
    ],
  };
}

export function trialStarted(facts: TrialFacts, words: Words): EmailContent {
  const { product, seller, day, portal, website, deliverables, next } = facts;
  const { mailSubscription: said, mailReceipt } = words;
  return {
    subject: said.startedSubject({ product }),
    heading: said.startedTitle,
    blocks: [
      { text: said.started({ product, day }) },
      ...deliverableBlocks(deliverables, portal, words),
      ...(next === null ? [] : nextChargeBlocks(next)),
      { label: said.account, url: portal },
      ...(website === null ? [] : [{ links: [{ label: mailReceipt.site({ seller }), url: website }] }]),
    ],
  };
}
