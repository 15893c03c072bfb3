import { displayName } from "../../domain/organization/organization.ts";
import type { OrderFacts } from "../../mail/order.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { invoiceUrl, portalUrl } from "../links.ts";
import { readGoods } from "./goods.ts";
import { readNextCharge } from "./next-charge-facts.ts";
import type { Gathered, Occasion } from "./occasion.ts";

/** The facts of a purchase of 0, with the goods. They were granted in the transaction that queued the e-mail. */
export async function gatherOrder(occasion: Occasion): Promise<Gathered<OrderFacts>> {
  const { ctx, email, organization } = occasion;
  const id = email.invoiceId!;
  const { subscriptionId } = email;
  const [invoice, lines, goods, next] = await Promise.all([
    invoices.find(ctx.db.read, organization.id, id),
    linesOf(ctx.db.read, organization.id, id),
    readGoods(occasion, subscriptionId === null ? { invoiceId: id } : { subscriptionId }),
    readNextCharge(occasion),
  ]);
  const facts = {
    product: lines[0]!.description,
    seller: displayName(organization),
    url: invoiceUrl(ctx, invoice!),
    portal: portalUrl(ctx, organization.id),
    website: organization.websiteUrl,
    goods,
    next,
  };
  return { facts };
}
