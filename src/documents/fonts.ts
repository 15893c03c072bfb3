import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type PdfKit from "pdfkit";
import { IN_ORDER, RIGHT_TO_LEFT } from "./scripts.ts";

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
  /** Glyphs by id. Each glyph keeps the characters of its first use. */
  _glyphs: object;
  _layoutEngine: { engine?: { GPOSProcessor?: Positioner } };
};

/** The part of fontkit that places marks at the anchors of letters. A letter may have no anchor for a mark. */
type Positioner = {
  getAnchor(anchor: object | null): object;
  applyLookup(type: number, table: object): boolean;
};

const NO_ANCHOR = new Error("a letter has no anchor for this mark");

/**
 * fontkit fails at a letter without an anchor, as in Telugu, Malayalam and Gurmukhi. OpenType then goes on with the
 * next rule.
 */
function allowMissingAnchors(font: ReadFont): void {
  const positioner = font._layoutEngine.engine?.GPOSProcessor;
  if (!positioner) return;
  const { getAnchor, applyLookup } = positioner;
  positioner.getAnchor = (anchor) => {
    if (anchor === null) throw NO_ANCHOR;
    return getAnchor.call(positioner, anchor);
  };
  positioner.applyLookup = (type, table) => {
    try {
      return applyLookup.call(positioner, type, table);
    } catch (error) {
      if (error === NO_ANCHOR) return false;
      throw error;
    }
  };
}

/** The state of a font in use, inside of pdfkit and fontkit. It has no public interface, and the version is fixed. */
type EmbeddedFont = {
  font: ReadFont;
  scale: number;
  /** The part of the font that goes into the file. */
  subset: Subset;
  /** By the number of a glyph in the file: the characters of the glyph, and its width in thousandths. */
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

/**
 * Features for shaping a text; a new object each time. Letters of `IN_ORDER` scripts must not be taken apart. Text from
 * right to left, which PDF readers reverse, gets no decorative ligatures.
 */
function featuresOf(text: string): Record<string, boolean> {
  return IN_ORDER.test(text) ? { ccmp: false } : turns(text) ? { liga: false } : {};
}

/**
 * Makes a font write its glyphs so that a PDF reader gets the exact characters back. pdfkit gives each glyph the
 * characters of its first use, although the glyph of `i` may also draw `ị`. Readers that reverse text from right to
 * left also reverse the characters of a ligature. So each character of a ligature after the first is written beside the
 * ligature, as an empty glyph without width.
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
/** Read once: reading the rules for shaping letters takes longer than drawing a document. */
const fonts = new Map<string, ReadFont>();

/** The fonts of one PDF. A font is read when the first text needs it. */
export class Fonts {
  readonly #document: InstanceType<typeof PdfKit>;
  readonly #open = new Map<string, EmbeddedFont>();

  constructor(document: InstanceType<typeof PdfKit>) {
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
    const { _font: found } = this.#document.registerFont(name, file).font(name) as unknown as { _font: EmbeddedFont };
    found.font = fonts.getOrInsertComputed(name, () => {
      allowMissingAnchors(found.font);
      return found.font;
    });
    // Forgets the characters that glyphs had in other documents.
    found.font._glyphs = {};
    found.subset = found.font.createSubset();
    makeReadable(found);
    this.#open.set(name, found);
    return found;
  }
}
