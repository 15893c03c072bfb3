import type { BuyerEmailKind } from "../domain/model/email.ts";
import type { Words } from "../texts/words.ts";
import {
  cancellationScheduled,
  cancellationUndone,
  changeDropped,
  type CancellationFacts,
  type ContinuedFacts,
  type DroppedFacts,
} from "./cancellation.ts";
import { cardRequest, type CardRequestFacts } from "./card-request.ts";
import { cardExpiring, type ExpiringFacts } from "./card.ts";
import { emailChanged, emailConfirm, type EmailChangedFacts, type EmailConfirmFacts } from "./email-change.ts";
import { formatEmail, type EmailContent, type Message, type Sender } from "./email-content.ts";
import { orderConfirmation, type OrderFacts } from "./order.ts";
import { pauseInWords, pauseUndone, type PauseFacts } from "./pause.ts";
import { authenticationRequired, paymentFailed, type UnpaidFacts } from "./payment.ts";
import { priceChange, priceChangeReminder, type PriceChangeFacts } from "./price-change.ts";
import { receipt, type ReceiptFacts } from "./receipt.ts";
import { portalSignIn, type SignInFacts } from "./sign-in.ts";
import {
  canceled,
  renewalFailed,
  renewalUpcoming,
  resumeUpcoming,
  trialEnding,
  type AheadFacts,
  type EndFacts,
} from "./subscription.ts";
import { trialExtended, trialStarted, type LongerTrialFacts, type TrialFacts } from "./trial.ts";

/** The facts for each kind of e-mail. Amounts and days are written in the reader's language. */
export type EmailFacts = {
  receipt: ReceiptFacts;
  order_confirmation: OrderFacts;
  payment_failed: UnpaidFacts;
  authentication_required: UnpaidFacts;
  trial_started: TrialFacts;
  trial_extended: LongerTrialFacts;
  trial_ending: AheadFacts;
  renewal_upcoming: AheadFacts;
  cancellation_scheduled: CancellationFacts;
  cancellation_undone: ContinuedFacts;
  pause_scheduled: PauseFacts;
  pause_undone: ContinuedFacts;
  pause_begun: PauseFacts;
  resume_upcoming: AheadFacts;
  price_change: PriceChangeFacts;
  price_change_reminder: PriceChangeFacts;
  change_dropped: DroppedFacts;
  renewal_failed: EndFacts;
  canceled: EndFacts;
  card_expiring: ExpiringFacts;
  card_request: CardRequestFacts;
  portal_sign_in: SignInFacts;
  portal_email_confirm: EmailConfirmFacts;
  portal_email_changed: EmailChangedFacts;
};

const LETTERS: { [Kind in BuyerEmailKind]: (facts: EmailFacts[Kind], words: Words) => EmailContent } = {
  receipt,
  order_confirmation: orderConfirmation,
  payment_failed: paymentFailed,
  authentication_required: authenticationRequired,
  trial_started: trialStarted,
  trial_extended: trialExtended,
  trial_ending: trialEnding,
  renewal_upcoming: renewalUpcoming,
  cancellation_scheduled: cancellationScheduled,
  cancellation_undone: cancellationUndone,
  pause_scheduled: pauseInWords,
  pause_undone: pauseUndone,
  pause_begun: pauseInWords,
  resume_upcoming: resumeUpcoming,
  price_change: priceChange,
  price_change_reminder: priceChangeReminder,
  change_dropped: changeDropped,
  renewal_failed: renewalFailed,
  canceled,
  card_expiring: cardExpiring,
  card_request: cardRequest,
  portal_sign_in: portalSignIn,
  portal_email_confirm: emailConfirm,
  portal_email_changed: emailChanged,
};

/** Writes the e-mail of a kind from the facts of the same kind, in the reader's language. */
export function emailContent<Kind extends BuyerEmailKind>(
  kind: Kind,
  facts: EmailFacts[Kind],
  sender: Sender,
  words: Words,
): Message {
  return formatEmail(LETTERS[kind](facts, words), sender, words);
}
