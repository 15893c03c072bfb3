import type { Event } from "../domain/event.ts";
import type { ListEventsQuery } from "../resources/event.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
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

// Field by field, in their order: `$3` says what is to stand in place of which.
const BLANK = `UPDATE events SET data = (
     SELECT json_object_agg(field.key, COALESCE($3::json -> field.key, field.value) ORDER BY field.place)
     FROM json_each(data) WITH ORDINALITY AS field (key, value, place))
   WHERE organization_id = $1`;
const blankOwnStatement = sql("events.blank_own", `${BLANK} AND resource_id = $2`);
const blankRelatedStatement = sql(
  "events.blank_related",
  `${BLANK} AND resource_id IN (${["checkouts", "subscriptions", "invoices", "benefit_grants"]
    .map((table) => `SELECT id FROM ${table} WHERE organization_id = $1 AND customer_id = $2`)
    .join(" UNION ALL ")})`,
);

/**
 * Takes a Customer out of what was told (rule I5): `own` fields of the Customer's events, `related` ones of those of their Checkouts,
 * Subscriptions, invoices and grants.
 */
export function blankEvents(tx: Tx, organizationId: string, customerId: string, blank: { own: object; related: object }): void {
  tx.send(blankOwnStatement, [organizationId, customerId, JSON.stringify(blank.own)]);
  tx.send(blankRelatedStatement, [organizationId, customerId, JSON.stringify(blank.related)]);
}
