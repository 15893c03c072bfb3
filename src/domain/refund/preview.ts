import type { Account } from "../billing/customer-billing.ts";
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

function cardOf(account: Account, { paymentId }: Refund): CardSnapshot | null {
  if (paymentId === null) return null;
  if (!account.payments.get(paymentId)) account.need({ part: "payment", id: paymentId });
  return account.payments.get(paymentId)?.method ?? null;
}

/** The effect of a refund of an invoice, as if the provider made the refund at once (rule I3). @throws as the refund */
export function previewRefund(account: Account, invoiceId: string, asked: AskedRefund): RefundPreview {
  const { value: refund, effect } = measured(account, () => {
    const made = refundInvoice(account, invoiceId, asked);
    settleRefund(account, made.id, { status: "succeeded" });
    return made;
  });
  const left = refundableOf({ ...readBill(account, invoiceId)!, back: returnsOf(account, invoiceId) });
  return { refund, card: cardOf(account, refund), effect, left };
}

/** The effect of a payout of credit, one refund for each card (rule I7). @throws as the payout */
export function previewPayout(account: Account, asked: AskedPayout): PayoutPreview {
  const { value, effect } = measured(account, () => payOut(account, asked));
  return { refunds: value.map((refund) => ({ refund, card: cardOf(account, refund) })), effect };
}
