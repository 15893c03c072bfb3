import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { showsOnlyTyped, type TypedData } from "../../domain/checkout/typed-data.ts";
import { isGranted } from "../../domain/model/license-key.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import { presentBenefitGrant, type BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { listGrants, type ReadGrant } from "../../store/benefit-grants.ts";
import type { ReadCheckout } from "../../store/checkouts.ts";
import { invoices } from "../../store/invoices.ts";
import { downloadUrl } from "../links.ts";
import { awaitedBenefits } from "./awaited-benefits.ts";

/** The goods of one purchase (rule C9a). */
export type Goods = {
  grants: BenefitGrantResource[];
  /** The Benefits of the Product that are still to be granted. */
  awaited: Benefit[];
  /** Null if there is no invoice, or if the invoice shows data of the Customer that the buyer did not give. */
  invoice: Invoice | null;
};

/** A Product has fewer Benefits than this. */
const MOST_GRANTS = 100;

/** All grants of the Subscription or the one-time purchase, active or revoked. */
async function readGrants(ctx: Context, checkout: ReadCheckout): Promise<ReadGrant[]> {
  const { organizationId, subscriptionId, invoiceId } = checkout;
  if (subscriptionId === null && invoiceId === null) return [];
  const source = subscriptionId === null ? { invoiceId: invoiceId! } : { subscriptionId };
  return listGrants(ctx.db.read, organizationId, { ...source, customerId: checkout.customerId!, limit: MOST_GRANTS });
}

/**
 * Reads the goods of a completed Checkout. `benefits`: those of the Product, in their order. `typed`: the data that the
 * buyer typed; null: the buyer is the Customer.
 */
export async function readDeliverables(
  ctx: Context,
  checkout: ReadCheckout,
  benefits: readonly Benefit[],
  typed: TypedData | null,
): Promise<Goods> {
  const { organizationId, invoiceId, now } = checkout;
  const [rows, invoice] = await Promise.all([
    readGrants(ctx, checkout),
    invoiceId === null ? null : invoices.find(ctx.db.read, organizationId, invoiceId),
  ]);
  const place = ({ benefitId }: ReadGrant) => benefits.findIndex(({ id }) => id === benefitId);
  const present = rows.filter((grant) => isGranted(grant, grant.expiresAt, now));
  const grants = present
    .sort((one, other) => place(one) - place(other))
    .map((grant) => {
      const link = (file: number) => downloadUrl(ctx, organizationId, grant.id, file, realNow());
      return presentBenefitGrant(grant, grant.benefit, { ...grant, downloadUrl: link });
    });
  const awaited = await awaitedBenefits(ctx, checkout, benefits, rows);
  return { grants, awaited, invoice: invoice && (!typed || showsOnlyTyped(invoice, typed)) ? invoice : null };
}
