import { HTTPException } from "hono/http-exception";
import { COUNTED_STATUSES, type CountedStatus } from "../../../domain/metrics/day.ts";
import { MOST_DAYS, MOST_MONTHS, usualFrom } from "../../../domain/metrics/span.ts";
import { addDays, addMonths } from "../../../domain/calendar.ts";
import { isCurrency } from "../../../domain/currency.ts";
import { MOVEMENT_KINDS, type MovementKind } from "../../../domain/metrics/movement.ts";
import type { Asked } from "../../../actions/metrics/read.ts";
import type { PageContext } from "../../environment.ts";
import type { DashboardRequest } from "../request.ts";
import { dateParam } from "./names.ts";

/** A span of days in a currency, as the address of a page gives it. */
export type AskedFigures = Asked & { currency: string };

/** The currency in the address; null: none. @throws HTTPException 404 for a currency that is none */
export function currencyOf(c: PageContext): string | null {
  const currency = c.req.query("currency") ?? null;
  if (currency !== null && !isCurrency(currency)) throw new HTTPException(404);
  return currency;
}

/**
 * Reads `by`, `from`, `to` and `currency` of an address. Without `from`, the span has 30 days or 12 months, or the
 * one day or month of `to` (`isOne`). Months are whole months.
 * @throws HTTPException 404 for a value that no link of ours has
 */
export function askedOf(
  c: PageContext,
  { organization }: DashboardRequest,
  today: string,
  isOne = false,
): AskedFigures {
  const step = c.req.query("by") === "month" ? "month" : "day";
  const until = dateParam(c.req.query("to"), today);
  if (until === null) throw new HTTPException(404);
  const to = step === "day" ? until : addDays(addMonths(until, 1), -1);
  const from = dateParam(c.req.query("from"), isOne ? to : usualFrom(step, to));
  const isLong = from !== null && from < (step === "day" ? addDays(to, 1 - MOST_DAYS) : addMonths(to, 1 - MOST_MONTHS));
  if (from === null || from > to || isLong) throw new HTTPException(404);
  return { step, from, to, currency: currencyOf(c) ?? organization.defaultCurrency };
}

/** The query of an address, with its question mark. */
export function queryOf(fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** @throws HTTPException 404 for a kind that is none */
export function kindOf(c: PageContext): MovementKind | null {
  const text = c.req.query("kind") ?? "";
  if (text === "") return null;
  const kind = MOVEMENT_KINDS.find((each) => each === text);
  if (!kind) throw new HTTPException(404);
  return kind;
}

/** @throws HTTPException 404 for a status that is none */
export function statusOf(c: PageContext): CountedStatus {
  const status = COUNTED_STATUSES.find((each) => each === c.req.query("status"));
  if (!status) throw new HTTPException(404);
  return status;
}
