import * as z from "zod";
import { isId, type IdPrefix } from "../ids.ts";
import { issue } from "./fields.ts";

/** A query's integer, in decimal digits: `1e2` and `0x64`, which are numbers elsewhere, would hide a mistake. */
function readWhole(value: unknown, check: z.RefinementCtx): unknown {
  if (value === undefined) return undefined;
  if (/^-?\d+$/.test(String(value))) return Number(value);
  check.addIssue(issue("invalid_type", "Send a whole number."));
  return z.NEVER;
}

/** The fields of every list's query. A cursor is opaque: the id of the page's last row. `limit` is 100 when left out. */
export function pageQuery(prefix: IdPrefix) {
  return {
    limit: z.preprocess(readWhole, z.number().int().min(1).max(100).default(100)),
    cursor: z
      .string()
      .max(100)
      .meta({ description: "`nextCursor` of the page before." })
      .transform((value, check) => {
        const id = Buffer.from(value, "base64url").toString();
        if (isId(prefix, id)) return id as string;
        check.addIssue(issue("invalid_cursor", "Send the `nextCursor` of an earlier page of this list."));
        return z.NEVER;
      })
      .optional(),
  };
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

/** A page of up to `limit` rows; the row beyond it, if the list has one, only tells that there are more. */
export function presentPage<Row extends { id: string }, Item>(rows: Row[], limit: number, present: (row: Row) => Item) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(present), nextCursor: last ? Buffer.from(last.id).toString("base64url") : null };
}
