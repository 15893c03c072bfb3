import type { BillingDocument } from "../documents/billing-document.ts";
import type { Letter } from "./letter.ts";

/** `document`: the invoice as on its page and in its PDF. `url`: the URL of that page. */
export type ReceiptFacts = { document: BillingDocument; seller: string; total: string; url: string };

export function receipt({ document, seller, total, url }: ReceiptFacts): Letter {
  const { number, status, lines, totals, movements, notes } = document;
  const withNotes = (text: string, more: string[]) => (more.length === 0 ? text : `${text} (${more.join(" · ")})`);
  return {
    subject: `Your receipt from ${seller}: ${total}`,
    heading: `Receipt for invoice ${number}`,
    blocks: [
      { text: `Thank you. ${status.text}. The invoice is attached as a PDF.` },
      { rows: lines.map((line) => ({ name: withNotes(line.description, line.notes), value: line.amount })) },
      { rows: totals },
      ...(movements.rows.length === 0
        ? []
        : [
            {
              rows: movements.rows.map(({ how, date, note, amount }) => ({
                name: withNotes(how, note === null ? [date] : [date, note]),
                value: amount,
              })),
            },
          ]),
      ...notes.map((text) => ({ text })),
      { label: "View the invoice", url },
    ],
  };
}
