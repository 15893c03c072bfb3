import { isDeepStrictEqual } from "node:util";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/benefit/benefit.ts";
import { isGranted } from "../../domain/benefit/license.ts";
import type { Checkout } from "../../domain/checkout/checkout.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import type { Invoice } from "../../domain/invoice/invoice.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { presentBenefitGrant, type BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { listGrants, type ReadGrant } from "../../store/benefit-grants.ts";
import type { ReadCheckout } from "../../store/checkouts.ts";
import { customers } from "../../store/customers.ts";
import { invoices } from "../../store/invoices.ts";
import { lastAttempt } from "../../store/payments.ts";
import { subscriptions } from "../../store/subscriptions.ts";
import { downloadUrl } from "../links.ts";

/**
 * The attempt that a browser submitted. `paymentId` null: the Checkout needed no payment. `name`: the buyer's name as
 * typed.
 */
export type Submitted = { paymentId: string | null; name: string | null };

/** A purchase as its buyer sees it. */
export type Goods = {
  grants: BenefitGrantResource[];
  /** The Benefits of the Product that are still to be granted. */
  awaited: Benefit[];
  /** The attempt that charged or saved the card; null: the purchase needed none. */
  payment: Payment | null;
  /** Null if there is no invoice, or if the invoice shows data of the Customer that the buyer did not give. */
  invoice: Invoice | null;
};

/** A completed Checkout. `customer` null: the Customer was deleted. `goods` null: they are not for this reader. */
export type Bought = { customer: Customer | null; goods: Goods | null };

/** A Product has fewer Benefits than this. */
const MOST_GRANTS = 100;

async function readGrants(ctx: Context, checkout: ReadCheckout): Promise<ReadGrant[]> {
  const { organizationId, subscriptionId, invoiceId } = checkout;
  const source = subscriptionId === null ? { invoiceId: invoiceId ?? undefined } : { subscriptionId };
  if (subscriptionId === null && invoiceId === null) return [];
  const customerId = checkout.customerId ?? undefined;
  return listGrants(ctx.db.read, organizationId, { ...source, customerId, limit: MOST_GRANTS });
}

/** Whether each Benefit of the Product belongs to the purchase, now or soon (rule B1). */
async function isEntitled(ctx: Context, checkout: Checkout, grants: readonly ReadGrant[]): Promise<boolean> {
  const { organizationId, subscriptionId, productId } = checkout;
  if (subscriptionId === null) return grants.every(({ status }) => status === "active");
  const subscription = await subscriptions.find(ctx.db.read, organizationId, subscriptionId);
  const isLive = subscription?.status !== "canceled" && subscription?.grantsSuspended === false;
  return isLive && subscription?.productId === productId;
}

/** Whether an invoice shows the buyer no more than the buyer has typed. An e-mail address proves no identity. */
function saysOnly({ buyer, number }: Invoice, typed: object): boolean {
  const given = new Map(Object.entries(typed));
  const isTyped = Object.entries(buyer).every(
    ([field, value]) => field === "email" || value === null || isDeepStrictEqual(value, given.get(field)),
  );
  // A later number would tell how often the Customer has bought.
  return isTyped && number.endsWith("-0001");
}

async function readGoods(
  ctx: Context,
  checkout: ReadCheckout,
  benefits: readonly Benefit[],
  payment: Payment | null,
  typed: object | null,
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
  const made = new Set(rows.map(({ benefitId }) => benefitId));
  const missing = benefits.filter(({ id }) => !made.has(id));
  const awaited = missing.length > 0 && (await isEntitled(ctx, checkout, rows)) ? missing : [];
  return { grants, awaited, payment, invoice: invoice && (!typed || saysOnly(invoice, typed)) ? invoice : null };
}

/**
 * Reads the purchase of a completed Checkout (rule C9). `reader`: the attempt that the reader's browser submitted, null
 * for another browser, or `owner` for the Customer who is signed in. `benefits`: those of the Product.
 */
export async function readBought(
  ctx: Context,
  checkout: ReadCheckout,
  benefits: readonly Benefit[],
  reader: Submitted | "owner" | null,
): Promise<Bought> {
  const { organizationId, id, customerId, customerNamed, change, billing } = checkout;
  const [customer, attempt] = await Promise.all([
    customerId === null ? null : customers.find(ctx.db.read, organizationId, customerId),
    reader === null ? null : lastAttempt(ctx.db.read, organizationId, id),
  ]);
  const bought = { customer: customer?.deletedAt === null ? customer : null, goods: null };
  const payment = attempt?.status === "succeeded" ? attempt : null;
  const isTheirs = reader === "owner" || (reader !== null && reader.paymentId === (payment?.id ?? null));
  if (!isTheirs || !bought.customer) return bought;
  const isKnown = reader === "owner" || customerNamed || change !== null;
  const typed = isKnown ? null : { name: reader.name, ...billing };
  return { ...bought, goods: await readGoods(ctx, checkout, benefits, payment, typed) };
}
