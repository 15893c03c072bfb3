import { displayName } from "../../domain/model/organization.ts";
import type { OrderFacts } from "../../mail/order.ts";
import type { ReceiptFacts } from "../../mail/receipt.ts";
import { invoiceDocument } from "../../documents/invoice.ts";
import { isFirstPaid } from "../../store/invoices.ts";
import { wordsFor } from "../../texts/words.ts";
import { readInvoiceFacts } from "../invoice/invoice-document.ts";
import { invoiceUrl, portalUrl } from "../links.ts";
import { hasLasting, readDeliverables } from "./deliverables.ts";
import { readNextCharge } from "./next-charge-facts.ts";
import type { LoadedFacts, EmailContext } from "./email-context.ts";

/**
 * The facts of a paid invoice, with its document as the attachment. The receipt of a purchase or a change, and the
 * first one after a trial, has the deliverables. The deliverables were granted in the transaction that queued the
 * receipt, or before, so the first receipt has the license key. The receipt of a renewal only leads to the portal.
 */
export async function loadReceipt(context: EmailContext): Promise<LoadedFacts<ReceiptFacts>> {
  const { ctx, email, organization, customer, words } = context;
  const db = ctx.db.read;
  const facts = (await readInvoiceFacts(ctx, organization.id, email.invoiceId!))!;
  const { invoice } = facts;
  const { id, reason, subscriptionId, totalAmount, currency } = invoice;
  const [deliverables, isFirst, next] = await Promise.all([
    readDeliverables(context, subscriptionId === null ? { invoiceId: id } : { subscriptionId }),
    reason !== "renewal" || isFirstPaid(db, invoice),
    readNextCharge(context),
  ]);
  const receipt = {
    document: invoiceDocument({ ...facts, words }),
    seller: displayName(organization),
    total: words.money(totalAmount, currency),
    url: invoiceUrl(ctx, invoice),
    portal: portalUrl(ctx, organization.id),
    website: organization.websiteUrl,
    deliverables: isFirst ? deliverables : null,
    hasDeliverables: hasLasting(deliverables),
    next,
  };
  // The attachment stays in the language in which the invoice was issued.
  return { facts: receipt, document: invoiceDocument({ ...facts, words: wordsFor(invoice.locale, customer.locale) }) };
}

/** The facts of a purchase of 0, with the deliverables. They were granted in the transaction that queued the e-mail. */
export async function loadOrder(context: EmailContext): Promise<LoadedFacts<OrderFacts>> {
  const { ctx, email, organization } = context;
  const { subscriptionId } = email;
  const invoiceId = email.invoiceId!;
  const [facts, deliverables, next] = await Promise.all([
    readInvoiceFacts(ctx, organization.id, invoiceId),
    readDeliverables(context, subscriptionId === null ? { invoiceId } : { subscriptionId }),
    // A free plan has no charge to announce.
    context.subscription?.amount === 0 ? null : readNextCharge(context),
  ]);
  const { invoice, lines } = facts!;
  const receipt = {
    product: lines[0]!.description,
    seller: displayName(organization),
    url: invoiceUrl(ctx, invoice),
    portal: portalUrl(ctx, organization.id),
    website: organization.websiteUrl,
    deliverables,
    next,
  };
  return { facts: receipt };
}
