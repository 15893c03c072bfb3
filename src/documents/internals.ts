import PdfKit from "pdfkit";
import { IN_ORDER, RIGHT_TO_LEFT } from "./scripts.ts";

// The parts of pdfkit and fontkit that have no public interface, all in one place. `internals.test.ts` holds each part
// against the installed versions, and names the consequence of a changed part.

/** A document that can mark drawn text with its actual characters. */
export class TextDocument extends PdfKit {
  /**
   * The actual characters of the next drawn text, for reading out and copying (ISO 32000-1, 14.9.4). Null: the glyphs
   * already stand for these characters.
   */
  actualText: string | null = null;

  // Written within the text object: outside of it pdfkit's coordinates are upside down, and readers lose the place.
  override addContent(data: string): this {
    const actual = this.actualText;
    if (actual !== null && data === "ET") super.addContent("EMC");
    super.addContent(data);
    if (actual !== null && data === "BT") {
      const utf16 = Buffer.from(actual, "utf16le").swap16().toString("hex");
      super.addContent(`/Span <</ActualText <feff${utf16}>>> BDC`);
    }
    return this;
  }
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

/** The state of a font in use, inside of pdfkit and fontkit. */
export type EmbeddedFont = {
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

/** Read once: reading the rules for shaping letters takes longer than drawing a document. */
const fonts = new Map<string, ReadFont>();

/** A font of a document, from the bytes of its file. */
export function embedFont(document: TextDocument, name: string, file: Buffer): EmbeddedFont {
  const { _font: found } = document.registerFont(name, file).font(name) as unknown as { _font: EmbeddedFont };
  found.font = fonts.getOrInsertComputed(name, () => {
    allowMissingAnchors(found.font);
    return found.font;
  });
  // Forgets the characters that glyphs had in other documents.
  found.font._glyphs = {};
  found.subset = found.font.createSubset();
  makeReadable(found);
  return found;
}
