import type { Context } from "../../context.ts";
import { HOUR } from "../../domain/calendar.ts";
import { isOfPortal, type Payment } from "../../domain/model/payment.ts";
import { readOrganization } from "../../store/organizations.ts";
import { payments } from "../../store/payments.ts";
import { checkoutUrl, invoiceUrl, openReturnUrl, portalCardUrl, portalUrl } from "../links.ts";

/** A buyer who comes back to a return address. `page`: the URL of the buyer's page; null: the address is too old. */
export type Returned = { payment: Payment; page: string | null };

/** After this time, in milliseconds of billing time, the return address of a settled payment leads nowhere. */
const OPEN_AFTER_SETTLEMENT = HOUR;

/** A change is given up at its first challenge (rule P1), so no buyer comes back to it. */
function pageOf(ctx: Context, payment: Payment): string | null {
  const { purpose, organizationId, sourceId: id } = payment;
  if (purpose === "change") return null;
  if (isOfPortal(payment)) return (payment.status === "succeeded" ? portalUrl : portalCardUrl)(ctx, organizationId);
  return (purpose === "checkout" || purpose === "setup" ? checkoutUrl : invoiceUrl)(ctx, { organizationId, id });
}

/**
 * Finds the page of the buyer who comes back from a provider or a bank. A provider keeps return addresses in its logs
 * for long, so the address leads to the page only until an hour after the payment is settled. Any browser may come
 * back, any number of times: a bank's app may open another browser, and the buyer may go back and forth. Null: the
 * address is not one of ours.
 */
export async function openReturn(ctx: Context, name: string): Promise<Returned | null> {
  const named = openReturnUrl(ctx, name);
  const payment = named && (await payments.find(ctx.db.read, named.organizationId, named.id));
  if (!payment) return null;
  const { now } = await readOrganization(ctx.db.read, payment.organizationId);
  const isOpen = payment.settledAt === null || now < payment.settledAt + OPEN_AFTER_SETTLEMENT;
  return { payment, page: isOpen ? pageOf(ctx, payment) : null };
}
