import type { CustomerBilling } from "../billing/customer-billing.ts";
import { measured, type Effect } from "../collection/effect.ts";
import { readBill } from "../invoice/bills.ts";
import { returnsOf } from "../invoice/returns.ts";
import type { CardSnapshot } from "../model/payment.ts";
import type { AskedRefund } from "./draft.ts";
import { payOut, type AskedPayout } from "./payout.ts";
import type { Refund } from "../model/refund.ts";
import { refundableOf, type Refundable } from "../model/refundable-amount.ts";
import { refundInvoice } from "./request.ts";
import { settleRefund } from "./settle.ts";

/** `card`: the card that gets the money; null if the card is unknown, or for a refund to the balance. */
export type RefundTo = { refund: Refund; card: CardSnapshot | null };
/** `left`: the amounts that can be refunded after the refund. */
export type RefundPreview = RefundTo & { effect: Effect; left: Refundable };
export type PayoutPreview = { refunds: RefundTo[]; effect: Effect };

function cardOf(billing: Pick<CustomerBilling, "need" | "payments">, { paymentId }: Refund): CardSnapshot | null {
  if (paymentId === null) return null;
  if (!billing.payments.get(paymentId)) billing.need({ part: "payment", id: paymentId });
  return billing.payments.get(paymentId)?.method ?? null;
}

/** The effect of a refund of an invoice, as if the provider made the refund at once (rule I3). @throws as the refund */
export function previewRefund(billing: CustomerBilling, invoiceId: string, asked: AskedRefund): RefundPreview {
  const { value: refund, effect } = measured(billing, () => {
    const made = refundInvoice(billing, invoiceId, asked);
    settleRefund(billing, made.id, { status: "succeeded" });
    return made;
  });
  const left = refundableOf({ ...readBill(billing, invoiceId)!, back: returnsOf(billing, invoiceId) });
  return { refund, card: cardOf(billing, refund), effect, left };
}

/** The effect of a payout of credit, one refund for each card (rule I7). @throws as the payout */
export function previewPayout(billing: CustomerBilling, asked: AskedPayout): PayoutPreview {
  const { value, effect } = measured(billing, () => payOut(billing, asked));
  return { refunds: value.map((refund) => ({ refund, card: cardOf(billing, refund) })), effect };
}
