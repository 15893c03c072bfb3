import { formatInstant } from "../../domain/calendar.ts";
import type { SellerEmailKind } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { ProviderConnection } from "../../domain/model/provider-connection.ts";
import { newId } from "../../ids.ts";
import { formatEmail } from "../../mail/email-content.ts";
import { SELLER_LETTERS } from "../../mail/seller.ts";
import type { Tx } from "../../store/driver/db.ts";
import { queueWritten } from "../../store/email-queue.ts";

/** Queues the e-mail about a connection to the seller's own address, if there is one. */
export function queueSellerEmail(
  tx: Tx,
  organization: Organization,
  connection: ProviderConnection,
  kind: SellerEmailKind,
): void {
  const { contactEmail: recipient } = organization;
  if (recipient === null) return;
  const letter = SELLER_LETTERS[kind]({
    provider: connection.provider,
    account: connection.providerAccount,
    mode: connection.livemode ? "live" : "test",
    at: formatInstant(connection.updatedAt),
  });
  const message = formatEmail(letter, organization, "seller");
  queueWritten(tx, { organizationId: organization.id, id: newId("eml"), kind, recipient, ...message });
}
