import type { Instant } from "../domain/calendar.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Tx } from "../store/driver/db.ts";
import type { Table } from "../store/driver/table.ts";
import type { VersionCheck } from "./origin.ts";

/**
 * Locks the row that is to be changed, and checks it against the version that the caller has seen.
 * @throws Refusal `not_found` (also for a deleted row), 412
 */
export async function lockUndeleted<Row extends { deletedAt: Instant | null }>(
  tx: Tx,
  table: Table<Row>,
  organizationId: string,
  id: string,
  checkVersion?: VersionCheck<Row>,
): Promise<Row> {
  const row = await table.lock(tx, organizationId, id);
  if (!row || row.deletedAt !== null) throw new Refusal("not_found");
  checkVersion?.(row);
  return row;
}
