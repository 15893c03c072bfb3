import { pdfInDraft, type ExportedPdf } from "../../archive/export-file.ts";
import type { ExportDraft } from "../../archive/export-draft.ts";
import { PDFS } from "../../archive/export-manifest.ts";
import type { Context } from "../../context.ts";
import { documentDigest, type IssuedDocument } from "../../documents/billing-document.ts";
import { renderPdf } from "../../documents/render.ts";
import { listCreditNotes } from "../../store/credit-notes.ts";
import type { Queryable, Snapshot } from "../../store/driver/db.ts";
import type { ExportedTable } from "../../store/export.ts";
import { listInvoices } from "../../store/invoices.ts";
import { readCreditNoteDocument } from "../invoice/credit-note-document.ts";
import { readInvoiceDocument } from "../invoice/invoice-document.ts";

/** The tables behind a document, beside the row of the Organization. */
export const PDF_TABLES: readonly ExportedTable[] = [
  "invoices",
  "invoice_lines",
  "payments",
  "refunds",
  "credit_notes",
];

/** A PDF is drawn in a process of its own. Meanwhile the next documents are read. */
const AT_ONCE = 8;

type Listed = { id: string; number: string };
type Kind = {
  resource: ExportedPdf["resource"];
  folder: string;
  list(db: Queryable, organizationId: string, query: { limit: number; cursor?: string }): Promise<Listed[]>;
  read(ctx: Context, organizationId: string, id: string): Promise<IssuedDocument | null>;
};

const KINDS: readonly Kind[] = [
  { resource: "Invoice", folder: "invoices", list: listInvoices, read: readInvoiceDocument },
  { resource: "CreditNote", folder: "credit-notes", list: listCreditNotes, read: readCreditNoteDocument },
];

/** The same Context, with the snapshot in place of reads. */
export const readingFrom = (ctx: Context, { query }: Snapshot): Context => ({
  ...ctx,
  db: { ...ctx.db, read: { kind: "read", query } },
});

/** `version`: the version of the code that draws the documents. */
export type PdfOptions = { version: string; signal: AbortSignal };

/**
 * Draws the documents of an Organization into the draft, and yields a line for each, page by page. A PDF of an earlier
 * run is kept if its words are the same.
 */
export async function* drawPdfs(
  ctx: Context,
  organizationId: string,
  draft: ExportDraft,
  { version, signal }: PdfOptions,
): AsyncGenerator<ExportedPdf[]> {
  const draw = async ({ resource, folder, read }: Kind, { id, number }: Listed): Promise<ExportedPdf> => {
    const { document } = (await read(ctx, organizationId, id))!;
    const digest = documentDigest(document, version);
    const measured = await draft.once(pdfInDraft(digest), () => renderPdf(organizationId, document));
    return { path: `${PDFS}${folder}/${number}.pdf`, resource, id, number, digest, ...measured };
  };
  for (const kind of KINDS) {
    let cursor: string | undefined;
    do {
      signal.throwIfAborted();
      const query = { limit: AT_ONCE, ...(cursor !== undefined && { cursor }) };
      const found = await kind.list(ctx.db.read, organizationId, query);
      const page = found.slice(0, AT_ONCE);
      yield await Promise.all(page.map((each) => draw(kind, each)));
      cursor = found.length > AT_ONCE ? page.at(-1)!.id : undefined;
    } while (cursor !== undefined);
  }
}
