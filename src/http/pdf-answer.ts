import type { Answer } from "../actions/answer.ts";
import { documentETag, fileName, type BillingDocument } from "../documents/billing-document.ts";
import { renderPdf } from "../documents/render.ts";
import { VERSION } from "../version.ts";

/** A document as a PDF that a browser shows, and saves under its number. */
export function pdfAnswer(document: BillingDocument): Answer {
  const headers = {
    "Content-Type": "application/pdf",
    "Content-Disposition": `inline; filename="${fileName(document)}"`,
    ETag: documentETag(document, VERSION),
  };
  return { status: 200, headers, body: "", file: () => renderPdf(document) };
}
