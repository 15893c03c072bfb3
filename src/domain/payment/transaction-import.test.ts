import { describe, expect, test } from "vitest";
import { DAY, formatInstant, parseInstant, type Instant } from "../calendar.ts";
import {
  lateSpans,
  nextSpan,
  orphanSpan,
  turnPage,
  untilNext,
  untilNight,
  type TransactionImport,
} from "./transaction-import.ts";

const at = (text: string): Instant => parseInstant(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`)!;
const NEW: TransactionImport = {
  organizationId: "org_1",
  provider: "acme",
  providerAccount: "acct_1",
  importedFrom: null,
  importedUntil: null,
  readingFrom: null,
  readingUntil: null,
  cursor: null,
  orphansUntil: null,
  orphans: null,
  lateUntil: null,
  heldSince: null,
  heldDifferences: null,
  late: null,
  createdAt: at("2026-03-01"),
};
const imported = (from: string, until: string): TransactionImport => ({
  ...NEW,
  importedFrom: at(from),
  importedUntil: at(until),
});
const shown = (span: { from: Instant; to: Instant } | null) =>
  span && [formatInstant(span.from), formatInstant(span.to)];

describe("the next span", () => {
  test.each([
    ["begins an hour before the connection", NEW, "2026-03-01T00:00:05", "2026-02-28T23:00", "2026-02-28T23:50:05"],
    ["is a day at most", NEW, "2026-03-05", "2026-02-28T23:00", "2026-03-02"],
    [
      "goes on where the last one ended, but for an hour",
      imported("2026-02-01", "2026-03-01"),
      "2026-03-01T12:00",
      "2026-02-28T23:00",
      "2026-03-01T11:50",
    ],
    [
      "reaches back 35 days at most",
      imported("2026-01-01", "2026-01-02"),
      "2026-04-05",
      "2026-02-28T23:00",
      "2026-03-02",
    ],
  ])("%s", (_, progress, now, from, to) => {
    const full = (text: string) => formatInstant(at(text.length === 16 ? `${text}:00` : text));
    const time = now.length === 16 ? `${now}:00` : now;
    expect(shown(nextSpan(progress, at(time)))).toEqual([full(from), full(to)]);
  });

  test("comes after an hour", () => {
    const progress = imported("2026-03-01", "2026-03-02");
    expect(nextSpan(progress, at("2026-03-02T01:09:59"))).toBeNull();
    expect(nextSpan(progress, at("2026-03-02T01:10:00"))).not.toBeNull();
  });

  test("is the one that is being read, however late", () => {
    const span = nextSpan(NEW, at("2026-03-05"))!;
    const reading = turnPage(NEW, span, "mark 2");
    expect(nextSpan(reading, at("2026-06-01"))).toEqual({ ...span, cursor: "mark 2" });
  });
});

describe("the imported span", () => {
  test("grows by whole days until the present", () => {
    const now = at("2026-03-04T06:00:00");
    const until: string[] = [];
    let progress = NEW;
    for (let span = nextSpan(progress, now); span; span = nextSpan(progress, now)) {
      progress = turnPage(progress, span, null);
      until.push(formatInstant(progress.importedUntil!));
    }
    expect(until).toEqual(
      ["2026-03-02T00:00:00", "2026-03-03T00:00:00", "2026-03-04T00:00:00", "2026-03-04T05:50:00"].map(
        (text) => `${text}.000Z`,
      ),
    );
    expect(formatInstant(progress.importedFrom!)).toBe("2026-02-28T23:00:00.000Z");
  });

  test("begins anew after a gap", () => {
    const progress = imported("2026-01-01", "2026-01-02");
    const next = turnPage(progress, nextSpan(progress, at("2026-04-05"))!, null);
    expect(formatInstant(next.importedFrom!)).toBe("2026-02-28T23:00:00.000Z");
  });
});

test("orphans are looked for among requests that are a week old, a day at a time", () => {
  const progress = imported("2026-03-01", "2026-03-10");
  expect(orphanSpan(NEW, at("2026-03-10"))).toBeNull();
  expect(orphanSpan(progress, at("2026-03-08T00:59:59"))).toBeNull();
  expect(shown(orphanSpan(progress, at("2026-03-10")))).toEqual([
    "2026-03-01T00:00:00.000Z",
    "2026-03-02T00:00:00.000Z",
  ]);
  const looked = { ...progress, orphansUntil: at("2026-03-02") };
  expect(shown(orphanSpan(looked, at("2026-03-09T12:00:00")))).toEqual([
    "2026-03-02T00:00:00.000Z",
    "2026-03-02T12:00:00.000Z",
  ]);
});

test.each([
  ["2026-03-01T01:59:59", 1_000],
  ["2026-03-01T02:00:00", DAY],
  ["2026-03-01T02:00:01", DAY - 1_000],
])("the next night is at 02:00 UTC: %s", (now, milliseconds) => {
  expect(untilNight(at(now))).toBe(milliseconds);
});

describe("the spans of late entries", () => {
  const late = (createdAt: string, settledAt: string) => ({ createdAt: at(createdAt), settledAt: at(settledAt) });
  test.each([
    ["none without a missing entry", [], []],
    [
      "an hour before and after",
      [late("2026-03-01T10:00:00", "2026-03-01T10:00:05")],
      [["2026-03-01T09:00:00", "2026-03-01T11:00:05"]],
    ],
    [
      "a day at most, however late the success",
      [late("2026-03-01", "2026-03-09")],
      [["2026-02-28T23:00:00", "2026-03-02T01:00:00"]],
    ],
    [
      "joined if they touch",
      [
        late("2026-03-05", "2026-03-05"),
        late("2026-03-01T02:00:00", "2026-03-01T02:00:00"),
        late("2026-03-01", "2026-03-01"),
      ],
      [
        ["2026-02-28T23:00:00", "2026-03-01T03:00:00"],
        ["2026-03-04T23:00:00", "2026-03-05T01:00:00"],
      ],
    ],
  ])("%s", (_, missing, spans) => {
    expect(lateSpans(missing).map(shown)).toEqual(spans.map((span) => span.map((text) => formatInstant(at(text)))));
  });
});

describe("an account that waits since a promotion at 12:00, imported until 11:40", () => {
  const held = {
    ...imported("2026-03-01", "2026-03-05T11:40:00"),
    heldSince: at("2026-03-05T12:00:00"),
    heldDifferences: 0,
  };
  test.each<[string, string[] | null, number]>([
    // now, the span to read, the milliseconds until the next import after that
    ["2026-03-05T12:00:00", null, 10 * 60_000],
    ["2026-03-05T12:09:59", null, 1_000],
    ["2026-03-05T12:10:00", ["2026-03-05T10:40:00.000Z", "2026-03-05T12:00:00.000Z"], 1_000],
    ["2026-03-05T13:00:00", ["2026-03-05T10:40:00.000Z", "2026-03-05T12:50:00.000Z"], 1_000],
  ])("at %s", (now, span, pause) => {
    expect(shown(nextSpan(held, at(now)))).toEqual(span);
    expect(untilNext(held, at(now))).toBe(pause);
  });

  test("is imported at night again once the book shows the promotion", () => {
    const compared = { ...held, importedUntil: at("2026-03-05T12:00:00") };
    const now = at("2026-03-05T12:10:00");
    expect([nextSpan(compared, now), untilNext(compared, now)]).toEqual([null, untilNight(now)]);
  });
});
