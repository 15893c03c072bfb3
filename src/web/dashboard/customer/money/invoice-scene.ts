import { HTTPException } from "hono/http-exception";
import type { Invoice } from "../../../../domain/model/invoice.ts";
import { isId } from "../../../../ids.ts";
import { invoices } from "../../../../store/invoices.ts";
import type { PageContext } from "../../../environment.ts";
import type { Visit } from "../../request.ts";
import { CUSTOMER, pageDataOf, type Scene } from "../part.ts";

/** A visit to one invoice of a Customer. */
export type InvoicePageData = Scene & { invoice: Invoice };

/** The path of the pages with the deeds on an invoice. */
export const INVOICE = `${CUSTOMER}/invoices/:invoiceId`;

/** @throws HTTPException 404 unless the Customer of the path has the invoice of the path */
export async function invoicePageDataOf(c: PageContext, visit: Visit): Promise<InvoicePageData> {
  const scene = await pageDataOf(c, visit);
  const id = c.req.param("invoiceId") ?? "";
  const invoice = isId("inv", id) ? await invoices.find(visit.ctx.db.read, visit.organization.id, id) : null;
  if (invoice?.customerId !== scene.customer.id) throw new HTTPException(404);
  return { ...scene, invoice };
}
