import { html } from "hono/html";
import type { Context } from "../../context.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { sumOf } from "../../domain/money.ts";
import { allows, refundLimitOf } from "../../domain/team/role.ts";
import { refundsOf } from "../../store/refunds.ts";
import type { Html } from "../layout.ts";
import { badge } from "./components/badge.ts";
import { moneyText } from "./components/cells.ts";
import { customerPath } from "./lists/customer-cell.ts";
import type { DashboardRequest } from "./request.ts";

/** `refunded`: the part of the payment that refunds have given back to the card, in minor units. */
export type Refunded = { refunded: number };

/** The payments with the refunds that have succeeded. */
export async function withRefunded<Row extends Payment>(
  ctx: Context,
  organizationId: string,
  payments: readonly Row[],
): Promise<(Row & Refunded)[]> {
  const invoiceIds = payments.flatMap(({ status, invoiceId }) => (status === "succeeded" ? (invoiceId ?? []) : []));
  const refunds = await refundsOf(ctx.db.stale, organizationId, ...new Set(invoiceIds));
  return payments.map((payment) => {
    const own = refunds.filter(({ paymentId, status }) => paymentId === payment.id && status === "succeeded");
    return { ...payment, refunded: sumOf(own.map(({ amount }) => amount)) };
  });
}

/** Stands beside the status of an invoice or a payment. `whole`: the amount of which `refunded` was given back. */
export function refundedBadge(refunded: number, whole: number): Html | "" {
  if (refunded === 0) return "";
  return html` ${badge("quiet", refunded < whole ? "Partly refunded" : "Refunded")}`;
}

/** A link to the refund of a payment, for roles that may refund a part of the payment. */
export function refundLink({ role, organization, self }: DashboardRequest, payment: Payment & Refunded): Html | "" {
  const { status, invoiceId, customerId, currency, amount, refunded } = payment;
  if (status !== "succeeded" || invoiceId === null || refunded >= amount) return "";
  if (!allows(role, "refunds") || refundLimitOf(role, organization, currency) === 0) return "";
  return html`<a href="${customerPath(self, customerId)}/invoices/${invoiceId}/refund">Refund<span
 class="hidden"> of ${moneyText(amount, currency)}</span></a>`;
}
