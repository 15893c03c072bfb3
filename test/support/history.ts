import { sql, type Database } from "../../src/store/driver/db.ts";
import type { Json } from "./app.ts";

type RecordedEvent = { type: string; sequence: number; at: Date; data: Json };

const eventsStatement = sql(
  "test.history",
  `SELECT type, sequence, to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS at, data FROM events
    WHERE organization_id = $1 ORDER BY id`,
);

/**
 * All events of an Organization by the buyer's e-mail address. Each event is a line without ids and links, so two
 * Organizations with the same past have the same history.
 */
export async function historyOf(db: Database, organizationId: string): Promise<Record<string, string[]>> {
  const events = await db.read.query<RecordedEvent>(eventsStatement, [organizationId]);
  const emails = new Map(
    events.filter(({ type }) => type === "customer.created").map(({ data }) => [data.id, data.email as string]),
  );
  const anonymous = (text: string) =>
    text.replace(/\b([a-z]{2,3})_[0-9a-z]{26}\b/g, "$1").replace(/-[0-9A-Z]{8}-(\d{4})\b/g, "-$1");
  const withoutLinks = (name: string, value: unknown) => (name === "url" ? undefined : value);
  const lines = events.map(({ type, sequence, at, data }) => ({
    buyer: emails.get(data.customerId ?? data.id) ?? "nobody",
    line: `${at} ${type} ${sequence} ${anonymous(JSON.stringify(data, withoutLinks))}`,
  }));
  const byBuyer = Map.groupBy(lines, ({ buyer }) => buyer);
  return Object.fromEntries([...byBuyer].map(([buyer, entries]) => [buyer, entries.map(({ line }) => line)]));
}
