import type { BillingDocument } from "../documents/billing-document.ts";
import type { Words } from "../texts/words.ts";
import { goodsBlocks, type Goods } from "./goods.ts";
import type { Block, Letter } from "./letter.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/**
 * `document`: the invoice as on its page and in its PDF. `url`: the URL of that page. `goods`: set on the receipt of a
 * purchase. `website`: the seller's own. `hasGoods`: whether the portal has license keys or files of the Subscription.
 */
export type ReceiptFacts = {
  document: BillingDocument;
  seller: string;
  total: string;
  url: string;
  portal: string;
  website: string | null;
  goods: Goods | null;
  hasGoods: boolean;
  /** Null for a one-time purchase. */
  next: NextCharge | null;
};

/** The amounts of the document: its lines, its totals, and the payments. */
function amounts({ lines, totals, movements, notes }: BillingDocument, { mailReceipt: said }: Words): Block[] {
  const withNotes = (name: string, more: string[]) =>
    more.length === 0 ? name : said.noted({ name, notes: more.join(" · ") });
  const paid = movements.rows.map(({ how, date, note, document, amount }) => ({
    name: withNotes(
      how,
      [date, document?.title, note].filter((each) => typeof each === "string"),
    ),
    value: amount,
  }));
  return [
    { rows: lines.map((line) => ({ name: withNotes(line.description, line.notes), value: line.amount })) },
    { rows: totals },
    ...(paid.length === 0 ? [] : [{ rows: paid }]),
    ...notes.map((text) => ({ text })),
  ];
}

export function receipt(facts: ReceiptFacts, words: Words): Letter {
  const { document, seller, total, url, portal, website, goods, hasGoods, next } = facts;
  const said = words.mailReceipt;
  return {
    subject: said.subject({ seller, total }),
    heading: said.title,
    blocks: [
      { text: said.paid({ status: document.status.text, number: document.number }) },
      ...(goods === null ? [] : goodsBlocks(goods, portal, words)),
      ...amounts(document, words),
      { label: said.invoice, url },
      ...(next === null ? [] : nextChargeBlocks(next)),
      ...(goods === null && hasGoods ? [{ text: said.keptGoods }] : []),
      {
        links: [
          { label: said.pdf, url: `${url}/pdf` },
          { label: said.account, url: portal },
          ...(website === null ? [] : [{ label: said.site({ seller }), url: website }]),
        ],
      },
    ],
  };
}
