import type { Instant } from "../domain/calendar.ts";
import { stamped, type EventType } from "../domain/event.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/driver/db.ts";
import { events } from "../store/events.ts";
import type { Table } from "../store/driver/table.ts";

/** The fields that all resources with events have. */
type Eventful = { organizationId: string; id: string; version: number; eventSequence: number; updatedAt: Instant };

/**
 * Writes a changed row that belongs to no `CustomerBilling`. In the same transaction, writes the event with the changed
 * resource (see `stamped`).
 */
export async function record<Row extends Eventful>(
  tx: Tx,
  table: Pick<Table<Row>, "insert" | "update">,
  changed: Row,
  type: EventType | null,
  at: Instant,
  present: (row: Row) => object,
): Promise<Row> {
  const { row, recordedAt } = stamped(changed, type, at);
  if (changed.version === 0) table.insert(tx, row);
  else table.update(tx, row);
  if (type) {
    const { organizationId, id: resourceId, eventSequence: sequence } = row;
    events.insert(tx, {
      organizationId,
      id: newId("evt"),
      type,
      resourceId,
      sequence,
      data: present(row),
      createdAt: recordedAt,
    });
  }
  return row;
}
