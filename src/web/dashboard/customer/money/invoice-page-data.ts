import { HTTPException } from "hono/http-exception";
import type { Invoice } from "../../../../domain/model/invoice.ts";
import { isId } from "../../../../ids.ts";
import { invoices } from "../../../../store/invoices.ts";
import type { PageContext } from "../../../environment.ts";
import type { DashboardRequest } from "../../request.ts";
import { CUSTOMER, pageDataOf, type CustomerPageData } from "../part.ts";

/** A visit to one invoice of a Customer. */
export type InvoicePageData = CustomerPageData & { invoice: Invoice };

/** The path of the pages with the operations on an invoice. */
export const INVOICE = `${CUSTOMER}/invoices/:invoiceId`;

/** @throws HTTPException 404 unless the Customer of the path has the invoice of the path */
export async function invoicePageDataOf(c: PageContext, request: DashboardRequest): Promise<InvoicePageData> {
  const pageData = await pageDataOf(c, request);
  const id = c.req.param("invoiceId") ?? "";
  const invoice = isId("inv", id) ? await invoices.find(request.ctx.db.read, request.organization.id, id) : null;
  if (invoice?.customerId !== pageData.customer.id) throw new HTTPException(404);
  return { ...pageData, invoice };
}
