import type { Context } from "../../context.ts";
import { DAY } from "../../domain/calendar.ts";
import { invoices } from "../../store/invoices.ts";
import { billingNow } from "../../store/organizations.ts";
import { hasFailed } from "../../store/payments.ts";
import { products } from "../../store/products.ts";
import { subscriptions } from "../../store/subscriptions.ts";
import type { PageRef } from "../links.ts";

/**
 * The name of the Product to which the Customer has access, for a day after an overdue invoice was paid. Null: the
 * invoice was not overdue, or the Subscription still owes an amount or has ended.
 */
export async function readRecoveredProduct(ctx: Context, { organizationId, id }: PageRef): Promise<string | null> {
  const { read } = ctx.db;
  const invoice = await invoices.find(read, organizationId, id);
  if (invoice?.status !== "paid" || invoice.subscriptionId === null || invoice.paidAt === null) return null;
  const [subscription, wasOverdue, now] = await Promise.all([
    subscriptions.find(read, organizationId, invoice.subscriptionId),
    hasFailed(read, organizationId, id),
    billingNow(read, organizationId),
  ]);
  const isBack = subscription?.status === "active" && !subscription.grantsSuspended;
  if (!isBack || !wasOverdue || now - invoice.paidAt > DAY) return null;
  return (await products.find(read, organizationId, subscription.productId))?.name ?? null;
}
