import type { Words } from "../texts/words.ts";
import { deliverableBlocks, type Goods } from "./deliverables.ts";
import type { Letter } from "./email-content.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/** A purchase of 0. `url`: the page of its invoice. `website`: the seller's own. */
export type OrderFacts = {
  product: string;
  seller: string;
  url: string;
  portal: string;
  website: string | null;
  goods: Goods;
  /** Null for a one-time purchase. */
  next: NextCharge | null;
};

export function orderConfirmation(facts: OrderFacts, words: Words): Letter {
  const { product, seller, url, portal, website, goods, next } = facts;
  const said = words.mailReceipt;
  const account = { label: said.account, url: portal };
  // The button that downloads leads to the account, too. Two buttons would be two equal ways.
  const downloads = goods.files.length > 0;
  return {
    subject: said.orderSubject({ seller }),
    heading: said.orderTitle,
    blocks: [
      { text: said.order({ product }) },
      ...deliverableBlocks(goods, portal, words),
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
