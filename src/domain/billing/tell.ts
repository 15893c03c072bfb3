import type { Instant } from "../calendar.ts";
import { emailOf, type Told as ToldToBuyer } from "../model/email.ts";
import { stamped, type EventType } from "../event.ts";
import { newId } from "../../ids.ts";
import type { Account } from "./customer-billing.ts";
import type { ToldResource } from "./told.ts";

type Eventful = { id: string; version: number; eventSequence: number; updatedAt: Instant };

/** Stamps a changed row (see `stamped`) and adds the event that shows it. Returns the row as it is written. */
export function record<Row extends Eventful>(
  account: Account,
  changed: Row,
  type: EventType | null,
  at: Instant,
  resourceOf: (row: Row) => ToldResource,
): Row {
  const { row, toldAt } = stamped(changed, type, at);
  if (type)
    account.told.push({ id: newId("evt"), type, resource: resourceOf(row), sequence: row.eventSequence, at: toldAt });
  return row;
}

/**
 * Queues an e-mail for the buyer, unless the Organization has switched this kind of e-mail off. The text is written
 * when the e-mail is sent.
 */
export function tellBuyer({ organization, customer, emails }: Account, told: ToldToBuyer, createdAt: Instant): void {
  const email = emailOf(told, organization.emailsOff);
  if (email === null) return;
  emails.push({ ...email, organizationId: organization.id, id: newId("eml"), customerId: customer.id, createdAt });
}
