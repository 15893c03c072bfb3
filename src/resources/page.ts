import * as z from "zod";
import { idPattern, isId, type IdPrefix } from "../ids.ts";
import { fault, issue } from "./fields.ts";

/** Reads an integer in a query. Only decimal digits are accepted, since `1e2` or `0x64` is probably a mistake. */
function readWhole(value: unknown, check: z.RefinementCtx): unknown {
  if (value === undefined) return undefined;
  if (/^-?\d+$/.test(String(value))) return Number(value);
  check.addIssue(issue("invalid_type", "This must be a whole number."));
  return z.NEVER;
}

/** The fields of every list's query. A cursor is the id of the page's last row. `limit` is 100 when left out. */
export function pageQuery(prefix: IdPrefix) {
  return {
    limit: z.preprocess(readWhole, z.number().int().min(1).max(100).default(100)),
    cursor: z
      .string()
      .refine(
        (value): boolean => isId(prefix, value),
        fault("invalid_cursor", "Send the `nextCursor` of an earlier page of this list."),
      )
      .meta({ pattern: idPattern(prefix), description: "The `nextCursor` of the previous page." })
      .optional(),
  };
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

/** A page of up to `limit` rows. A further row, if there is one, only shows that the list continues. */
export function presentPage<Row extends { id: string }, Item>(rows: Row[], limit: number, present: (row: Row) => Item) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: page.map(present), nextCursor: last ? last.id : null };
}
