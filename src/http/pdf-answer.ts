import { pdfHeaders, type IssuedDocument } from "../documents/billing-document.ts";
import { renderPdf } from "../documents/render.ts";
import { VERSION } from "../version.ts";
import type { Answer } from "./answer.ts";

/** A document as a PDF, drawn only for those who don't have it already. */
export function pdfAnswer({ document, organization }: IssuedDocument): Answer {
  return { status: 200, headers: pdfHeaders(document, VERSION), body: "", file: () => renderPdf(organization.id, document) };
}
