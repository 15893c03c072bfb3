import type { Instant } from "../calendar.ts";
import { emailOf, type EmailCause } from "../model/email.ts";
import { stamped, type EventType } from "../event.ts";
import { newId } from "../../ids.ts";
import type { Account } from "./customer-billing.ts";
import type { RecordedResource } from "./recorded-event.ts";

type Eventful = { id: string; version: number; eventSequence: number; updatedAt: Instant };

/** Stamps a changed row (see `stamped`) and adds the event that shows it. Returns the row as it is written. */
export function record<Row extends Eventful>(
  account: Account,
  changed: Row,
  type: EventType | null,
  at: Instant,
  resourceOf: (row: Row) => RecordedResource,
): Row {
  const { row, recordedAt } = stamped(changed, type, at);
  if (type)
    account.events.push({
      id: newId("evt"),
      type,
      resource: resourceOf(row),
      sequence: row.eventSequence,
      at: recordedAt,
    });
  return row;
}

/**
 * Queues an e-mail for the buyer, unless the Organization has switched this kind of e-mail off. The text is written
 * when the e-mail is sent.
 */
export function queueEmail({ organization, customer, emails }: Account, cause: EmailCause, createdAt: Instant): void {
  const email = emailOf(cause, organization.emailsOff);
  if (email === null) return;
  emails.push({ ...email, organizationId: organization.id, id: newId("eml"), customerId: customer.id, createdAt });
}
