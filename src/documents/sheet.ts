import type { TextDocument } from "./internals.ts";
import { Typesetter, type Style, type TextLine } from "./typesetter.ts";

// A4, in points from the top left corner.
const WIDTH = 595.28;
const HEIGHT = 841.89;
const TOP = 60;
const BOTTOM = HEIGHT - 88;
/** The lines below each page: up to two with the seller's addresses, then the title and the number of the page. */
const FOOT = HEIGHT - 64;
const MOST_CONTACT_LINES = 2;
const BAND = 8;
export const LEFT = 56;
export const RIGHT = WIDTH - LEFT;

type Element = PDFKit.PDFStructureElement;
type Paragraph = { text: string; style: Style };
/**
 * Paragraphs below each other, starting at `x`. With `end`, the paragraphs end at `x + width`. `type`: the name of the
 * element in the PDF.
 */
export type Cell = { type: "H1" | "P" | "TH" | "TD"; paragraphs: Paragraph[]; x: number; width: number; end?: boolean };

/** The parts that each page has. */
type Edges = {
  foot: string;
  contacts: readonly string[];
  band: string;
  numberOf(page: number, pages: number): string;
  style: Style;
};

/** The distance from one line of this size to the next. */
const leading = ({ size }: Style) => size * 1.45;

/** The pages of one PDF, filled from top to bottom. Their structure lets them be read out (ISO 32000-1, 14.8). */
export class Sheet {
  readonly root: Element;
  /** How far down the page is filled. */
  y = TOP;
  readonly #document: TextDocument;
  readonly #typesetter: Typesetter;
  /** Drawn again when a table goes on to another page. */
  #head: readonly Cell[] | null = null;

  constructor(document: TextDocument) {
    this.#document = document;
    this.#typesetter = new Typesetter(document);
    this.root = document.struct("Document");
    document.addStructure(this.root);
  }

  /** Goes on to the next page unless `height` fits on this one. */
  need(height: number): void {
    if (this.y + height <= BOTTOM) return;
    this.#document.addPage();
    this.y = TOP;
    const head = this.#head;
    if (!head) return;
    this.#artifact(() => (this.y = Math.max(...head.map((cell) => this.#draw(cell, this.#set(cell))))));
    this.rule();
  }

  rule(): void {
    this.y += 5;
    this.#artifact(() => this.#document.lineWidth(0.75).moveTo(LEFT, this.y).lineTo(RIGHT, this.y).stroke("#d5d9e1"));
    this.y += 7;
  }

  /** A structure element that holds others. */
  group(type: string, parent: Element, fill: (group: Element) => void): void {
    const group = this.#document.struct(type);
    parent.add(group);
    fill(group);
    group.end();
  }

  /** Cells side by side, all on one page. */
  row(parent: Element, cells: readonly Cell[]): void {
    const set = cells.map((cell) => [cell, this.#set(cell)] as const);
    const heights = set.map(([{ paragraphs }, lines]) =>
      lines.reduce((sum, each, n) => sum + each.length * leading(paragraphs[n]!.style), 0),
    );
    this.need(Math.max(...heights));
    let below = this.y;
    for (const [cell, lines] of set) {
      const element = this.#document.struct(cell.type, {}, () => (below = Math.max(below, this.#draw(cell, lines))));
      parent.add(element);
      element.end();
    }
    this.y = below;
  }

  /** A table that repeats its head on each of its pages. */
  table(head: readonly Cell[], fill: (table: Element) => void): void {
    this.group("Table", this.root, (table) => {
      this.group("TR", table, (row) => this.row(row, head));
      this.rule();
      this.#head = head;
      fill(table);
      this.#head = null;
    });
  }

  /** The width of the widest of these texts on one line. */
  widest(texts: readonly string[], style: Style): number {
    return Math.max(0, ...new Set(texts).values().map((text) => this.#typesetter.line(text, style).width));
  }

  /**
   * Ends the document. `foot` stands below each page, before its number, such as `Page 1 of 2`. `contacts`: addresses
   * above them; an address that is wider than the page is left out. `band`: the colour of the upper edge.
   */
  end({ foot, contacts, band, numberOf, style }: Edges): void {
    const { start, count } = this.#document.bufferedPageRange();
    const fitting = contacts.filter((contact) => this.widest([contact], style) <= RIGHT - LEFT).join(" · ");
    const above = this.#typesetter.wrap(fitting, style, RIGHT - LEFT).slice(0, MOST_CONTACT_LINES);
    const below = FOOT + above.length * leading(style);
    for (let page = start; page < start + count; page += 1) {
      this.#document.switchToPage(page);
      this.#artifact(() => {
        this.#document.rect(0, 0, WIDTH, BAND).fill(band);
        const number = this.#typesetter.line(numberOf(page - start + 1, count), style);
        for (const [n, line] of above.entries()) this.#typesetter.draw(line, LEFT, FOOT + n * leading(style), style);
        this.#typesetter.draw(this.#typesetter.line(foot, style), LEFT, below, style);
        this.#typesetter.draw(number, RIGHT - number.width, below, style);
      });
    }
    this.root.end();
    this.#document.end();
  }

  /** Repeated and decorative contents are not read out. */
  #artifact(draw: () => void): void {
    this.#document.markContent("Artifact", { type: "Layout" });
    draw();
    this.#document.endMarkedContent();
  }

  #set({ paragraphs, width }: Cell): TextLine[][] {
    return paragraphs.map(({ text, style }) => this.#typesetter.wrap(text, style, width));
  }

  /** Returns the `y` below the drawn cell. */
  #draw({ paragraphs, x, width, end = false }: Cell, set: readonly TextLine[][]): number {
    let { y } = this;
    for (const [n, { style }] of paragraphs.entries()) {
      for (const line of set[n]!) {
        this.#typesetter.draw(line, end ? x + width - line.width : x, y + style.size, style);
        y += leading(style);
      }
    }
    return y;
  }
}
