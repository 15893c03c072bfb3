import type { en } from "./en/index.ts";

/** The messages by area and key, in ICU MessageFormat. English gives the slots of each message. */
export type Catalogue = typeof en;
/** A catalogue in another language: the same areas and keys. A test compares the slots. */
export type Translation = { readonly [Area in keyof Catalogue]: Readonly<Record<keyof Catalogue[Area], string>> };
/** Some messages of a catalogue, spelled as in another region. A test compares the slots. */
export type Respelling = {
  readonly [Area in keyof Catalogue]?: Readonly<Partial<Record<keyof Catalogue[Area], string>>>;
};
