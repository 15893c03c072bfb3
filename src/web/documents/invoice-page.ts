import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { readInvoiceDocument } from "../../actions/invoice/invoice-document.ts";
import { readRecoveredProduct } from "../../actions/invoice/recovered-product.ts";
import { openInvoiceUrl, portalUrl, type PageRef } from "../../actions/links.ts";
import { agreeOnPage, payOnPage } from "../../actions/invoice/page.ts";
import { giveUpChallenge } from "../../actions/payment/give-up.ts";
import type { Context } from "../../context.ts";
import { isId } from "../../ids.ts";
import { titleOfDocument } from "../../documents/billing-document.ts";
import { acceptedLocales } from "../../texts/language.ts";
import { unpaidReason } from "../../texts/unpaid-notice.ts";
import { wordsFor } from "../../texts/words.ts";
import { basePath } from "../assets.ts";
import { cardFaultsOf, readCard, typedCard } from "../components/card-fields.ts";
import { afterSubmission } from "../components/hosted-page.ts";
import { pathOf } from "../components/link.ts";
import { RELOAD } from "../components/progress.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { policyLeadingTo, readForm, RequestLimit } from "../guards.ts";
import { wordsOf } from "../language.ts";
import { layout, type Html } from "../layout.ts";
import { findDue, progressOf, type Due } from "./due.ts";
import { documentPage } from "./page.ts";
import { AGREE, GIVE_UP, paymentSection, settledSection, type CardInput } from "./payment.ts";

/** @throws HTTPException 404 for anything but the whole link of an invoice */
function open(ctx: Context, c: PageContext): PageRef {
  const { id = "", secret = "" } = c.req.param() as Record<string, string>;
  const page = isId("inv", id) ? openInvoiceUrl(ctx, id, secret) : null;
  if (!page) throw new HTTPException(404);
  return page;
}

type InvoicePageRequest = { page: PageRef; self: string; c: PageContext };

/** The document, and above it the ways to pay while the invoice is open, all in one language. */
async function show(
  ctx: Context,
  { page, self, c }: InvoicePageRequest,
  due: Due | null,
  input?: CardInput,
): Promise<Html> {
  const readers = acceptedLocales(c.req.header("Accept-Language"));
  const found = await readInvoiceDocument(ctx, page.organizationId, page.id, readers, due?.state === "paying");
  if (!found) throw new HTTPException(404);
  const { organization, document } = found;
  const words = wordsFor(document.locale);
  const titled = titleOfDocument(document);
  const title = input ? words.frame.errorTitle({ title: titled }) : titled;
  const product = due ? null : await readRecoveredProduct(ctx, page);
  const above = due ? paymentSection(words, due, self, input) : product && settledSection(words, product);
  const isBusy = due?.state === "paying" || due?.state === "waiting" || due?.obstacle === "payments_paused";
  const head = isBusy ? RELOAD : undefined;
  const ways = { pdf: `${self}/pdf`, portal: pathOf(portalUrl(ctx, page.organizationId)) };
  return layout(ctx, { words, organization, title, head, body: documentPage(found, ways, above || null) });
}

/** As `findDue`. The answer's policy lets a form of the page lead to the provider's page. */
async function find(ctx: Context, c: PageContext, page: PageRef): Promise<Due | null> {
  const due = await findDue(ctx, page);
  if (due?.hosted) c.header("Content-Security-Policy", policyLeadingTo(due.hosted.origin));
  return due;
}

/** The page again, with its faults. */
async function again(
  ctx: Context,
  request: InvoicePageRequest,
  form: URLSearchParams,
  wrong: Partial<CardInput>,
): Promise<Response> {
  const due = await findDue(ctx, request.page);
  const input = { ...typedCard(form), faults: {}, problem: null, ...wrong };
  return request.c.html(await show(ctx, request, due, input), wrong.problem ? 402 : 422);
}

async function pay(ctx: Context, request: InvoicePageRequest): Promise<Response> {
  const { page, self, c } = request;
  const form = await readForm(c);
  // Redirects to the page itself, so that loading the page again does not send the form twice.
  const back = () => c.redirect(self, 303);
  const due = await find(ctx, c, page);
  if (due && form.get("action") === GIVE_UP) {
    // Only the attempt that the page showed: a second click must not end the attempt that the first one has begun.
    const isShown = due.state === "challenged" && due.attempt!.id === form.get("instead");
    if (isShown) await giveUpChallenge(ctx, due.attempt!);
    return back();
  }
  const restart = { forPeriod: Number(form.get("period") ?? 0), asksFor: form.get("price") || null };
  if (due && form.get("action") === AGREE) {
    await agreeOnPage(ctx, page, restart);
    return back();
  }
  if (due?.obstacle) return c.html(await show(ctx, request, due), 409);
  if (due?.state !== "owed" && due?.state !== "challenged") return back();
  const words = wordsOf(c, due.invoice.locale);
  const { faults, card } = due.hosted ? { faults: {}, card: "hosted" as const } : readCard(form, true, words);
  if (!card || Object.keys(faults).length > 0) return again(ctx, request, form, { faults });
  const shown = { instead: form.get("instead") || null, ...restart };
  const result = await payOnPage(ctx, page, card, shown);
  if ("payment" in result) {
    if (result.payment.status !== "failed") return c.redirect(afterSubmission(result.payment, due.hosted, self), 303);
    const problem = { title: words.fault.paymentFailed, text: unpaidReason(words, result.payment) };
    return again(ctx, request, form, { problem });
  }
  if (result.refused === "card")
    return again(ctx, request, form, { faults: cardFaultsOf(words, result.fault, due.organization) });
  return back();
}

/**
 * `/invoices/{id}/{secret}`: the holder of the whole link may see this invoice, and pay it while it is open
 * (rule D3m).
 */
export function invoicePages(ctx: Context, app: Hono<PageEnvironment>): void {
  const submissions = new RequestLimit();
  const path = "/invoices/:id/:secret";
  const requestOf = (c: PageContext): InvoicePageRequest => ({
    page: open(ctx, c),
    self: `${basePath(ctx)}${c.req.path}`,
    c,
  });
  app.get(path, async (c) => {
    const request = requestOf(c);
    return c.html(await show(ctx, request, await find(ctx, c, request.page)));
  });
  app.get(`${path}/status`, async (c) => c.text(progressOf(await findDue(ctx, open(ctx, c)))));
  app.post(path, async (c) => {
    submissions.count(c.env.client);
    return pay(ctx, requestOf(c));
  });
}
