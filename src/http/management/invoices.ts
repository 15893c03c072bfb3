import { markPaid, voidByHand } from "../../actions/invoice/by-hand.ts";
import { chargeByHand } from "../../actions/invoice/charge-by-hand.ts";
import { returnsOf, returnsOfInvoices } from "../../actions/invoice/returns.ts";
import { readInvoiceDocument } from "../../actions/invoice/invoice-document.ts";
import type { Bill } from "../../domain/invoice/bills.ts";
import { invoiceUrl } from "../../actions/links.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  invoiceETag,
  InvoiceResource,
  ListInvoicesQuery,
  MarkInvoicePaidParams,
  presentInvoice,
  VoidInvoiceParams,
} from "../../resources/invoice.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { linesOf, linesOfInvoices } from "../../store/invoice-lines.ts";
import { invoices, listInvoices } from "../../store/invoices.ts";
import { answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { pdfAnswer } from "../pdf-answer.ts";
import { invoiceAnswer } from "../settled-answers.ts";

export const invoiceEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/invoices",
    operationId: "listInvoices",
    summary: "List Invoices, newest first",
    query: ListInvoicesQuery,
    responses: { 200: pageOf(InvoiceResource) },
    async handle(ctx, { call, query }) {
      const rows = await listInvoices(ctx.db.stale, call.organizationId, query);
      const ids = rows.slice(0, query.limit).map((invoice) => invoice.id);
      const [lines, back] = await Promise.all([
        linesOfInvoices(ctx.db.stale, call.organizationId, ids),
        returnsOfInvoices(ctx.db.stale, call.organizationId, ids),
      ]);
      const present = (invoice: Invoice) =>
        presentInvoice(invoice, lines.get(invoice.id) ?? [], invoiceUrl(ctx, invoice), back.get(invoice.id));
      return answer(200, presentPage(rows, query.limit, present));
    },
  }),
  endpoint({
    method: "GET",
    path: "/invoices/{invoiceId}",
    operationId: "getInvoice",
    summary: "Read an Invoice",
    params: { invoiceId: "inv" },
    responses: { 200: InvoiceResource },
    async handle(ctx, { call, params }) {
      const invoice = await invoices.find(ctx.db.read, call.organizationId, params.invoiceId);
      if (!invoice) throw new Refusal("not_found");
      const [lines, back] = await Promise.all([
        linesOf(ctx.db.read, call.organizationId, invoice.id),
        returnsOf(ctx.db.read, call.organizationId, invoice.id),
      ]);
      return answer(200, presentInvoice(invoice, lines, invoiceUrl(ctx, invoice), back), {
        ETag: invoiceETag(invoice, back),
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/invoices/{invoiceId}/pdf",
    operationId: "getInvoicePdf",
    summary: "Read an Invoice as a PDF, in its present state",
    params: { invoiceId: "inv" },
    responses: { 200: null },
    media: "application/pdf",
    async handle(ctx, { call, params }) {
      const found = await readInvoiceDocument(ctx, call.organizationId, params.invoiceId);
      if (!found) throw new Refusal("not_found");
      return pdfAnswer(found);
    },
  }),
  endpoint({
    method: "POST",
    path: "/invoices/{invoiceId}/pay",
    operationId: "payInvoice",
    summary: "Charge an open Invoice now. The schedule of its retries does not change",
    params: { invoiceId: "inv" },
    responses: { 200: InvoiceResource },
    errors: [
      "payment_failed",
      "payment_action_required",
      "payment_method_required",
      "payment_refused",
      "precondition_failed",
      "invoice_not_open",
      "payment_in_progress",
      "payment_provider_missing",
    ],
    handle(ctx, { call, params, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => chargeByHand(ctx, origin, params.invoiceId, (invoice) => checkVersion(invoiceETag(invoice))),
        (bill: Bill) => invoiceAnswer(ctx, bill),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/invoices/{invoiceId}/void",
    operationId: "voidInvoice",
    summary: "Void an open Invoice. The Invoice needs no payment any more",
    params: { invoiceId: "inv" },
    body: VoidInvoiceParams,
    bodyOptional: true,
    responses: { 200: InvoiceResource },
    errors: ["precondition_failed", "invoice_not_open", "payment_in_progress"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => voidByHand(ctx, origin, params.invoiceId, body, (invoice) => checkVersion(invoiceETag(invoice))),
        (bill: Bill) => invoiceAnswer(ctx, bill),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/invoices/{invoiceId}/mark-paid",
    operationId: "markInvoicePaid",
    summary: "Mark an open Invoice as paid outside Billow, for example by bank transfer",
    params: { invoiceId: "inv" },
    body: MarkInvoicePaidParams,
    bodyOptional: true,
    responses: { 200: InvoiceResource },
    errors: ["precondition_failed", "invoice_not_open", "payment_in_progress"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => markPaid(ctx, origin, params.invoiceId, body, (invoice) => checkVersion(invoiceETag(invoice))),
        (bill: Bill) => invoiceAnswer(ctx, bill),
      );
    },
  }),
];
