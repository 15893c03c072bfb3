import { DAY, type Instant } from "../domain/calendar.ts";
import { exponentOf } from "../domain/currency.ts";
import type { Locale } from "../domain/locale.ts";
import type { Amount } from "../domain/money.ts";
import { catalogues } from "./catalogue.ts";
import { british } from "./en/british.ts";
import { firstSpoken, isAmerican, languageOf } from "./language.ts";
import { messageOf, type Message } from "./message.ts";
import type { Catalogue, Respelling } from "./translation.ts";

type Messages<Area> = { readonly [Key in keyof Area]: Area[Key] extends string ? Message<Area[Key]> : never };
type Texts = { readonly [Area in keyof Catalogue]: Messages<Catalogue[Area]> };

/** All that is written for one reader: the messages of the reader's language, and money and dates as written there. */
export type Words = Texts & {
  locale: Locale;
  /** Exact for every safe integer. The minus sign is as wide as a digit. @throws RangeError for an unknown currency */
  money(amount: Amount, currency: string): string;
  /** The day of an instant in a time zone: `22 December 2026`. The spaces of days and months are no-break spaces. */
  day(at: Instant, zone: string): string;
  /** A month of a year, from 1 to 12: `December 2026`. */
  month(year: number, month: number): string;
  /** As `day`, but without the year if the day is near: `22 December`. `now`: the instant of the reader. */
  nearDay(at: Instant, zone: string, now: Instant): string;
  /** Basis points: `8.87 %`. */
  percent(basisPoints: number): string;
  /** The name of a country, or the code itself if it has no name. */
  country(code: string): string;
  /** `Germany, France and Japan`. */
  list(items: readonly string[]): string;
  /** The order of names in the reader's language. */
  compare(one: string, other: string): number;
};

/** Formats are made once for each currency: the constructor takes some 30 µs. */
function moneyIn(locale: Locale): Words["money"] {
  const formats = new Map<string, Intl.NumberFormat>();
  const make = (currency: string) => {
    const digits = exponentOf(currency);
    const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(locale, { style: "currency", currency, ...decimals });
  };
  return (amount, currency) =>
    formats
      .getOrInsertComputed(currency, make)
      .format(`${amount}E-${exponentOf(currency)}` as `${number}`)
      .replace("-", "−");
}

/** U+2060 stands between the parts of a Japanese date, which has no spaces: a line may end after each of its signs. */
const BETWEEN_JAPANESE = /(?<=\d)(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\d)/gu;
const unbroken = (text: string) => text.replaceAll(" ", "\u00a0").replaceAll(BETWEEN_JAPANESE, "\u2060");

/** A day that is further away is written with its year, so that the same day of next year can't be meant. */
const NEAR_DAYS = 300;

function daysIn(locale: Locale, style: Intl.DateTimeFormatOptions): Words["day"] {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const make = (timeZone: string) => new Intl.DateTimeFormat(locale, { ...style, timeZone });
  // A sentence in French says "le 1er mars". The formats of Unicode (CLDR) have a plain 1.
  const written = languageOf(locale) === "fr" ? (text: string) => text.replace(/^1 /, "1er ") : String;
  return (at, zone) => unbroken(written(formats.getOrInsertComputed(zone, make).format(at)));
}

const monthAndYear = { month: "long", year: "numeric", timeZone: "UTC" } as const;
const percentDigits = { style: "percent", maximumFractionDigits: 2 } as const;

/** The messages that the reader's English spells in another way than the catalogue. */
const respelled = (locale: Locale): Respelling => (languageOf(locale) === "en" && !isAmerican(locale) ? british : {});

function build(locale: Locale): Words {
  const spelling = respelled(locale);
  const texts = Object.entries(catalogues[languageOf(locale)!]).map(([area, patterns]) => {
    const messages = Object.entries({ ...patterns, ...spelling[area as keyof Catalogue] }).map(
      ([key, pattern]) => [key, messageOf(pattern, locale)] as const,
    );
    return [area, Object.fromEntries(messages)] as const;
  });
  const months = new Intl.DateTimeFormat(locale, monthAndYear);
  const percents = new Intl.NumberFormat(locale, percentDigits);
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const list = new Intl.ListFormat(locale, { type: "conjunction" });
  const collator = new Intl.Collator(locale);
  const day = daysIn(locale, { dateStyle: "long" });
  const dayOfYear = daysIn(locale, { day: "numeric", month: "long" });
  return {
    ...(Object.fromEntries(texts) as Texts),
    locale,
    money: moneyIn(locale),
    day,
    month: (year, month) => unbroken(months.format(Date.UTC(year, month - 1))),
    nearDay: (at, zone, now) => (Math.abs(at - now) < NEAR_DAYS * DAY ? dayOfYear : day)(at, zone),
    percent: (basisPoints) => percents.format(basisPoints / 10_000),
    // `of` throws for a text that can't be the code of a region.
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code),
    list: (items) => list.format(items),
    compare: (one, other) => collator.compare(one, other),
  };
}

/** Beyond this many locales, the words of the oldest are made anew: a stranger's browser names any region. */
const MOST_CACHED = 50;
const cache = new Map<Locale, Words>();

/** The words in the first of these locales that has a catalogue, else in British English. */
export function wordsFor(...locales: readonly (Locale | null)[]): Words {
  const locale = firstSpoken(locales);
  const found = cache.get(locale);
  if (found) return found;
  if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value!);
  const words = build(locale);
  cache.set(locale, words);
  return words;
}

/** The words of pages for operators and developers, which are in English only. */
export const ENGLISH = wordsFor();
