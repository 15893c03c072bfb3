import type { BuyerEmailKind } from "../../domain/model/email.ts";
import type { LetterFacts } from "../../mail/email-contents.ts";
import { gatherAhead } from "./ahead-facts.ts";
import { gatherDropped, gatherScheduled, gatherUndone } from "./cancellation-facts.ts";
import { gatherEmailChanged, gatherEmailConfirm } from "./email-change-facts.ts";
import { gatherEnd } from "./end-facts.ts";
import { gatherExpiring } from "./expiring-facts.ts";
import type { Gathered, Occasion, Skip } from "./email-context.ts";
import { gatherOrder, gatherReceipt } from "./receipt-facts.ts";
import { gatherSignIn } from "./sign-in-facts.ts";
import { gatherTrial } from "./trial-facts.ts";
import { gatherUnpaid } from "./unpaid-facts.ts";

type Gather<Kind extends BuyerEmailKind> = (occasion: Occasion) => Promise<Gathered<LetterFacts[Kind]> | Skip>;

/**
 * Reads the facts for each kind of e-mail at the moment of sending, or answers why the e-mail is no longer needed.
 */
export const GATHER: { [Kind in BuyerEmailKind]: Gather<Kind> } = {
  receipt: gatherReceipt,
  order_confirmation: gatherOrder,
  payment_failed: gatherUnpaid,
  authentication_required: gatherUnpaid,
  trial_started: gatherTrial,
  trial_ending: (occasion) => gatherAhead(occasion, "trial_ending"),
  renewal_upcoming: (occasion) => gatherAhead(occasion, "renewal_upcoming"),
  cancellation_scheduled: gatherScheduled,
  cancellation_undone: gatherUndone,
  change_dropped: gatherDropped,
  renewal_failed: gatherEnd,
  canceled: gatherEnd,
  card_expiring: gatherExpiring,
  portal_sign_in: gatherSignIn,
  portal_email_confirm: gatherEmailConfirm,
  portal_email_changed: gatherEmailChanged,
};
