import { DAY, HOUR, instant, later, MINUTE, SECOND, type Instant } from "../calendar.ts";
import type { ConnectionKey } from "../model/provider-connection.ts";

/** Imported entries are kept for this long. No import reaches further back. */
export const TRANSACTION_DAYS = 35;
/** The provider's clock may differ from ours by this much. Entries may also show up in the book this late. */
export const IMPORT_SLACK = HOUR;
/** The newest minutes of a book may still change. */
const LAG = 10 * MINUTE;
/** The longest part of a book that is read in one go. */
const LONGEST_SPAN = DAY;
/** Imports begin at this hour in UTC. */
const NIGHT_HOUR = 2;
/** Orphans are looked for among requests of this age, because no buyer can finish such a request any more. */
const ORPHAN_AGE = 7 * DAY;

/**
 * The import of one account's book. The span from `importedFrom` to `importedUntil` is imported; null before the first
 * import. `readingFrom` and `readingUntil`: the span that is being read, of which `cursor` names the next page.
 * `orphansUntil`: the requests of this installation were looked through until then. `orphans`: the span that is being
 * looked through; null between two spans. `late`: the spans that are still to be read again before the next comparison
 * (`lateSpans`); null: they are not known yet. `lateUntil`: everything without an entry that was settled until then was
 * planned to be read again. `heldSince`: the account's off-session charges wait since this instant, at which PostgreSQL
 * began another timeline; `heldDifferences`: the differences before. All instants are real time.
 */
export type TransactionImport = ConnectionKey & {
  importedFrom: Instant | null;
  importedUntil: Instant | null;
  readingFrom: Instant | null;
  readingUntil: Instant | null;
  cursor: string | null;
  orphansUntil: Instant | null;
  orphans: ImportSpan | null;
  late: readonly ImportSpan[] | null;
  lateUntil: Instant | null;
  heldSince: Instant | null;
  heldDifferences: number | null;
  createdAt: Instant;
};

/** A page of a book to be read: from `from` (included) to `to`. */
export type ImportSpan = { from: Instant; to: Instant; cursor: string | null };

const before = (at: Instant, milliseconds: number): Instant => instant(at - milliseconds);
const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** Whether the imported span reaches to the instant at which PostgreSQL began another timeline. */
export const reachesPromotion = ({ heldSince, importedUntil }: TransactionImport): boolean =>
  heldSince === null || (importedUntil !== null && importedUntil >= heldSince);

/** The milliseconds until the next import: at night, or as soon as the book shows the instant of the promotion. */
export function untilNext(progress: TransactionImport, now: Instant): number {
  return reachesPromotion(progress) ? untilNight(now) : Math.max(progress.heldSince! + LAG - now, SECOND);
}

/**
 * The next page to be read; null while the imported span ends less than an hour ago. A span is at most a day, plus the
 * last hour of the span before, which is read again. The first span begins an hour before the connection (rule I4a).
 */
export function nextSpan(progress: TransactionImport, now: Instant): ImportSpan | null {
  const { importedUntil, readingFrom, readingUntil, cursor, createdAt } = progress;
  if (readingFrom !== null && readingUntil !== null) return { from: readingFrom, to: readingUntil, cursor };
  const newest = before(now, LAG);
  const isEnough = reachesPromotion(progress) || newest < progress.heldSince!;
  if (importedUntil !== null && newest - importedUntil < (isEnough ? HOUR : 1)) return null;
  const oldest = before(now, TRANSACTION_DAYS * DAY);
  const start = later(importedUntil ?? createdAt, oldest);
  return { from: before(start, IMPORT_SLACK), to: earlier(instant(start + LONGEST_SPAN), newest), cursor: null };
}

/**
 * The import after a page of `span` was kept. `next`: the mark of the page after it; null: the span is imported. A gap
 * before the span, after weeks without an import, makes the span the beginning of the imported time.
 */
export function turnPage(
  progress: TransactionImport,
  { from, to }: ImportSpan,
  next: string | null,
): TransactionImport {
  if (next !== null) return { ...progress, readingFrom: from, readingUntil: to, cursor: next };
  const isGap = progress.importedUntil === null || from > progress.importedUntil;
  const importedFrom = isGap ? from : progress.importedFrom;
  return { ...progress, importedFrom, importedUntil: to, readingFrom: null, readingUntil: null, cursor: null };
}

/**
 * The spans in which the entries of these payments and refunds may have been made. An entry bears the instant at which
 * the provider made it, and is listed only once it has succeeded, which can be days later. A charge or refund is made
 * within a day of our own record, and within the provider's slack. Spans do not overlap.
 */
export function lateSpans(missing: readonly { createdAt: Instant; settledAt: Instant }[]): ImportSpan[] {
  const spans: ImportSpan[] = [];
  for (const { createdAt, settledAt } of missing.toSorted((one, other) => one.createdAt - other.createdAt)) {
    const from = before(createdAt, IMPORT_SLACK);
    const to = instant(Math.min(settledAt, createdAt + DAY) + IMPORT_SLACK);
    const last = spans.at(-1);
    if (last && from <= last.to) last.to = later(last.to, to);
    else spans.push({ from, to, cursor: null });
  }
  return spans;
}

/**
 * The next page to look for orphans, of the span in progress or of a new span: at most a day, and a week old. Null if
 * less than an hour is left.
 */
export function orphanSpan(
  { importedFrom, orphansUntil, orphans }: TransactionImport,
  now: Instant,
): ImportSpan | null {
  if (orphans !== null) return orphans;
  if (importedFrom === null) return null;
  const newest = before(now, ORPHAN_AGE);
  const from = later(orphansUntil ?? importedFrom, before(now, TRANSACTION_DAYS * DAY));
  return newest - from < HOUR ? null : { from, to: earlier(instant(from + LONGEST_SPAN), newest), cursor: null };
}

/** The number of the night to which an import belongs. */
export const nightOf = (now: Instant): number => Math.floor((now - NIGHT_HOUR * HOUR) / DAY);

/** The milliseconds until the import of the next night. */
export function untilNight(now: Instant): number {
  const night = Math.floor(now / DAY) * DAY + NIGHT_HOUR * HOUR;
  return (night > now ? night : night + DAY) - now;
}

/** The result of a comparison of an Organization's books; `differsSince` null: the books agree. */
export type TransactionComparison = {
  organizationId: string;
  differences: number;
  /** Charges and orphans with a key of this installation that no payment has. */
  unknownCharges: number;
  differsSince: Instant | null;
  comparedAt: Instant;
};
