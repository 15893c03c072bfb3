import * as z from "zod";
import type { Context } from "../../../context.ts";
import { addDays, beginOfDay, parseDate } from "../../../domain/calendar.ts";
import type { CreatedSpan } from "../../../store/driver/filtered-list.ts";
import { organizations } from "../../../store/organizations.ts";

const day = z.string().refine((value) => parseDate(value) !== null, "Enter a day such as 2026-10-31.");

/** The filters by the day of the creation. Days are days of the Organization's zone, and both count. */
export const DAYS = { firstDay: day.optional(), lastDay: day.optional() };
type Days = { firstDay?: string | undefined; lastDay?: string | undefined };

/** The filters of a list that is sorted by its column "Created". */
export const CREATED = { ...DAYS, sort: z.enum(["newest", "oldest"]).optional() };

/** The query of a list with the days as instants. */
export async function withSpan<Query extends Days>(
  ctx: Context,
  organizationId: string,
  { firstDay, lastDay, ...query }: Query,
): Promise<Omit<Query, keyof Days> & Pick<CreatedSpan, "createdFrom" | "createdUntil">> {
  if (firstDay === undefined && lastDay === undefined) return query;
  const { timeZone } = (await organizations.find(ctx.db.read, organizationId))!;
  return {
    ...query,
    createdFrom: firstDay === undefined ? undefined : beginOfDay(firstDay, timeZone),
    createdUntil: lastDay === undefined ? undefined : beginOfDay(addDays(lastDay, 1), timeZone),
  };
}
