import { blankAuditLog } from "../audit-log.ts";
import { BLANK_CUSTOMER } from "../../domain/model/customer.ts";
import { BLANK_BUYER } from "../../domain/model/invoice.ts";
import { forgetNotes } from "../balances.ts";
import { forgetBuyers } from "../checkouts.ts";
import type { Tx } from "../driver/db.ts";
import { dropChanges } from "../email-changes.ts";
import { blankEmails } from "../emails.ts";
import { blankEvents } from "../events.ts";
import { withholdAnswers } from "../idempotency.ts";
import { forgetReadings } from "../imports.ts";
import { queueForgetting } from "../provider-erasures.ts";
import { forgetDevices } from "../licenses.ts";
import { detachCards } from "../payment-methods.ts";
import { forgetVisits } from "../portal.ts";
import { forgetReasons } from "../refunds.ts";
import { forgetSubscribers } from "../subscriptions.ts";

/**
 * Personal fields in events of Checkouts, Subscriptions, grants and invoices. The invoices themselves keep such fields.
 */
const BLANK_RELATED = {
  externalCustomerId: null,
  cancellationComment: null,
  buyer: BLANK_BUYER,
  fieldValues: null,
};

/**
 * Blanks all fields that identify a deleted Customer, except in issued documents (rule I5). Also blanks events that
 * were written earlier in the same transaction. Sends its statements without waiting. One statement reads all API
 * answers that were stored in a day.
 */
export function forgetCustomer(tx: Tx, organizationId: string, customerId: string): void {
  blankEvents(tx, organizationId, customerId, {
    own: BLANK_CUSTOMER,
    related: BLANK_RELATED,
    refunds: { reason: null },
  });
  blankEmails(tx, organizationId, customerId);
  forgetVisits(tx, organizationId, customerId);
  dropChanges(tx, organizationId, customerId);
  blankAuditLog(tx, organizationId, customerId);
  withholdAnswers(tx, organizationId, customerId);
  forgetBuyers(tx, organizationId, customerId);
  forgetSubscribers(tx, organizationId, customerId);
  forgetReadings(tx, organizationId, customerId);
  forgetNotes(tx, organizationId, customerId);
  forgetReasons(tx, organizationId, customerId);
  forgetDevices(tx, organizationId, customerId);
  detachCards(tx, organizationId, customerId);
  queueForgetting(tx, organizationId, customerId);
}
