import createBidi from "bidi-js";
import PDFDocument from "pdfkit";
import { Fonts } from "./fonts.ts";

export type Style = { size: number; bold?: boolean; color?: string };
type Run = { text: string; font: string; level: number; actual: string | null };
export type Line = { runs: { text: string; font: string; actual: string | null; width: number }[]; width: number };

const bidi = (createBidi as unknown as typeof createBidi.default)();
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
const words = new Intl.Segmenter("und", { granularity: "word" });

/** Whatever is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const NEUTRAL = /[\p{Script=Common}\p{Script=Inherited}]/u;
const SIMPLE =
  /^[\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u;

export class TextDocument extends PDFDocument {
  actual: string | null = null;
  override addContent(data: string) {
    if (this.actual === null) return super.addContent(data);
    if (data === "ET") super.addContent("EMC");
    super.addContent(data);
    if (data === "BT") super.addContent(`/Span <</ActualText <feff${Buffer.from(this.actual, "utf16le").swap16().toString("hex")}>>> BDC`);
    return this;
  }
}

/** One line, without what can't be seen and would only be drawn as a box. */
export function clean(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[[\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]--[\u200c\u200d]]/gv, "")
    .replace(/\s+/g, " ")
    .trim();
}

function reversed(text: string): string {
  return Array.from(graphemes.segment(text), ({ segment }) => segment).reverse().join("");
}

/** Rule L2 of Unicode's bidirectional algorithm. */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to += 1;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return ordered;
}

export class Typesetter {
  readonly #document: TextDocument;
  readonly #fonts: Fonts;
  constructor(document: TextDocument) {
    this.#document = document;
    this.#fonts = new Fonts(document);
  }

  #inFonts(text: string, bold: boolean): { text: string; font: string; missing: boolean }[] {
    const font = this.#fonts.covering(text, bold);
    if (font !== null) return [{ text, font, missing: false }];
    const parts = text.match(/\s+|\S+/g)!;
    if (parts.length > 1) return parts.flatMap((part) => this.#inFonts(part, bold));
    const clusters = Array.from(graphemes.segment(text), ({ segment }) => segment);
    if (clusters.length > 1) return clusters.flatMap((part) => this.#inFonts(part, bold));
    return [{ text, font: this.#fonts.fallback(bold), missing: true }];
  }

  #runs(text: string, bold: boolean): Run[] {
    const levels = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text).levels : null;
    const runs: Run[] = [];
    for (let from = 0; from < text.length; ) {
      const level = levels?.[from] ?? 0;
      let to = from + 1;
      if (levels) {
        const m = level % 2 === 1 && bidi.getMirroredCharacter(text[from]!);
        if (m) { const f=this.#inFonts(m,bold)[0]!; runs.push({text:m,font:f.font,level,actual:text[from]!}); from=to; continue; }
        while (to < text.length && levels[to] === level && !(level % 2 === 1 && bidi.getMirroredCharacter(text[to]!))) to += 1;
      } else to = text.length;
      for (const { text: part, font, missing } of this.#inFonts(text.slice(from, to), bold)) {
        const first = [...part].find((c) => !NEUTRAL.test(c));
        const rtl = first !== undefined && RIGHT_TO_LEFT.test(first);
        const plain = SIMPLE.test(part) || rtl;
        runs.push({ text: rtl === (level % 2 === 1) ? part : reversed(part), font, level, actual: missing || !plain ? part : null });
      }
      from = to;
    }
    return inVisualOrder(runs);
  }

  line(text: string, { size, bold = false }: Style): Line {
    const runs = this.#runs(text, bold).map(({ text, font, actual }) => {
      this.#document.font(font, size);
      return { text, font, actual, width: this.#document.widthOfString(text, RIGHT_TO_LEFT.test(text) ? { features: [] } : {}) };
    });
    return { runs, width: runs.reduce((s, r) => s + r.width, 0) };
  }

  draw(line: Line, x: number, y: number, { size, color = "#000000" }: Style): void {
    this.#document.fillColor(color);
    for (const { text, font, actual, width } of line.runs) {
      this.#document.font(font, size);
      this.#document.actual = actual;
      this.#document.text(text, x, y, { lineBreak: false, baseline: "alphabetic", ...(RIGHT_TO_LEFT.test(text) ? { features: [] } : {}) });
      this.#document.actual = null;
      x += width;
    }
  }
}
void words;
