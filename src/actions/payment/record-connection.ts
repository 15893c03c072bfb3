import { type Instant, formatInstant } from "../../domain/calendar.ts";
import type { EventType } from "../../domain/event.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { ProviderConnection } from "../../domain/model/provider-connection.ts";
import { presentPaymentAccount } from "../../resources/payment-account.ts";
import type { Tx } from "../../store/driver/db.ts";
import { storeConnection } from "../../store/provider-connections.ts";
import { record } from "../record.ts";
import type { ConnectionEmailKind } from "../../domain/model/email.ts";
import { newId } from "../../ids.ts";
import { formatEmail } from "../../mail/email-content.ts";
import { SELLER_LETTERS } from "../../mail/seller.ts";
import { queueWritten } from "../../store/email-queue.ts";

/** Queues the e-mail about a connection to the seller's own address, if there is one. */
function queueSellerEmail(
  tx: Tx,
  organization: Organization,
  connection: ProviderConnection,
  kind: ConnectionEmailKind,
): void {
  const { contactEmail: recipient } = organization;
  if (recipient === null) return;
  const content = SELLER_LETTERS[kind]({
    provider: connection.provider,
    account: connection.providerAccount,
    mode: connection.livemode ? "live" : "test",
    at: formatInstant(connection.updatedAt),
  });
  const message = formatEmail(content, organization, "seller");
  queueWritten(tx, { organizationId: organization.id, id: newId("eml"), kind, recipient, ...message });
}

const TABLE = { insert: storeConnection, update: storeConnection };

/**
 * Writes a connection with its event, and queues the e-mail to the seller's own address. `at`: billing time of the
 * event; the connection's own instants are real time.
 */
export async function recordConnection(
  tx: Tx,
  organization: Organization,
  connection: ProviderConnection,
  news: "connected" | "disconnected",
  at: Instant,
): Promise<ProviderConnection> {
  const type: EventType = `payment_account.${news}`;
  const recorded = await record(tx, TABLE, connection, type, at, presentPaymentAccount);
  queueSellerEmail(tx, organization, recorded, `payments_${news}`);
  return recorded;
}
