import { formatInstant, type Instant } from "../../../domain/calendar.ts";
import { moneyText, time } from "../components/cells.ts";
import { STATES, statusBadge, type Kind } from "../components/status.ts";
import type { CsvValue } from "../../../csv.ts";
import type { Column } from "./list.ts";

/** A time in the Organization's zone. On a phone the column is left out, unless `isWide` is false. */
export const timeColumn = <Row>(label: string, at: (row: Row) => Instant | null, isWide = true): Column<Row> => ({
  label,
  isWide,
  show(row, { zone }) {
    const found = at(row);
    return found === null ? "" : time(found, zone);
  },
});

/** The time of the creation, by which the list is sorted. */
export const createdColumn = <Row extends { createdAt: Instant }>(): Column<Row> => ({
  ...timeColumn<Row>("Created", ({ createdAt }) => createdAt),
  isSorted: true,
});

export const moneyColumn = <Row extends { currency: string }>(
  label: string,
  amount: (row: Row) => number,
): Column<Row> => ({ label, isNumber: true, show: (row) => moneyText(amount(row), row.currency) });

export const statusColumn = <Row extends { status: string }>(kind: Kind): Column<Row> => ({
  label: "Status",
  show: ({ status }) => statusBadge(kind, status as never),
});

/** The words of a filter by status. */
export const statusWords = (kind: Kind): Record<string, string> =>
  Object.fromEntries(Object.entries(STATES[kind]).map(([status, [, label]]) => [status, label]));

/** A time in a CSV: RFC 3339 in UTC. */
export const csvTime = (at: Instant | null): CsvValue => (at === null ? null : formatInstant(at));
