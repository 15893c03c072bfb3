import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { ConnectionKey, ProviderConnection, SealedValues } from "../domain/model/provider-connection.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { planImport } from "./provider-transactions.ts";
import { columnList } from "./driver/table.ts";

const COLUMNS = [
  "organizationId",
  "id",
  "provider",
  "providerAccount",
  "keySealed",
  "keyVariable",
  "webhookSecretSealed",
  "previousWebhookSecretSealed",
  "livemode",
  "connectedAt",
  "disconnectedAt",
  "version",
  "eventSequence",
  "createdAt",
  "updatedAt",
] as const satisfies (keyof ProviderConnection)[];

const LIST = columnList(COLUMNS);
const KEY = "organization_id = $1 AND provider = $2 AND provider_account = $3";
const PAGE = 100;
/** The key before all keys. */
const FIRST: ConnectionKey = { organizationId: "", provider: "", providerAccount: "" };

const findStatement = sql("provider_connections.find", `SELECT ${LIST} FROM provider_connections WHERE ${KEY}`);
const lockStatement = sql("provider_connections.lock", `${findStatement.text} FOR UPDATE`);
const storeStatement = sql(
  "provider_connections.store",
  `INSERT INTO provider_connections (organization_id, provider, provider_account, key_sealed, key_variable,
     webhook_secret_sealed, previous_webhook_secret_sealed, livemode, connected_at, disconnected_at, created_at,
     updated_at, id, version, event_sequence, poll_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
     CASE WHEN $10::timestamptz IS NULL THEN statement_timestamp() END)
   ON CONFLICT (organization_id, provider, provider_account) DO UPDATE SET (key_sealed, key_variable,
     webhook_secret_sealed, previous_webhook_secret_sealed, livemode, connected_at, disconnected_at, updated_at,
     version, event_sequence, poll_at)
     = ROW ($4, $5, $6, $7, $8, $9, $10, $12, $14, $15, EXCLUDED.poll_at)`,
);
const resealStatement = sql(
  "provider_connections.reseal",
  `UPDATE provider_connections
   SET key_sealed = $4, webhook_secret_sealed = $5, previous_webhook_secret_sealed = $6 WHERE ${KEY}`,
);
const pageStatement = sql(
  "provider_connections.page",
  `SELECT ${LIST} FROM provider_connections WHERE (organization_id, provider, provider_account) > ($1, $2, $3)
   ORDER BY organization_id, provider, provider_account LIMIT ${PAGE}`,
);

const valuesOf = ({ organizationId, provider, providerAccount }: ConnectionKey) => [
  organizationId,
  provider,
  providerAccount,
];
const timestamp = (at: Instant | null) => at && formatInstant(at);

export async function findConnection(db: Queryable, key: ConnectionKey): Promise<ProviderConnection | null> {
  return (await db.query<ProviderConnection>(findStatement, valuesOf(key)))[0] ?? null;
}

/** Like `findConnection`, and locks the row until the transaction ends. */
export async function lockConnection(tx: Tx, key: ConnectionKey): Promise<ProviderConnection | null> {
  return (await tx.query<ProviderConnection>(lockStatement, valuesOf(key)))[0] ?? null;
}

/**
 * Writes a connection as a new row, or in place of the row with its key. `createdAt` of an old row stays. The book of
 * the provider is imported at once, until the end of the connection.
 */
export function storeConnection(tx: Tx, row: ProviderConnection): void {
  tx.send(storeStatement, [
    ...valuesOf(row),
    row.keySealed,
    row.keyVariable,
    row.webhookSecretSealed,
    row.previousWebhookSecretSealed,
    row.livemode,
    ...[row.connectedAt, row.disconnectedAt, row.createdAt, row.updatedAt].map(timestamp),
    row.id,
    row.version,
    row.eventSequence,
  ]);
  planImport(tx, row, row.disconnectedAt === null);
}

const ofStatement = sql(
  "provider_connections.of_organization",
  `SELECT ${LIST} FROM provider_connections
   WHERE organization_id = $1 AND provider = $2 AND disconnected_at IS NULL ORDER BY connected_at DESC`,
);
const allOfStatement = sql(
  "provider_connections.all_of_organization",
  `SELECT ${LIST} FROM provider_connections WHERE organization_id = $1 ORDER BY connected_at DESC, provider_account`,
);
const duePollsStatement = sql(
  "provider_connections.due_polls",
  `SELECT organization_id AS "organizationId", provider, provider_account AS "providerAccount"
   FROM provider_connections WHERE poll_at <= statement_timestamp() ORDER BY poll_at LIMIT $1`,
);
const leasePollStatement = sql(
  "provider_connections.lease_poll",
  `UPDATE provider_connections SET poll_at = statement_timestamp() + $4 * interval '1 millisecond'
   WHERE ${KEY} AND poll_at <= statement_timestamp() RETURNING poll_cursor AS cursor`,
);
const movePollStatement = sql(
  "provider_connections.move_poll",
  `UPDATE provider_connections SET poll_cursor = $4 WHERE ${KEY}`,
);
// A disconnected account stays without polls.
const pollAgainStatement = sql(
  "provider_connections.poll_again",
  `UPDATE provider_connections SET poll_at = statement_timestamp() WHERE ${KEY} AND poll_at IS NOT NULL`,
);

/** The connected accounts of an Organization at a provider, the newest first. */
export function connectionsOf(db: Queryable, organizationId: string, provider: string): Promise<ProviderConnection[]> {
  return db.query<ProviderConnection>(ofStatement, [organizationId, provider]);
}

/** Every account that was ever connected to an Organization, the newest connection first. */
export function allConnectionsOf(db: Queryable, organizationId: string): Promise<ProviderConnection[]> {
  return db.query<ProviderConnection>(allOfStatement, [organizationId]);
}

/** Connections with a provider that is to be polled now, in real time. */
export function duePolls(db: Queryable, limit: number): Promise<ConnectionKey[]> {
  return db.query<ConnectionKey>(duePollsStatement, [limit]);
}

/** Plans the next poll after `milliseconds` and answers the cursor; null if another process polls. */
export async function leasePoll(
  tx: Tx,
  key: ConnectionKey,
  milliseconds: number,
): Promise<{ cursor: string | null } | null> {
  return (await tx.query<{ cursor: string | null }>(leasePollStatement, [...valuesOf(key), milliseconds]))[0] ?? null;
}

export function movePoll(tx: Tx, key: ConnectionKey, cursor: string | null): void {
  tx.send(movePollStatement, [...valuesOf(key), cursor]);
}

/** Makes the next poll due at once, before the end of the lease. */
export function pollAgain(tx: Tx, key: ConnectionKey): void {
  tx.send(pollAgainStatement, valuesOf(key));
  tx.wakes("polls");
}

/** Writes the encrypted values of a row alone. `updatedAt` stays, because the values mean the same as before. */
export function reseal(tx: Tx, key: ConnectionKey, sealed: SealedValues): void {
  const { keySealed, webhookSecretSealed, previousWebhookSecretSealed } = sealed;
  tx.send(resealStatement, [...valuesOf(key), keySealed, webhookSecretSealed, previousWebhookSecretSealed]);
}

/** Every connection of all Organizations, in the order of their keys. Reads a page at a time. */
export async function* everyConnection(db: Queryable): AsyncGenerator<ProviderConnection> {
  for (let after = FIRST; ;) {
    const page = await db.query<ProviderConnection>(pageStatement, valuesOf(after));
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!;
  }
}
