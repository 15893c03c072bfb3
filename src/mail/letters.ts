import type { BuyerEmailKind } from "../domain/email/email.ts";
import type { Words } from "../texts/words.ts";
import type { Letter } from "./letter.ts";
import { authenticationRequired, paymentFailed, type UnpaidFacts } from "./payment.ts";
import { receipt, type ReceiptFacts } from "./receipt.ts";
import { portalSignIn, type SignInFacts } from "./sign-in.ts";
import {
  canceled,
  renewalFailed,
  renewalUpcoming,
  trialEnding,
  type AheadFacts,
  type EndFacts,
} from "./subscription.ts";

/** The facts for each kind of e-mail. Amounts and days are written in the reader's language. */
export type LetterFacts = {
  receipt: ReceiptFacts;
  payment_failed: UnpaidFacts;
  authentication_required: UnpaidFacts;
  trial_ending: AheadFacts;
  renewal_upcoming: AheadFacts;
  renewal_failed: EndFacts;
  canceled: EndFacts;
  portal_sign_in: SignInFacts;
};

export const LETTERS: { [Kind in BuyerEmailKind]: (facts: LetterFacts[Kind], words: Words) => Letter } = {
  receipt,
  payment_failed: paymentFailed,
  authentication_required: authenticationRequired,
  trial_ending: trialEnding,
  renewal_upcoming: renewalUpcoming,
  renewal_failed: renewalFailed,
  canceled,
  portal_sign_in: portalSignIn,
};
