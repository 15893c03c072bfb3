import { pdfHeaders, type IssuedDocument } from "../documents/billing-document.ts";
import { renderPdf } from "../documents/render.ts";
import { VERSION } from "../version.ts";
import type { Answer } from "./answer.ts";

/** A document as a PDF, drawn only if the client does not have it already (304). */
export function pdfAnswer({ document, organization }: IssuedDocument): Answer {
  return {
    status: 200,
    headers: pdfHeaders(document, VERSION),
    body: "",
    file: () => renderPdf(organization.id, document),
  };
}
