import { HTTPException } from "hono/http-exception";
import { readCreditNoteDocument } from "../../../actions/invoice/credit-note-document.ts";
import { readInvoiceDocument } from "../../../actions/invoice/invoice-document.ts";
import { titleOfDocument, type BillingDocument, type IssuedDocument } from "../../../documents/billing-document.ts";
import { isId } from "../../../ids.ts";
import { wordsFor } from "../../../texts/words.ts";
import { html } from "hono/html";
import { documentArticle } from "../../documents/page.ts";
import { pdfAnswer } from "../../documents/routes.ts";
import type { PageContext } from "../../environment.ts";
import { layout, type Html } from "../../layout.ts";
import { asFramedPage, pageFrame } from "../../message-frame.ts";
import { together, type Pages } from "../form-action.ts";
import { ROOT, type DashboardRequest } from "../request.ts";

/** A kind of documents, with the path of its pages and the name of the parameter. */
type Kind = { prefix: "inv" | "crn"; path: string; read: typeof readInvoiceDocument };

export const INVOICE_PAGE = `${ROOT}/invoices/:invoiceId`;
export const CREDIT_NOTE_PAGE = `${ROOT}/credit-notes/:creditNoteId`;
const KINDS: readonly Kind[] = [
  { prefix: "inv", path: INVOICE_PAGE, read: readInvoiceDocument },
  {
    prefix: "crn",
    path: CREDIT_NOTE_PAGE,
    read: (ctx, organizationId, id) => readCreditNoteDocument(ctx, organizationId, id),
  },
];

async function documentOf(
  c: PageContext,
  { ctx, organization }: DashboardRequest,
  { prefix, read }: Kind,
): Promise<IssuedDocument> {
  const id = c.req.param(prefix === "inv" ? "invoiceId" : "creditNoteId") ?? "";
  const found = isId(prefix, id) ? await read(ctx, organization.id, id) : null;
  if (!found) throw new HTTPException(404);
  return found;
}

/** The links of a document lead to pages of the buyer, which no frame may show. */
function withoutLinks(document: BillingDocument): BillingDocument {
  const { facts, movements } = document;
  const rows = movements.rows.map((row) => {
    const note = [row.document?.title ?? null, row.note].filter((part) => part !== null).join(" · ");
    return { ...row, document: null, note: note === "" ? null : note };
  });
  return {
    ...document,
    facts: facts.map(({ name, value }) => ({ name, value })),
    movements: { ...movements, rows },
  };
}

/** `…/document`: the document as the buyer sees it, for a frame. `…/pdf`: its PDF. */
const documentPagesOf =
  (kind: Kind): Pages =>
  (ctx, app, { signedIn }) => {
    app.get(
      `${kind.path}/document`,
      signedIn("read", async (c, request) => {
        const { document, organization } = await documentOf(c, request, kind);
        asFramedPage(c);
        const words = wordsFor(document.locale);
        const title = titleOfDocument(document);
        const article = documentArticle({ document: withoutLinks(document), organization });
        return c.html(layout(ctx, { words, organization, title, body: inMain(article) }));
      }),
    );
    app.get(
      `${kind.path}/pdf`,
      signedIn("read", async (c, request) => pdfAnswer(c, await documentOf(c, request, kind))),
    );
  };

const inMain = (article: Html): Html => html`<main class="document">${article}</main>`;

export const documentFiles = together(...KINDS.map(documentPagesOf));

/** The document as the buyer sees it. `self`: the path of the page of the invoice or credit note. */
export const documentFrame = (self: string, name: string): Html => html`<h2 id="document">As the buyer sees it</h2>
<div class="message-frame">${pageFrame(`${self}/document`, `${name} as the buyer sees it`)}</div>`;
