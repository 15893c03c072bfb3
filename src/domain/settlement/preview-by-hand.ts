import type { CustomerBilling } from "../billing/customer-billing.ts";
import { measured, type Effect } from "../collection/effect.ts";
import { abandonAttempt } from "../payment/attempt.ts";
import type { CardSnapshot, Payment } from "../model/payment.ts";
import { settlePayment } from "./settle.ts";
import type { Bill } from "../invoice/bills.ts";
import { chargeByHand, markPaid, voidByHand, type ChargedByHand, type ChallengeWaits } from "../collection/by-hand.ts";
import { Refusal } from "../refusal.ts";

/** `givesUpChallenge`: a confirmation at the bank waits for the buyer, and is given up first (rule D3l). */
export type ByHandPreview = { effect: Effect; givesUpChallenge: boolean };
/** `isHeldBack`: a dispute holds the card back, so the charge fails without a call of the provider (rule D6). */
export type ChargePreview = ByHandPreview & { card: CardSnapshot | null; cardId: string | null; isHeldBack: boolean };

const NO_REASON = { reason: null };

/** Repeats a decision after a waiting challenge was given up, as the provider's answer would settle the challenge. */
function withoutChallenge<T extends object>(
  billing: CustomerBilling,
  decide: () => T | ChallengeWaits,
): { decided: T; givesUpChallenge: boolean } {
  const first = decide();
  if (!("challenge" in first)) return { decided: first, givesUpChallenge: false };
  giveUp(billing, first.challenge);
  const second = decide();
  if ("challenge" in second) throw new Refusal("payment_in_progress");
  return { decided: second, givesUpChallenge: true };
}

function giveUp(billing: CustomerBilling, challenge: Payment): void {
  abandonAttempt(billing, challenge, billing.now);
  settlePayment(billing, challenge.id, { status: "declined", code: "canceled" });
}

function preview(billing: CustomerBilling, decide: () => { bill: Bill } | ChallengeWaits): ByHandPreview {
  const { value, effect } = measured(billing, () => withoutChallenge(billing, decide));
  return { effect, givesUpChallenge: value.givesUpChallenge };
}

/** The effect of voiding an open invoice (rule S5). @throws as `voidByHand` */
export const previewVoid = (billing: CustomerBilling, id: string): ByHandPreview =>
  preview(billing, () => voidByHand(billing, id, NO_REASON));

/** The effect of marking an open invoice as paid. @throws as `markPaid` */
export const previewMarkPaid = (billing: CustomerBilling, id: string): ByHandPreview =>
  preview(billing, () => markPaid(billing, id, NO_REASON));

/** The effect of a charge of an open invoice, if the charge succeeds (rule D3). @throws as `chargeByHand` */
export function previewCharge(billing: CustomerBilling, id: string): ChargePreview {
  const { value, effect } = measured(billing, () => {
    const { decided, givesUpChallenge } = withoutChallenge<Exclude<ChargedByHand, ChallengeWaits>>(billing, () =>
      chargeByHand(billing, id, null),
    );
    if ("cardMissing" in decided) return { card: null, cardId: null, isHeldBack: false, givesUpChallenge };
    const { attempt } = decided;
    const isHeldBack = attempt.failureCode !== null;
    if (!isHeldBack) settlePayment(billing, attempt.id, { status: "succeeded" });
    return { card: attempt.method, cardId: attempt.paymentMethodId, isHeldBack, givesUpChallenge };
  });
  return { ...value, effect };
}
