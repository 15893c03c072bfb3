import type { Account } from "../billing/customer-billing.ts";
import { measured, type Effect } from "../collection/effect.ts";
import { abandonAttempt, paymentInProgress } from "../payment/attempt.ts";
import type { CardSnapshot, Payment } from "../model/payment.ts";
import { settlePayment } from "./settle.ts";
import type { Bill } from "../invoice/bills.ts";
import { chargeByHand, markPaid, voidByHand, type ChargedByHand, type ChallengeWaits } from "../collection/by-hand.ts";

/** `givesUpChallenge`: a confirmation at the bank waits for the buyer, and is given up first (rule D3l). */
export type ByHandPreview = { effect: Effect; givesUpChallenge: boolean };
/** `isHeldBack`: a dispute holds the card back, so the charge fails without a call of the provider (rule D6). */
export type ChargePreview = ByHandPreview & { card: CardSnapshot | null; cardId: string | null; isHeldBack: boolean };

const NO_REASON = { reason: null };

/** Repeats a decision after a waiting challenge was given up, as the provider's answer would settle the challenge. */
function withoutChallenge<T extends object>(
  account: Account,
  decide: () => T | ChallengeWaits,
): { decided: T; givesUpChallenge: boolean } {
  const first = decide();
  if (!("challenge" in first)) return { decided: first, givesUpChallenge: false };
  giveUp(account, first.challenge);
  const second = decide();
  if ("challenge" in second) throw paymentInProgress();
  return { decided: second, givesUpChallenge: true };
}

function giveUp(account: Account, challenge: Payment): void {
  abandonAttempt(account, challenge, account.now);
  settlePayment(account, challenge.id, { status: "declined", code: "canceled" });
}

function preview(account: Account, decide: () => { bill: Bill } | ChallengeWaits): ByHandPreview {
  const { value, effect } = measured(account, () => withoutChallenge(account, decide));
  return { effect, givesUpChallenge: value.givesUpChallenge };
}

/** The effect of voiding an open invoice (rule S5). @throws as `voidByHand` */
export const previewVoid = (account: Account, id: string): ByHandPreview =>
  preview(account, () => voidByHand(account, id, NO_REASON));

/** The effect of marking an open invoice as paid. @throws as `markPaid` */
export const previewMarkPaid = (account: Account, id: string): ByHandPreview =>
  preview(account, () => markPaid(account, id, NO_REASON));

/** The effect of a charge of an open invoice, if the charge succeeds (rule D3). @throws as `chargeByHand` */
export function previewCharge(account: Account, id: string): ChargePreview {
  const { value, effect } = measured(account, () => {
    const { decided, givesUpChallenge } = withoutChallenge<Exclude<ChargedByHand, ChallengeWaits>>(account, () =>
      chargeByHand(account, id, null),
    );
    if ("cardMissing" in decided) return { card: null, cardId: null, isHeldBack: false, givesUpChallenge };
    const { attempt } = decided;
    const isHeldBack = attempt.failureCode !== null;
    if (!isHeldBack) settlePayment(account, attempt.id, { status: "succeeded" });
    return { card: attempt.method, cardId: attempt.paymentMethodId, isHeldBack, givesUpChallenge };
  });
  return { ...value, effect };
}
