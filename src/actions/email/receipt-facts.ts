import { Wording } from "../../documents/billing-document.ts";
import { displayName } from "../../domain/organization/organization.ts";
import type { ReceiptFacts } from "../../mail/receipt.ts";
import { invoices } from "../../store/invoices.ts";
import { readInvoiceDocument } from "../invoice/invoice-document.ts";
import { invoiceUrl } from "../links.ts";
import type { Gathered, Occasion } from "./occasion.ts";

/** The facts of a paid invoice, with its document as the attachment. */
export async function gatherReceipt({ ctx, email, organization }: Occasion): Promise<Gathered<ReceiptFacts>> {
  const invoiceId = email.invoiceId!;
  const [invoice, found] = await Promise.all([
    invoices.find(ctx.db.read, organization.id, invoiceId),
    readInvoiceDocument(ctx, organization.id, invoiceId),
  ]);
  const { document } = found!;
  const { totalAmount, currency } = invoice!;
  const total = new Wording(currency, organization.timeZone).money(totalAmount);
  return { facts: { document, seller: displayName(organization), total, url: invoiceUrl(ctx, invoice!) }, document };
}
