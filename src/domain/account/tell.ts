import type { Instant } from "../calendar.ts";
import { emailOf, type Told as ToldToBuyer } from "../email/email.ts";
import { stamped, type EventType } from "../event.ts";
import { newId } from "../../ids.ts";
import type { Account } from "./account.ts";
import type { ToldResource } from "./told.ts";

type Eventful = { id: string; version: number; eventSequence: number; updatedAt: Instant };

/** The changed row as it is written, and the event that shows it so (see `stamped`). */
export function record<Row extends Eventful>(
  account: Account,
  changed: Row,
  type: EventType | null,
  at: Instant,
  shown: (row: Row) => ToldResource,
): Row {
  const { row, toldAt } = stamped(changed, type, at);
  if (type) account.told.push({ id: newId("evt"), type, resource: shown(row), sequence: row.eventSequence, at: toldAt });
  return row;
}

/** Tells the buyer as well, where the Organization wants that; what they are told is made when it is sent. */
export function tellBuyer({ organization, customer, emails }: Account, told: ToldToBuyer, createdAt: Instant): void {
  const email = emailOf(told, organization.emailsOff);
  if (email === null) return;
  emails.push({ ...email, organizationId: organization.id, id: newId("eml"), customerId: customer.id, createdAt });
}
