import type { Context } from "../../context.ts";
import type { IssuedDocument } from "../../documents/billing-document.ts";
import { invoiceDocument } from "../../documents/invoice.ts";
import { presentInvoice } from "../../resources/invoice.ts";
import { presentPayment } from "../../resources/payment.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { organizations } from "../../store/organizations.ts";
import { capturedFor } from "../../store/payments.ts";
import { invoiceUrl } from "../links.ts";
import { readRefundsOf } from "./credit-note-document.ts";

/** An invoice as a document, in its current state; null if there is no invoice with this id. */
export async function readInvoiceDocument(
  ctx: Context,
  organizationId: string,
  id: string,
): Promise<IssuedDocument | null> {
  const db = ctx.db.read;
  const invoice = await invoices.find(db, organizationId, id);
  if (!invoice) return null;
  const [organization, lines, charge, refunds] = await Promise.all([
    organizations.find(db, organizationId),
    linesOf(db, organizationId, id),
    capturedFor(db, organizationId, id),
    readRefundsOf(ctx, organizationId, id),
  ]);
  const { timeZone, mode } = organization!;
  const document = invoiceDocument({
    invoice: presentInvoice(invoice, lines, invoiceUrl(ctx, invoice)),
    charge: charge && presentPayment(charge),
    refunds,
    timeZone,
    sandbox: mode === "sandbox",
  });
  return { document, organization: organization! };
}
