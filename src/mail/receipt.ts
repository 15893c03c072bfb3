import type { BillingDocument } from "../documents/billing-document.ts";
import type { Words } from "../texts/words.ts";
import { deliverableBlocks, type Deliverables } from "./deliverables.ts";
import type { Block, EmailContent, Row } from "./email-content.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/**
 * `document`: the invoice as on its page and in its PDF. `url`: the URL of that page. `deliverables`: set on the
 * receipt of a purchase. `website`: the seller's own. `hasDeliverables`: whether the portal has license keys or files
 * of the Subscription.
 */
export type ReceiptFacts = {
  document: BillingDocument;
  seller: string;
  total: string;
  url: string;
  portal: string;
  website: string | null;
  deliverables: Deliverables | null;
  hasDeliverables: boolean;
  /** Null for a one-time purchase. */
  next: NextCharge | null;
};

/**
 * The rows of the totals that tell something new. The subtotal is the total if the two rows follow each other: no
 * discount and no tax stands between. The amount paid is the total if the balance had no part.
 */
function receiptTotals({ totals }: BillingDocument, { document: said }: Words): Row[] {
  const total = totals.findIndex(({ name, strong }) => strong && name === said.total);
  return totals.filter(({ name, value }, n) => {
    const repeats = name === said.subtotal ? n === total - 1 : name === said.amountPaid;
    return !repeats || value !== totals[total]?.value;
  });
}

/** The payments and refunds. The only payment names its means: its amount is the total, which stands above. */
function receiptMovements({ totals, movements: { heading, rows } }: BillingDocument, words: Words): Row[] {
  const named = rows.map(({ how, date, note, document, amount }) => ({
    name: withNotes(
      how,
      [date, document?.title, note].filter((each) => typeof each === "string"),
      words,
    ),
    value: amount,
  }));
  const [only, ...others] = named;
  const isTotal = ({ name, value }: Row) => name === words.document.total && value === only?.value;
  return only && others.length === 0 && totals.some(isTotal) ? [{ name: heading, value: only.name }] : named;
}

const withNotes = (name: string, notes: readonly string[], { mailReceipt: said }: Words): string =>
  notes.length === 0 ? name : said.noted({ name, notes: notes.join(" · ") });

/** The amounts of the document: its lines, its totals, and the payments. Each amount stands where it is new. */
function amounts(document: BillingDocument, words: Words): Block[] {
  const { lines, notes } = document;
  const paid = receiptMovements(document, words);
  return [
    { rows: lines.map((line) => ({ name: withNotes(line.description, line.notes, words), value: line.amount })) },
    { rows: receiptTotals(document, words) },
    ...(paid.length === 0 ? [] : [{ rows: paid }]),
    ...notes.map((text) => ({ text })),
  ];
}

export function receipt(facts: ReceiptFacts, words: Words): EmailContent {
  const { document, seller, total, url, portal, website, deliverables, hasDeliverables, next } = facts;
  const said = words.mailReceipt;
  return {
    subject: said.subject({ seller, total }),
    heading: said.title,
    blocks: [
      { text: said.paid({ status: document.status.text, number: document.number }) },
      ...(deliverables === null ? [] : deliverableBlocks(deliverables, portal, words)),
      ...amounts(document, words),
      { label: said.invoice, url },
      ...(next === null ? [] : nextChargeBlocks(next)),
      ...(deliverables === null && hasDeliverables ? [{ text: said.deliverablesInAccount }] : []),
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
