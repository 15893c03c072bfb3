import type { Event } from "../domain/event.ts";
import type { ListEventsQuery } from "../resources/event.ts";
import { sql, type Queryable } from "./db.ts";
import { defineTable } from "./table.ts";

export const events = defineTable<Event>("events", {
  organizationId: "plain",
  id: "plain",
  type: "plain",
  resourceId: "plain",
  sequence: "plain",
  data: "json",
  createdAt: "instant",
});

const listStatement = sql(
  "events.list",
  `SELECT ${events.columns()} FROM events
   WHERE organization_id = $1 AND ($2::text IS NULL OR id > $2)
     AND ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR resource_id = $4)
   ORDER BY id LIMIT $5`,
);

/** In the order they happened, one more than the page holds. */
export async function listEvents(db: Queryable, organizationId: string, query: ListEventsQuery): Promise<Event[]> {
  const { cursor, type, resourceId, limit } = query;
  return db.query<Event>(listStatement, [organizationId, cursor, type, resourceId, limit + 1]);
}
