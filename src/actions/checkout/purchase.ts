import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { Payment } from "../../domain/model/payment.ts";
import type { ReadCheckout } from "../../store/checkouts.ts";
import { customers } from "../../store/customers.ts";
import { lastAttempt } from "../../store/payments.ts";
import { readDeliverables, type Deliverables } from "./deliverables.ts";

/**
 * The attempt that a browser submitted. `paymentId` null: the Checkout needed no payment. `email` and `name`: those
 * that the buyer typed.
 */
export type Submitted = { paymentId: string | null; email: string | null; name: string | null };

/** The deliverables of a purchase, and the attempt that charged or saved the card; null: the purchase needed none. */
export type PaidDeliverables = Deliverables & { payment: Payment | null };

/**
 * A completed Checkout. `customer` null: the Customer was deleted. `deliverables` null: they are not for this reader.
 */
export type Bought = { customer: Customer | null; deliverables: PaidDeliverables | null };

/**
 * Reads the purchase of a completed Checkout (rules C9b, C9c). `reader`: the attempt that the reader's browser
 * submitted, null for another browser, or `owner` for the Customer who is signed in. `benefits`: those of the Product.
 */
export async function readBought(
  ctx: Context,
  checkout: ReadCheckout,
  benefits: readonly Benefit[],
  reader: Submitted | "owner" | null,
): Promise<Bought> {
  const { organizationId, id, customerId, customerNamed, change, billing } = checkout;
  const [found, attempt] = await Promise.all([
    customerId === null ? null : customers.find(ctx.db.read, organizationId, customerId),
    reader === null ? null : lastAttempt(ctx.db.read, organizationId, id),
  ]);
  const customer = found?.deletedAt === null ? found : null;
  const payment = attempt?.status === "succeeded" ? attempt : null;
  const isTheirs = reader === "owner" || (reader !== null && reader.paymentId === (payment?.id ?? null));
  if (!isTheirs || !customer) return { customer, deliverables: null };
  const isKnown = reader === "owner" || customerNamed || change !== null;
  const typed = isKnown ? null : { email: reader.email, name: reader.name, ...billing };
  return { customer, deliverables: { ...(await readDeliverables(ctx, checkout, benefits, typed)), payment } };
}
