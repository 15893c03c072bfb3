import type { Locale } from "../domain/locale.ts";
import { acceptedLocales } from "../texts/language.ts";
import { wordsFor, type Words } from "../texts/words.ts";
import type { PageContext } from "./environment.ts";

/** The words in the first known locale of these that has a catalogue, else in a language of the browser. */
export function wordsOf(c: Pick<PageContext, "req">, ...locales: readonly (Locale | null)[]): Words {
  return wordsFor(...locales, ...acceptedLocales(c.req.header("Accept-Language")));
}
