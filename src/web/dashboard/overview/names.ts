import { parseDate } from "../../../domain/calendar.ts";
import type { CountedStatus } from "../../../domain/metrics/day.ts";
import type { MovementKind } from "../../../domain/metrics/movement.ts";
import type { Bucket, Step } from "../../../domain/metrics/span.ts";
import { ENGLISH } from "../../../texts/words.ts";

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

const dateOf = (text: string) => Date.parse(`${text}T00:00:00Z`);

/** A date such as `2026-10-31` as `31 Oct 2026`. */
export const dateText = (text: string): string => dateFormat.format(dateOf(text));

/** The name of a day or a month: `31 Oct` or `October 2026`. */
export function bucketName(step: Step, { first }: Pick<Bucket, "first">): string {
  return step === "day"
    ? dayFormat.format(dateOf(first))
    : ENGLISH.month(Number(first.slice(0, 4)), Number(first.slice(5, 7)));
}

/** A span of dates, both included. */
export const spanText = (from: string, to: string): string =>
  from === to ? dateText(from) : `${dateText(from)} to ${dateText(to)}`;

export const KIND_NAMES: Record<MovementKind, string> = {
  new: "New",
  reactivation: "Reactivation",
  expansion: "Expansion",
  contraction: "Contraction",
  churn: "Churn",
  pause: "Pause",
  resumption: "Resumption",
};

export const STATUS_NAMES: Record<CountedStatus, string> = {
  active: "Active",
  trialing: "Trialing",
  past_due: "Past due",
  paused: "Paused",
};

/** The date of a query parameter; the default without the parameter; null for any other text. */
export const dateParam = (text: string | undefined, usual: string): string | null =>
  text === undefined ? usual : parseDate(text);
