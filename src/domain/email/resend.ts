import type { NewEmail } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { newId } from "../../ids.ts";
import { PORTAL_EMAIL_KINDS, SWITCHED_EMAIL_KINDS, type Email, type ListedEmail } from "../model/email.ts";

const isOneOf = (kinds: readonly string[], { kind }: Pick<ListedEmail, "kind">) => kinds.includes(kind);

/**
 * Whether the message has a link that opens the Customer's account in the portal, or changes the Customer's address.
 * Such a message is for the recipient alone.
 */
export const hasSecretLink = (email: Pick<ListedEmail, "kind">): boolean => isOneOf(PORTAL_EMAIL_KINDS, email);

/**
 * Whether an e-mail can be sent again: the e-mails to buyers with a switch, once they are no longer queued. The others
 * were asked for by a visitor of the portal, who can ask again (rule E7).
 */
export const canBeSentAgain = (email: Pick<ListedEmail, "kind" | "status" | "customerId">): boolean =>
  isOneOf(SWITCHED_EMAIL_KINDS, email) && email.status !== "queued" && email.customerId !== null;

/** A new e-mail of the same kind about the same subject. `now`: billing time (rule E7). */
export function againOf(email: Email & { customerId: string }, now: Instant): NewEmail {
  const { organizationId, kind, customerId, subscriptionId, invoiceId, paymentId, announcedAt } = email;
  const subject = { kind, customerId, subscriptionId, invoiceId, paymentId, announcedAt };
  return { ...subject, organizationId, id: newId("eml"), createdAt: now };
}
