import { instant, type Instant } from "../../domain/calendar.ts";

/**
 * An instant as PostgreSQL writes it in a UTC session: `2026-01-31 00:00:00.123+00`, and
 * `2026-01-31T00:00:00.123+00:00` in JSON. `Date.parse` costs eight times as much.
 * @throws RangeError for an instant in another zone
 */
export function toInstant(text: string): Instant {
  if (!text.endsWith("+00") && !text.endsWith("+00:00"))
    throw new RangeError(`the database answers ${text}, which is not in UTC`);
  const milliseconds =
    text.charCodeAt(19) === 46 ? Number(text.slice(20, text.indexOf("+", 20)).padEnd(3, "0").slice(0, 3)) : 0;
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  if (text.startsWith("00"))
    return instant(Date.parse(`${text.slice(0, 10)}T${text.slice(11, text.indexOf("+", 11))}Z`));
  const date = Date.UTC(
    +text.slice(0, 4),
    +text.slice(5, 7) - 1,
    +text.slice(8, 10),
    +text.slice(11, 13),
    +text.slice(14, 16),
    +text.slice(17, 19),
  );
  return instant(date + milliseconds);
}
