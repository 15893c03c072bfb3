import { answer } from "../../actions/answer.ts";
import { AppError } from "../../errors.ts";
import { invoiceETag, InvoiceResource, ListInvoicesQuery, presentInvoice } from "../../resources/invoice.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { linesOf, linesOfInvoices } from "../../store/invoice-lines.ts";
import { invoices, listInvoices } from "../../store/invoices.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const invoiceEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/invoices",
    operationId: "listInvoices",
    summary: "List Invoices, newest first",
    query: ListInvoicesQuery,
    responses: { 200: pageOf(InvoiceResource) },
    async handle(ctx, { call, query }) {
      const rows = await listInvoices(ctx.db.read, call.organizationId, query);
      const ids = rows.slice(0, query.limit).map((invoice) => invoice.id);
      const lines = await linesOfInvoices(ctx.db.read, call.organizationId, ids);
      return answer(
        200,
        presentPage(rows, query.limit, (invoice) => presentInvoice(invoice, lines.get(invoice.id) ?? [])),
      );
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
      if (!invoice) throw new AppError("not_found");
      const lines = await linesOf(ctx.db.read, call.organizationId, invoice.id);
      return answer(200, presentInvoice(invoice, lines), { ETag: invoiceETag(invoice) });
    },
  }),
];
