import type { BillingDocument } from "../documents/billing-document.ts";
import type { Words } from "../texts/words.ts";
import type { Block, Letter } from "./letter.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/** The goods of a purchase, by the names of their Benefits. `devices`: the most devices of a key; null: no limit. */
export type Goods = {
  keys: { benefit: string; key: string; devices: number | null }[];
  files: { benefit: string; names: string[] }[];
  notes: { benefit: string; note: string }[];
  /** The names of the other Benefits. */
  others: string[];
};

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

function goodsOf(
  { keys, files, notes, others }: Goods,
  portal: string,
  { mailFrame: { label }, mailReceipt: said }: Words,
): Block[] {
  const blocks: Block[] = [
    ...keys.map(({ benefit, key, devices }) => ({
      name: `${said.licenseKey} · ${benefit}`,
      code: key,
      notes: devices === null ? [] : [said.devices({ count: devices })],
    })),
    ...notes.map(({ benefit, note }) => ({ text: `${label({ name: benefit })} ${note}` })),
    ...(others.length === 0 ? [] : [{ rows: [{ name: said.included, value: others.join(" · ") }] }]),
  ];
  const list = files.map(({ benefit, names }) => ({ name: benefit, value: names.join(" · ") }));
  const downloads: Block[] =
    files.length === 0 ? [] : [{ rows: list }, { text: said.signIn }, { label: said.download, url: portal }];
  const all = [...blocks, ...downloads];
  return all.length === 0 ? [] : [{ title: said.goods }, ...all];
}

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
      ...(goods === null ? [] : goodsOf(goods, portal, words)),
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
