import type { Language } from "../../domain/locale.ts";

/** The language's own name for itself, such as `Deutsch`. */
export function ownName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(language)!;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
