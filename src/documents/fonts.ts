import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { embedFont, type EmbeddedFont, type TextDocument } from "./internals.ts";

type Family = { scripts: RegExp; regular: string; bold: string };

const ANY = /(?:)/;

// The fonts are tried in this order. The first font is the usual one. The other fonts have Latin letters, too, so one
// font draws the whole of a mixed word.
const FAMILIES: readonly Family[] = [
  family("noto-sans", "NotoSans", ANY),
  // In this font, each letter is one glyph. Other Arabic fonts compose a letter of several glyphs, and PDF readers
  // can't turn those back into text.
  family("vazirmatn", "Vazirmatn", /\p{Script=Arabic}/u),
  family("noto-sans-hebrew", "NotoSansHebrew", /\p{Script=Hebrew}/u),
  family("noto-sans-thai", "NotoSansThai", /\p{Script=Thai}/u),
  ...Object.entries({
    armenian: "Armenian",
    bengali: "Bengali",
    ethiopic: "Ethiopic",
    georgian: "Georgian",
    gujarati: "Gujarati",
    gurmukhi: "Gurmukhi",
    kannada: "Kannada",
    khmer: "Khmer",
    lao: "Lao",
    malayalam: "Malayalam",
    oriya: "Oriya",
    sinhala: "Sinhala",
    tamil: "Tamil",
    telugu: "Telugu",
  }).map(([name, script]) =>
    family(`noto-sans-${name}`, `NotoSans${script}`, new RegExp(`\\p{Script=${script}}`, "u")),
  ),
  family("noto-emoji", "NotoEmoji", /[\p{Emoji}--[\d#*©®]]/v),
  family("gowun-dodum", "GowunDodum", /\p{Script=Hangul}/u, "400Regular"),
  // First Chinese characters in their Japanese form, then all other Chinese characters. Both fonts have many signs.
  family("biz-udpgothic", "BIZUDPGothic", ANY),
  family("chocolate-classical-sans", "ChocolateClassicalSans", ANY, "400Regular"),
];

/** The files that the PDFs need, as a program names them that imports them. */
export const FONT_FILES: readonly string[] = FAMILIES.flatMap(({ regular, bold }) => [regular, bold]);

function family(name: string, file: string, scripts: RegExp, bold = "700Bold"): Family {
  const path = (weight: string) => `@expo-google-fonts/${name}/${weight}/${file}_${weight}.ttf`;
  return { scripts, regular: path("400Regular"), bold: path(bold) };
}

const modules = createRequire(import.meta.url);
const files = new Map<string, Buffer>();
const JOINERS = /[\u200c\u200d]/;

/** The fonts of one PDF. A font is read when the first text needs it. */
export class Fonts {
  readonly #document: TextDocument;
  readonly #open = new Map<string, EmbeddedFont>();

  constructor(document: TextDocument) {
    this.#document = document;
  }

  /** The first font that has every character of a text, or null. `usualOnly`: only the usual font is tried. */
  covering(text: string, bold: boolean, usualOnly: boolean): string | null {
    const asked = usualOnly ? FAMILIES.slice(0, 1) : FAMILIES.filter(({ scripts }) => scripts.test(text));
    return asked.map((each) => (bold ? each.bold : each.regular)).find((name) => this.#covers(name, text)) ?? null;
  }

  /** The usual font. It draws the names of scripts that no font has. */
  usual(bold: boolean): string {
    return bold ? FAMILIES[0]!.bold : FAMILIES[0]!.regular;
  }

  #covers(name: string, text: string): boolean {
    const { font } = this.#find(name);
    return [...text].every(
      (character) => JOINERS.test(character) || font.hasGlyphForCodePoint(character.codePointAt(0)!),
    );
  }

  #find(name: string): EmbeddedFont {
    const known = this.#open.get(name);
    if (known) return known;
    const file = files.getOrInsertComputed(name, () => readFileSync(modules.resolve(name)));
    const found = embedFont(this.#document, name, file);
    this.#open.set(name, found);
    return found;
  }
}
