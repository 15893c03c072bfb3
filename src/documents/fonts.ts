import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type PdfKit from "pdfkit";
import { IN_ORDER, RIGHT_TO_LEFT } from "./scripts.ts";

type Family = { scripts: RegExp; regular: string; bold: string };

const ANY = /(?:)/;

// In the order in which they are asked. The first is the usual one; the others have Latin letters, too, so that a word has one look.
const FAMILIES: readonly Family[] = [
  family("noto-sans", "NotoSans", ANY),
  // Its letters are whole, where others put them together of parts that no reader could take for text again.
  family("vazirmatn", "Vazirmatn", /\p{Script=Arabic}/u),
  family("noto-sans-hebrew", "NotoSansHebrew", /\p{Script=Hebrew}/u),
  family("noto-sans-thai", "NotoSansThai", /\p{Script=Thai}/u),
  family("gowun-dodum", "GowunDodum", /\p{Script=Hangul}/u, "400Regular"),
  // Chinese characters as Japan writes them, then all others. Both know many signs.
  family("biz-udpgothic", "BIZUDPGothic", ANY),
  family("chocolate-classical-sans", "ChocolateClassicalSans", ANY, "400Regular"),
];

function family(name: string, file: string, scripts: RegExp, bold = "700Bold"): Family {
  const path = (weight: string) => `@expo-google-fonts/${name}/${weight}/${file}_${weight}.ttf`;
  return { scripts, regular: path("400Regular"), bold: path(bold) };
}

type Glyph = { id: number; codePoints: number[]; advanceWidth: number };
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number; advanceWidth: number };
type GlyphRun = { glyphs: Glyph[]; positions: Position[]; advanceWidth: number };

type Subset = { glyphs: number[] };
type ReadFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): Glyph;
  createSubset(): Subset;
  /** By id; each says what it stood for when it was first used. */
  _glyphs: object;
};

/** What pdfkit and fontkit know of a font in use. They have no public way to it, and the version is fixed. */
type EmbeddedFont = {
  font: ReadFont;
  scale: number;
  /** What of it goes into the file. */
  subset: Subset;
  /** By the number of a glyph in the file: what it stands for, and how wide it is in thousandths. */
  unicode: number[][];
  widths: number[];
  layoutRun(text: string, features: Record<string, boolean>): GlyphRun;
  layout(text: string): GlyphRun;
  encode(text: string): [codes: string[], positions: Position[]];
};

const JOINERS = /[\u200c\u200d]/;
const ZERO_WIDTH_NON_JOINER = 0x200c;
const NO_ROOM: Position = { xAdvance: 0, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: 0 };
const turns = (text: string) => RIGHT_TO_LEFT.test(text);

/** None that take letters apart where they are in order, and none that only adorn where readers turn them; a new object each time. */
function featuresOf(text: string): Record<string, boolean> {
  return IN_ORDER.test(text) ? { ccmp: false } : turns(text) ? { liga: false } : {};
}

/**
 * Has a font write its glyphs so that a reader gets the very characters back. pdfkit gives each glyph one meaning, that of its first use,
 * though `ị` may be drawn by the glyph of `i`. And readers that turn text from right to left around turn ligatures inside out: so all but
 * the first of its characters are written beside it, as glyphs that draw nothing and take no room.
 */
function makeReadable(font: EmbeddedFont): void {
  const runs = new Map<string, GlyphRun>();
  const codes = new Map<string, string>();
  const empty = font.font.glyphForCodePoint(ZERO_WIDTH_NON_JOINER);

  function code({ id, advanceWidth }: Glyph, meaning: number[]): string {
    const key = `${id}:${meaning.join()}`;
    const known = codes.get(key);
    if (known !== undefined) return known;
    const cid = font.subset.glyphs.push(id) - 1;
    font.unicode[cid] = meaning;
    font.widths[cid] = advanceWidth * font.scale;
    const made = cid.toString(16).padStart(4, "0");
    codes.set(key, made);
    return made;
  }

  font.layout = (text) => {
    const run = runs.get(text) ?? font.layoutRun(text, featuresOf(text));
    runs.set(text, run);
    return run;
  };
  font.encode = (text) => {
    const { glyphs, positions } = font.layout(text);
    const characters = [...text];
    const isOneToOne = IN_ORDER.test(text) && characters.length === glyphs.length;
    const written = glyphs.flatMap((glyph, n) => {
      const meaning = isOneToOne ? [characters[n]!.codePointAt(0)!] : glyph.codePoints;
      const beside = turns(text) ? meaning.slice(1).reverse() : [];
      return [
        ...beside.map((codePoint) => [code(empty, [codePoint]), NO_ROOM] as const),
        [code(glyph, turns(text) ? meaning.slice(0, 1) : meaning), positions[n]!] as const,
      ];
    });
    return [written.map(([each]) => each), written.map(([, position]) => position)];
  };
}

const modules = createRequire(import.meta.url);
const files = new Map<string, Buffer>();
/** Read once: the rules by which letters are shaped take longer to read than a document to draw. */
const fonts = new Map<string, ReadFont>();

/** The fonts of one PDF. Each is read when the first text asks for it. */
export class Fonts {
  readonly #document: InstanceType<typeof PdfKit>;
  readonly #open = new Map<string, EmbeddedFont>();

  constructor(document: InstanceType<typeof PdfKit>) {
    this.#document = document;
  }

  /** The first font that has every character of a text; null when none has. `usualOnly`: no other font is asked. */
  covering(text: string, bold: boolean, usualOnly: boolean): string | null {
    const asked = usualOnly ? FAMILIES.slice(0, 1) : FAMILIES.filter(({ scripts }) => scripts.test(text));
    return asked.map((each) => (bold ? each.bold : each.regular)).find((name) => this.#covers(name, text)) ?? null;
  }

  /** What no font has is a box in this one. */
  usual(bold: boolean): string {
    return bold ? FAMILIES[0]!.bold : FAMILIES[0]!.regular;
  }

  #covers(name: string, text: string): boolean {
    const { font } = this.#find(name);
    return [...text].every((character) => JOINERS.test(character) || font.hasGlyphForCodePoint(character.codePointAt(0)!));
  }

  #find(name: string): EmbeddedFont {
    const known = this.#open.get(name);
    if (known) return known;
    const file = files.getOrInsertComputed(name, () => readFileSync(modules.resolve(name)));
    const { _font: found } = this.#document.registerFont(name, file).font(name) as unknown as { _font: EmbeddedFont };
    found.font = fonts.getOrInsert(name, found.font);
    // What other documents said is no part of this one.
    found.font._glyphs = {};
    found.subset = found.font.createSubset();
    makeReadable(found);
    this.#open.set(name, found);
    return found;
  }
}
