import type { Words } from "../texts/words.ts";
import { deliverableBlocks, type Deliverables } from "./deliverables.ts";
import type { EmailContent } from "./email-content.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/** A purchase of 0. `url`: the page of its invoice. `website`: the seller's own. */
export type OrderFacts = {
  product: string;
  seller: string;
  url: string;
  portal: string;
  website: string | null;
  deliverables: Deliverables;
  /** Null for a one-time purchase. */
  next: NextCharge | null;
};

export function orderConfirmation(facts: OrderFacts, words: Words): EmailContent {
  const { product, seller, url, portal, website, deliverables, next } = facts;
  const said = words.mailReceipt;
  const account = { label: said.account, url: portal };
  // The button that downloads leads to the account, too. Two buttons would be two equal ways.
  const downloads = deliverables.files.length > 0;
  return {
    subject: said.orderSubject({ seller }),
    heading: said.orderTitle,
    blocks: [
      { text: said.order({ product }) },
      ...deliverableBlocks(deliverables, portal, words),
      ...(next === null ? [] : nextChargeBlocks(next)),
      ...(downloads ? [] : [account]),
      {
        links: [
          ...(downloads ? [account] : []),
          { label: said.invoice, url },
          ...(website === null ? [] : [{ label: said.site({ seller }), url: website }]),
        ],
      },
    ],
  };
}
