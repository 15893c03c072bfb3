import type { Context } from "../../context.ts";
import { DAY, HOUR, instant } from "../../domain/calendar.ts";
import { firstIdAt } from "../../ids.ts";
import { claimRetention, forgetEvents, moveRetention } from "../../store/event-retention.ts";

/**
 * Deletes a batch of the events of an Organization that are older than `days` and of which the MRR is counted, the
 * oldest first (rule I4f). After the last one, the next look comes in an hour. Returns the number of deleted events.
 */
export async function forgetOldEvents(
  { db }: Pick<Context, "db">,
  organizationId: string,
  days: number,
  limit: number,
): Promise<number> {
  return db.tx(async (tx) => {
    const claimed = await claimRetention(tx, organizationId);
    if (claimed === null) return 0;
    const { readUntil, deletedUntil, now } = claimed;
    const old = firstIdAt("evt", now - days * DAY);
    const before = old < readUntil ? old : readUntil;
    const { last, free, forgotten } = await forgetEvents(tx, organizationId, { after: deletedUntil, before, limit });
    moveRetention(tx, organizationId, { last, deleteAt: free < limit ? instant(now + HOUR) : null });
    return forgotten;
  });
}
