import { html } from "hono/html";
import { IntlMessageFormat } from "intl-messageformat";
import type { Locale } from "../domain/locale.ts";
import { languageOf } from "./language.ts";

export type Markup = ReturnType<typeof html>;
/** A number chooses among the plural forms of a message. Text is escaped where it stands among markup. */
export type Slot = string | number | Markup;

type Named<Inside extends string> = Inside extends `${infer Name},${string}` ? Name : Inside;
type Word<Text extends string> = Text extends "" | `${string}${" " | "#" | "\n"}${string}` ? never : Text;
/** The names of the slots of an ICU message: `amount` and `days` of `{amount} for {days, plural, …}`. */
export type SlotsOf<Pattern extends string> = Pattern extends `${string}{${infer Inside}}${infer Rest}`
  ? Word<Named<Inside>> | SlotsOf<Rest>
  : never;

/** A message with slots: called for plain text, or with `markup` for a part of a page. */
export type Template<Name extends string> = {
  (slots: Record<Name, string | number>): string;
  markup(slots: Record<Name, Slot>): Markup;
};

/** A message without slots is its text. */
export type Message<Pattern extends string> = [SlotsOf<Pattern>] extends [never] ? string : Template<SlotsOf<Pattern>>;

const partOf = (value: unknown) => (typeof value === "object" ? (value as Markup) : String(value));

/** French sets a space that does not break before `: ; ? ! »` and after `«`. The catalogue is written with plain spaces. */
const inFrench = (line: string) => line.replaceAll(/ (?=[:»])|(?<=«) /g, "\u00a0").replaceAll(/ (?=[;?!])/g, "\u202f");

/** The catalogue is written with plain apostrophes. */
const inEnglish = (line: string) => line.replaceAll("'", "’");

/** German never breaks `E-Mail` at its first hyphen. The catalogue is written with plain hyphens. */
const inGerman = (line: string) => line.replaceAll("E-Mail", "E\u2011Mail");

/** No line ends between the number of a plural and its word: `3 months`, `5 seats`. */
const withWholeCounts = (line: string) =>
  line.replaceAll(/# (?=\p{L})/gu, "#\u00a0").replaceAll("{count} {unit}", "{count}\u00a0{unit}");

const SETTINGS: Partial<Record<string, (line: string) => string>> = {
  de: inGerman,
  en: inEnglish,
  fr: inFrench,
};

/**
 * Makes a message of ICU MessageFormat usable in one language. A line break counts as a space, and `<` stands for
 * itself: the elements of a page are slots.
 * @throws SyntaxError for a pattern that is not ICU MessageFormat
 */
export function messageOf(pattern: string, locale: Locale): string | Template<string> {
  const joined = withWholeCounts(pattern.replaceAll(/\n\s*/g, " "));
  const line = SETTINGS[languageOf(locale) ?? ""]?.(joined) ?? joined;
  if (!/[{}]/.test(line)) return line;
  const format = new IntlMessageFormat(line, locale, undefined, { ignoreTag: true });
  const plain = (slots: Record<string, Slot>) => String(format.format(slots as Record<string, string>));
  const markup = (slots: Record<string, Slot>) => {
    const parts = format.formatToParts(slots as Record<string, string>).map(({ value }) => partOf(value));
    return html`${parts}`;
  };
  return Object.assign(plain, { markup });
}
