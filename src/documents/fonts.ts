import { createRequire } from "node:module";
import type PDFDocument from "pdfkit";

type Document = InstanceType<typeof PDFDocument>;
type Family = { name: string; scripts: RegExp; regular: string; bold: string };

/** Beside Latin, every one of them: so that a text in two scripts mostly has one look. */
const FAMILIES: readonly Family[] = [
  family("noto-sans", "NotoSans", /(?:)/u),
  family("ibm-plex-sans-arabic", "IBMPlexSansArabic", /\p{Script=Arabic}/u),
  family("noto-sans-hebrew", "NotoSansHebrew", /\p{Script=Hebrew}/u),
  family("noto-sans-thai", "NotoSansThai", /\p{Script=Thai}/u),
  family("gowun-dodum", "GowunDodum", /\p{Script=Hangul}/u, "400Regular"),
  // What Japanese writes, as Japanese writes it; then all the rest of Chinese. Both know many signs, too.
  family("biz-udpgothic", "BIZUDPGothic", /(?:)/u),
  family("chocolate-classical-sans", "ChocolateClassicalSans", /(?:)/u, "400Regular"),
];

const modules = createRequire(import.meta.url);

function family(name: string, file: string, scripts: RegExp, bold = "700Bold"): Family {
  const path = (weight: string) => `@expo-google-fonts/${name}/${weight}/${file}_${weight}.ttf`;
  return { name, scripts, regular: path("400Regular"), bold: path(bold) };
}

/** What pdfkit keeps of a font that is in use; it has no name for it. */
type OpenFont = { font: { hasGlyphForCodePoint(codePoint: number): boolean } };

/** The fonts of one document: each is read when the first text asks for it. */
export class Fonts {
  readonly #document: Document;
  readonly #open = new Map<string, OpenFont>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** The first font that has all characters of a text; null when none has. */
  covering(text: string, bold: boolean): string | null {
    const wanted = FAMILIES.filter(({ scripts }) => scripts.test(text)).map((each) => (bold ? each.bold : each.regular));
    return wanted.find((font) => this.#covers(font, text)) ?? null;
  }

  /** For what no font has: it draws a box. */
  fallback(bold: boolean): string {
    return bold ? FAMILIES[0]!.bold : FAMILIES[0]!.regular;
  }

  #covers(name: string, text: string): boolean {
    const { font } = this.#find(name);
    return [...text].every((character) => JOINERS.test(character) || font.hasGlyphForCodePoint(character.codePointAt(0)!));
  }

  #find(name: string): OpenFont {
    const known = this.#open.get(name);
    if (known) return known;
    this.#document.registerFont(name, modules.resolve(name));
    this.#document.font(name);
    const found = (this.#document as unknown as { _font: OpenFont })._font;
    this.#open.set(name, found);
    return found;
  }
}

const JOINERS = /[\u200c\u200d]/;
