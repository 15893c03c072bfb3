import { sql, type Queryable } from "./driver/db.ts";

const newestStatement = sql(
  "events.newest",
  "SELECT id FROM events WHERE organization_id = $1 ORDER BY id DESC LIMIT 1",
);
const countsStatement = sql(
  "events.counts",
  `SELECT type, count(*)::integer AS count FROM events
   WHERE organization_id = $1 AND ($2::text IS NULL OR id > $2) GROUP BY type ORDER BY min(id)`,
);

/** The id of the Organization's last event; null before the first one. */
export async function newestEvent(db: Queryable, organizationId: string): Promise<string | null> {
  const [newest] = await db.query<{ id: string }>(newestStatement, [organizationId]);
  return newest?.id ?? null;
}

/** The number of events by type after an event, the type that came first at the head. `after`: null for all events. */
export async function countEvents(
  db: Queryable,
  organizationId: string,
  after: string | null,
): Promise<{ type: string; count: number }[]> {
  return db.query(countsStatement, [organizationId, after]);
}
