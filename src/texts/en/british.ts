import type { Respelling } from "../translation.ts";

/** The messages that British English spells in another way. The catalogue has American spelling. */
export const british: Respelling = {
  decline: { canceled: "The payment was cancelled. The card was not charged." },
  fault: { paymentCanceled: "Payment cancelled" },
  deliverables: { keySent: "We've e-mailed your licence key to {email}." },
  licenses: { key: "Licence key" },
  mailReceipt: {
    licenseKey: "Licence key",
    deliverablesInAccount: "Your licence keys and downloads are in your account.",
  },
  mailSubscription: {
    droppedTitle: "The planned change of your plan was cancelled",
    dropped: `The change of your plan that was planned for {day} is no longer possible, so we cancelled it. Your plan
    stays {product}.`,
  },
  portalCancel: { why: "Why are you cancelling?" },
};
