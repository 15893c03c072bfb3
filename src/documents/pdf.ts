import { buffer } from "node:stream/consumers";
import { parseInstant } from "../domain/calendar.ts";
import { wordsFor, type Words } from "../texts/words.ts";
import { titleOfDocument, type BillingDocument, type Fact, type PartyBlock } from "./billing-document.ts";
import { LEFT, RIGHT, Sheet, type Cell } from "./sheet.ts";
import { TextDocument } from "./internals.ts";
import type { Style } from "./typesetter.ts";

const INK = "#14171f";
const SOFT = "#565d6d";
const TONES = { done: "#14794a", due: INK, void: "#b3221b" } as const;

const TITLE: Style = { size: 22, bold: true, color: INK };
const BODY: Style = { size: 9.5, color: INK };
const STRONG: Style = { ...BODY, bold: true };
const QUIET: Style = { ...BODY, color: SOFT };
const SMALL: Style = { size: 8.5, color: SOFT };

const FULL = RIGHT - LEFT;
const GUTTER = 24;
const GAP = 12;
const HALF = (FULL - GUTTER) / 2;
const MIDDLE = LEFT + HALF + GUTTER;
/** A column is as wide as its widest text, up to this width. The rates are short, but for a reverse charge. */
const WIDEST = 120;
const WIDEST_RATE = 80;
/** Where the names of totals begin, from the left margin. */
const LABEL = 190;
/** In place of a rate, for a line without tax. */
const NO_TAX = "–";

/** A sheet with a document, in the document's words. `heading`: the style of headings, in the seller's colour. */
type Page = { sheet: Sheet; content: BillingDocument; words: Words["document"]; heading: Style };
/** A column of texts that end at its right edge. */
type Column = { x: number; width: number };

function cell(type: Cell["type"], text: string, style: Style, x: number, width: number, end = false): Cell {
  return { type, paragraphs: [{ text, style }], x, width, end };
}

const inColumn = (type: Cell["type"], text: string, style: Style, { x, width }: Column): Cell =>
  cell(type, text, style, x, width, true);

const fitting = (sheet: Sheet, texts: readonly string[], style: Style, most = WIDEST) =>
  Math.min(Math.ceil(sheet.widest(texts, style)), most);

/** Columns beside each other that end at the right margin, each as wide as its texts. */
function columnsOf(sheet: Sheet, columns: readonly { texts: readonly string[]; most?: number }[]): Column[] {
  let right = RIGHT + GAP;
  const placed = columns.toReversed().map(({ texts, most }) => {
    const width = fitting(sheet, texts, STRONG, most);
    right -= width + GAP;
    return { x: right, width };
  });
  return placed.reverse();
}

/** Draws columns of different heights side by side. */
function beside(sheet: Sheet, left: () => void, right: () => void): void {
  const top = sheet.y;
  left();
  const below = sheet.y;
  sheet.y = top;
  right();
  sheet.y = Math.max(sheet.y, below);
}

function drawTitle({ sheet, content, words, heading }: Page): void {
  const { kind, status, sandbox, brand } = content;
  const right = (text: string, style: Style) => sheet.row(sheet.root, [cell("P", text, style, MIDDLE, HALF, true)]);
  sheet.row(sheet.root, [cell("P", brand.name, { ...heading, size: 12 }, LEFT, FULL)]);
  sheet.y += 10;
  beside(
    sheet,
    () => sheet.row(sheet.root, [cell("H1", kind, TITLE, LEFT, HALF)]),
    () => {
      sheet.y += 6;
      right(status.text, { size: 13, bold: true, color: TONES[status.tone] });
      if (sandbox) right(words.sandbox, { ...SMALL, bold: true, color: TONES.void });
    },
  );
  sheet.y += 12;
}

function drawFacts({ sheet, content }: Page): void {
  const names = content.facts.map(({ name }) => name);
  const width = fitting(sheet, names, QUIET) + GAP;
  for (const { name, value } of content.facts) {
    sheet.group("Div", sheet.root, (group) =>
      sheet.row(group, [cell("P", name, QUIET, LEFT, width), cell("P", value, BODY, LEFT + width, FULL - width)]),
    );
  }
  sheet.y += 18;
}

function drawParty({ sheet, heading: style }: Page, { heading, name, lines }: PartyBlock, x: number): void {
  sheet.group("Div", sheet.root, (group) => {
    sheet.row(group, [cell("P", heading, style, x, HALF)]);
    sheet.row(group, [cell("P", name, STRONG, x, HALF)]);
    for (const line of lines) sheet.row(group, [cell("P", line, BODY, x, HALF)]);
  });
}

function drawLines({ sheet, content: { lines }, words, heading }: Page): void {
  const { description, quantity, unitPrice, tax, amount } = words;
  const texts = lines.map((line) => [line.quantity, line.unitPrice, line.tax || NO_TAX, line.amount]);
  const heads = [quantity, unitPrice, tax, amount];
  const columns = columnsOf(
    sheet,
    heads.map((head, n) => {
      return { texts: [head, ...texts.map((each) => each[n]!)], most: head === tax ? WIDEST_RATE : WIDEST };
    }),
  );
  const width = columns[0]!.x - GAP - LEFT;
  const head = [
    cell("TH", description, heading, LEFT, width),
    ...heads.map((text, n) => inColumn("TH", text, heading, columns[n]!)),
  ];
  sheet.table(head, (table) => {
    for (const [n, line] of lines.entries()) {
      const paragraphs = [
        { text: line.description, style: BODY },
        { text: line.notes.join(" · "), style: SMALL },
      ];
      const figures = texts[n]!.map((text, column) => inColumn("TD", text, BODY, columns[column]!));
      sheet.group("TR", table, (row) => sheet.row(row, [{ type: "TD", paragraphs, x: LEFT, width }, ...figures]));
      sheet.y += 6;
    }
  });
  sheet.rule();
}

function drawTotal(sheet: Sheet, table: PDFKit.PDFStructureElement, total: Fact & { strong: boolean }, column: Column) {
  const { name, value, strong } = total;
  const label = cell("TH", name, strong ? STRONG : QUIET, LEFT + LABEL, column.x - GAP - LEFT - LABEL);
  sheet.group("TR", table, (row) => sheet.row(row, [label, inColumn("TD", value, strong ? STRONG : BODY, column)]));
  sheet.y += 4;
}

function drawTotals({ sheet, content: { totals } }: Page): void {
  const [column] = columnsOf(sheet, [{ texts: totals.map(({ value }) => value) }]);
  sheet.need(totals.length * 20);
  sheet.group("Table", sheet.root, (table) => {
    for (const total of totals) drawTotal(sheet, table, total, column!);
  });
  sheet.y += 20;
}

function drawMovements({ sheet, content: { movements }, words, heading }: Page): void {
  const { rows } = movements;
  if (rows.length === 0) return;
  const dates = fitting(sheet, [words.date, ...rows.map(({ date }) => date)], STRONG) + GAP;
  const [column] = columnsOf(sheet, [{ texts: [words.amount, ...rows.map(({ amount }) => amount)] }]);
  const width = column!.x - GAP - LEFT - dates;
  const head = [
    cell("TH", words.date, heading, LEFT, dates),
    cell("TH", movements.heading, heading, LEFT + dates, width),
    inColumn("TH", words.amount, heading, column!),
  ];
  sheet.need(60);
  sheet.table(head, (table) => {
    for (const { date, how, note, document, amount } of rows) {
      const paragraphs = [
        { text: how, style: BODY },
        { text: [document?.title, note].filter(Boolean).join(" · "), style: SMALL },
      ];
      const middle: Cell = { type: "TD", paragraphs, x: LEFT + dates, width };
      sheet.group("TR", table, (row) =>
        sheet.row(row, [cell("TD", date, BODY, LEFT, dates), middle, inColumn("TD", amount, BODY, column!)]),
      );
      sheet.y += 4;
    }
  });
  sheet.y += 16;
}

function draw(page: Page): void {
  const { sheet, content } = page;
  drawTitle(page);
  drawFacts(page);
  beside(
    sheet,
    () => drawParty(page, content.seller, LEFT),
    () => drawParty(page, content.buyer, MIDDLE),
  );
  sheet.y += 24;
  drawLines(page);
  drawTotals(page);
  drawMovements(page);
  for (const note of content.notes) sheet.row(sheet.root, [cell("P", note, BODY, LEFT, FULL)]);
}

/** A4, tagged, in the document's language. The same document gives the same bytes, at any time and on any machine. */
export async function drawPdf(content: BillingDocument): Promise<Buffer> {
  const { issuedAt, seller, status, locale, brand } = content;
  const { document: words } = wordsFor(locale);
  const title = titleOfDocument(content);
  const document = new TextDocument({
    size: "A4",
    margin: 0,
    pdfVersion: "1.7",
    tagged: true,
    lang: locale,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: title,
      Author: seller.name,
      Creator: "Billow",
      Producer: "Billow",
      CreationDate: new Date(parseInstant(issuedAt)!),
    },
  });
  const bytes = buffer(document);
  const sheet = new Sheet(document);
  draw({ sheet, content, words, heading: { ...SMALL, bold: true, color: brand.text } });
  sheet.end({
    foot: status.tone === "void" ? words.titleVoid({ title }) : title,
    contacts: content.contacts,
    band: brand.ground,
    numberOf: (page, pages) => words.page({ page, pages }),
    style: SMALL,
  });
  return bytes;
}
