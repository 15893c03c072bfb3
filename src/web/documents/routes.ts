import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { readCreditNoteDocument } from "../../actions/invoice/credit-note-document.ts";
import { readInvoiceDocument } from "../../actions/invoice/invoice-document.ts";
import { openCreditNoteUrl, openInvoiceUrl, portalUrl, type PageRef } from "../../actions/links.ts";
import { isUnchanged } from "../../precondition.ts";
import type { Context } from "../../context.ts";
import { pdfHeaders, titleOfDocument, type IssuedDocument } from "../../documents/billing-document.ts";
import type { Locale } from "../../domain/locale.ts";
import { renderPdf } from "../../documents/render.ts";
import { isId, type IdPrefix } from "../../ids.ts";
import { acceptedLocales } from "../../texts/language.ts";
import { wordsFor } from "../../texts/words.ts";
import { VERSION } from "../../version.ts";
import { basePath } from "../assets.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { layout } from "../layout.ts";
import { invoicePages } from "./invoice-page.ts";
import { documentPage } from "./page.ts";

/** How the documents of one kind are found. */
type Kind = {
  prefix: IdPrefix;
  open(ctx: Context, id: string, secret: string): PageRef | null;
  read(ctx: Context, organizationId: string, id: string, readers: readonly Locale[]): Promise<IssuedDocument | null>;
};

const INVOICE: Kind = { prefix: "inv", open: openInvoiceUrl, read: readInvoiceDocument };
const CREDIT_NOTE: Kind = { prefix: "crn", open: openCreditNoteUrl, read: readCreditNoteDocument };

/**
 * `readers`: the locales of the reader, for a document without a language of its own.
 * @throws HTTPException 404 for anything but the whole link of a document
 */
async function find(
  ctx: Context,
  c: PageContext,
  { prefix, open, read }: Kind,
  readers: readonly Locale[] = [],
): Promise<IssuedDocument> {
  const { id = "", secret = "" } = c.req.param() as Record<string, string>;
  const opened = isId(prefix, id) ? open(ctx, id, secret) : null;
  const found = opened && (await read(ctx, opened.organizationId, id, readers));
  if (!found) throw new HTTPException(404);
  return found;
}

/** The answer with the PDF of a document. */
export async function pdfAnswer(c: PageContext, { document, organization }: IssuedDocument): Promise<Response> {
  const headers = pdfHeaders(document, VERSION);
  if (isUnchanged(c.req.header("If-None-Match"), headers.ETag)) return c.body(null, 304, { ETag: headers.ETag });
  return c.body(await renderPdf(organization.id, document), 200, headers);
}

/**
 * `/invoices/{id}/{secret}`, the same for credit notes, and `/pdf` behind both: the holder of the whole link may see
 * this document.
 */
export function documentPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const pdf = (kind: Kind) => async (c: PageContext) => pdfAnswer(c, await find(ctx, c, kind));
  invoicePages(ctx, app);
  app.get("/invoices/:id/:secret/pdf", pdf(INVOICE));
  app.get("/credit-notes/:id/:secret", async (c) => {
    const found = await find(ctx, c, CREDIT_NOTE, acceptedLocales(c.req.header("Accept-Language")));
    const { organization, document } = found;
    const portal = pathOf(portalUrl(ctx, organization.id));
    const body = documentPage(found, { pdf: `${basePath(ctx)}${c.req.path}/pdf`, portal });
    const words = wordsFor(document.locale);
    return c.html(layout(ctx, { words, organization, title: titleOfDocument(document), body }));
  });
  app.get("/credit-notes/:id/:secret/pdf", pdf(CREDIT_NOTE));
}
