import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Bill } from "../../domain/invoice/bills.ts";
import * as byHand from "../../domain/collection/by-hand.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import type { Payment } from "../../domain/model/payment.ts";
import type { MarkInvoicePaidParams, VoidInvoiceParams } from "../../resources/invoice.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { requireNoChallenge, withoutChallenge } from "../payment/challenge.ts";

type Settled = (billing: CustomerBilling, id: string) => { bill: Bill } | { challenge: Payment };

/** Runs a decision that settles an open invoice without a charge. */
async function settle(
  ctx: Context,
  { organizationId, transaction }: Origin<Bill>,
  id: string,
  decide: Settled,
): Promise<Bill> {
  const key = { by: "invoice", organizationId, id } as const;
  const decideAlone = (billing: CustomerBilling) => requireNoChallenge(decide(billing, id)).bill;
  return withoutChallenge(ctx, () => transaction(ctx, (tx) => inBilling(ctx, tx, key, decideAlone, { deleted: true })));
}

/**
 * `POST /invoices/{id}/mark-paid`: the invoice was paid without a payment provider, for example by a bank transfer.
 * @throws Refusal 404, 409, 412
 */
export function markPaid(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  params: MarkInvoicePaidParams,
  checkVersion?: VersionCheck<Invoice>,
): Promise<Bill> {
  return settle(ctx, origin, id, (billing) => byHand.markPaid(billing, id, params, checkVersion));
}

/**
 * `POST /invoices/{id}/void`: the invoice is no longer to be paid; access stays (rule S5).
 * @throws Refusal 404, 409, 412
 */
export function voidByHand(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  params: VoidInvoiceParams,
  checkVersion?: VersionCheck<Invoice>,
): Promise<Bill> {
  return settle(ctx, origin, id, (billing) => byHand.voidByHand(billing, id, params, checkVersion));
}
