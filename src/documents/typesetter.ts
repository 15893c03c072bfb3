import createBidi from "bidi-js";
import { Fonts } from "./fonts.ts";
import type { TextDocument } from "./internals.ts";
import { clean, cleanToBreak, IN_ORDER, nameOfUndrawn, NEUTRAL, partsByKind, RIGHT_TO_LEFT } from "./scripts.ts";

/** `size` in points. */
export type Style = { size: number; bold?: boolean; color: string };
/**
 * Text of one font and direction, drawn from left to right. `actual`: the characters; null: the glyphs already stand
 * for these characters.
 */
type Run = { drawn: string; font: string; level: number; actual: string | null };
/** One line of text, ready to be drawn; `width` in points. */
export type TextLine = { runs: (Run & { width: number })[]; width: number };

// The types of the package put its function one level deeper than it is.
const bidi = (createBidi as unknown as typeof createBidi.default)();
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
const words = new Intl.Segmenter("und", { granularity: "word" });

/** A line may end after these characters if a word follows. */
const BREAKABLE = /[-/、。，．・：；）」』】…—–]$/u;

function clustersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Rule L2 of the Unicode Bidirectional Algorithm (UAX 9). */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to += 1;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return ordered;
}

/** Parts between which a line may end, each with the spaces and signs after it. */
function breakableParts(text: string): string[] {
  const parts: string[] = [];
  let mayBreak = false;
  let wasWord = false;
  for (const { segment, isWordLike = false } of words.segment(text)) {
    const isSpace = /^[^\S\u00A0\u202F]/u.test(segment);
    if (parts.length === 0 || (!isSpace && (mayBreak || (isWordLike && wasWord)))) parts.push(segment);
    else parts[parts.length - 1] += segment;
    mayBreak = isSpace || BREAKABLE.test(segment);
    wasWord = isWordLike;
  }
  return parts;
}

/** Sets text of any script into lines of one PDF. */
export class Typesetter {
  readonly #document: TextDocument;
  readonly #fonts: Fonts;

  constructor(document: TextDocument) {
    this.#document = document;
    this.#fonts = new Fonts(document);
  }

  line(text: string, style: Style): TextLine {
    const runs = this.#runsOf(clean(text), style.bold ?? false).map((run) => {
      const width = this.#document.font(run.font, style.size).widthOfString(run.drawn);
      return { ...run, width };
    });
    return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) };
  }

  /**
   * Breaks a text into lines of at most `width`; only a single character may be wider. An empty text has no lines.
   */
  wrap(text: string, style: Style, width: number): TextLine[] {
    const whole = this.line(text, style);
    if (whole.width <= width) return whole.runs.length === 0 ? [] : [whole];
    const lines: string[] = [];
    const fits = (part: string) => this.line(part, style).width <= width;
    const fill = (part: string) => {
      const longer = (lines.at(-1) ?? "") + part;
      if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
      else if (fits(part) || clustersOf(part).length === 1) lines.push(part);
      else clustersOf(part).forEach(fill);
    };
    breakableParts(cleanToBreak(text)).forEach(fill);
    return lines.map((line) => this.line(line, style));
  }

  /** `x` is the left end of the line, `y` its baseline, in points from the top left corner. */
  draw({ runs }: TextLine, x: number, y: number, { size, color }: Style): void {
    const document = this.#document;
    let at = x;
    for (const { drawn, font, actual, width } of runs) {
      document.font(font, size).fillColor(color);
      document.actualText = actual;
      document.text(drawn, at, y, { lineBreak: false, baseline: "alphabetic" });
      document.actualText = null;
      at += width;
    }
  }

  #runsOf(text: string, bold: boolean): Run[] {
    if (!RIGHT_TO_LEFT.test(text)) return this.#inFonts(text, 0, bold);
    const { levels } = bidi.getEmbeddingLevels(text);
    // Brackets between right-to-left letters are mirrored. Each is a run of its own, with the actual bracket.
    const mirrored = bidi.getMirroredCharactersMap(text, levels);
    const runs: Run[] = [];
    for (let from = 0; from < text.length;) {
      const level = levels[from]!;
      const mirror = mirrored.get(from);
      let to = from + 1;
      while (mirror === undefined && to < text.length && levels[to] === level && !mirrored.has(to)) to += 1;
      const part = text.slice(from, to);
      runs.push(
        ...this.#inFonts(mirror ?? part, level, bold).map((run) =>
          mirror === undefined ? run : { ...run, actual: part },
        ),
      );
      from = to;
    }
    return inVisualOrder(runs);
  }

  /**
   * Splits a text by fonts: the usual font for all of it; else, for each word, a font with all of its characters;
   * else character by character. Characters without a font are written by the name of their script.
   */
  #inFonts(text: string, level: number, bold: boolean): Run[] {
    if (text === "") return [];
    const split = text.match(/\s+|\S+/gu)!;
    const kinds = split.length > 1 ? split : partsByKind(text);
    const isPlain = IN_ORDER.test(text) || RIGHT_TO_LEFT.test(text);
    const font = kinds.length > 1 && !isPlain ? null : this.#fonts.covering(text, bold, split.length > 1);
    if (font !== null) return [this.#run(text, font, level, isPlain)];
    const parts = kinds.length > 1 ? kinds : this.#clustersByFont(text, bold);
    if (parts.length > 1) return parts.flatMap((part) => this.#inFonts(part, level, bold));
    return [{ drawn: nameOfUndrawn(text), font: this.#fonts.usual(bold), level, actual: text }];
  }

  /** The clusters of a text. Neighbours that no font draws are one part. */
  #clustersByFont(text: string, bold: boolean): string[] {
    const parts: string[] = [];
    let wasDrawn = true;
    for (const cluster of clustersOf(text)) {
      const isDrawn = this.#fonts.covering(cluster, bold, false) !== null;
      if (isDrawn || wasDrawn) parts.push(cluster);
      else parts[parts.length - 1] += cluster;
      wasDrawn = isDrawn;
    }
    return parts;
  }

  /**
   * fontkit takes the direction of a text from its script. If the text around has the other direction, the text is
   * reversed before fontkit gets it.
   */
  #run(text: string, font: string, level: number, isReadable: boolean): Run {
    const first = [...text].find((character) => !NEUTRAL.test(character)) ?? "";
    const isAsIs = RIGHT_TO_LEFT.test(first) === (level % 2 === 1);
    const drawn = isAsIs ? text : clustersOf(text).reverse().join("");
    return { drawn, font, level, actual: isReadable ? null : text };
  }
}
