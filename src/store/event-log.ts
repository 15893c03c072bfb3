import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Event, EventType } from "../domain/event.ts";
import type { Queryable } from "./driver/db.ts";
import { events, idsOfCustomer } from "./events.ts";
import { filteredList } from "./driver/filtered-list.ts";

const SELECT = `SELECT ${events.columns()} FROM events WHERE organization_id = $1`;
const ABOUT = {
  type: (value: string) => `type = ${value}`,
  resourceId: (value: string) => `resource_id = ${value}`,
  customerId: (value: string) => `resource_id IN (${idsOfCustomer(value)})`,
};

const newest = filteredList<Event, "cursor" | keyof typeof ABOUT>({
  name: "events.log",
  select: SELECT,
  order: "id DESC",
  values: { cursor: (value) => `id < ${value}`, ...ABOUT },
});
// Ordered by time: in the order of ids, PostgreSQL would walk through all later months to find last year's events.
const newestOfSpan = filteredList<Event, "cursor" | "from" | "until" | keyof typeof ABOUT>({
  name: "events.log_by_time",
  select: SELECT,
  order: "created_at DESC, id DESC",
  values: {
    cursor: (value) =>
      `(created_at, id) < ((SELECT created_at FROM events WHERE organization_id = $1 AND id = ${value}), ${value})`,
    from: (value) => `created_at >= ${value}`,
    until: (value) => `created_at < ${value}`,
    ...ABOUT,
  },
});

/** `customerId`: the events of the Customer and of all resources of the Customer. `until`: the first later instant. */
export type EventFilters = {
  cursor?: string | undefined;
  limit: number;
  type?: EventType | undefined;
  resourceId?: string | undefined;
  customerId?: string | undefined;
  from?: Instant | undefined;
  until?: Instant | undefined;
};

/** Newest first, by billing time if instants are given; returns one row more than the page holds. */
export function listNewestEvents(
  db: Queryable,
  organizationId: string,
  { from, until, ...query }: EventFilters,
): Promise<Event[]> {
  if (from === undefined && until === undefined) return newest(db, organizationId, query);
  const span = {
    from: from === undefined ? undefined : formatInstant(from),
    until: until === undefined ? undefined : formatInstant(until),
  };
  return newestOfSpan(db, organizationId, { ...query, ...span });
}
