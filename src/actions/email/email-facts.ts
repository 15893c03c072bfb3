import type { BuyerEmailKind } from "../../domain/model/email.ts";
import type { EmailFacts } from "../../mail/email-contents.ts";
import { loadAhead } from "./ahead-facts.ts";
import { loadDropped, loadScheduled, loadUndone } from "./cancellation-facts.ts";
import { loadEmailChanged, loadEmailConfirm } from "./email-change-facts.ts";
import { loadEnd } from "./end-facts.ts";
import { loadExpiring } from "./expiring-facts.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";
import { loadOrder, loadReceipt } from "./receipt-facts.ts";
import { loadSignIn } from "./sign-in-facts.ts";
import { loadTrial } from "./trial-facts.ts";
import { loadUnpaid } from "./unpaid-facts.ts";

type Gather<Kind extends BuyerEmailKind> = (occasion: EmailContext) => Promise<LoadedFacts<EmailFacts[Kind]> | Skip>;

/**
 * Reads the facts for each kind of e-mail at the moment of sending, or answers why the e-mail is no longer needed.
 */
export const FACT_LOADERS: { [Kind in BuyerEmailKind]: Gather<Kind> } = {
  receipt: loadReceipt,
  order_confirmation: loadOrder,
  payment_failed: loadUnpaid,
  authentication_required: loadUnpaid,
  trial_started: loadTrial,
  trial_ending: (occasion) => loadAhead(occasion, "trial_ending"),
  renewal_upcoming: (occasion) => loadAhead(occasion, "renewal_upcoming"),
  cancellation_scheduled: loadScheduled,
  cancellation_undone: loadUndone,
  change_dropped: loadDropped,
  renewal_failed: loadEnd,
  canceled: loadEnd,
  card_expiring: loadExpiring,
  portal_sign_in: loadSignIn,
  portal_email_confirm: loadEmailConfirm,
  portal_email_changed: loadEmailChanged,
};
