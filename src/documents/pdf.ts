import { buffer } from "node:stream/consumers";
import { parseInstant } from "../domain/calendar.ts";
import type { BillingDocument, Fact, PartyBlock } from "./billing-document.ts";
import { LEFT, RIGHT, Sheet, type Cell } from "./sheet.ts";
import { TextDocument, type Style } from "./typeset.ts";

const INK = "#14171f";
const SOFT = "#565d6d";
const TONES = { done: "#14794a", due: INK, void: "#b3221b" } as const;

const TITLE: Style = { size: 22, bold: true, color: INK };
const BODY: Style = { size: 9.5, color: INK };
const STRONG: Style = { ...BODY, bold: true };
const QUIET: Style = { ...BODY, color: SOFT };
const SMALL: Style = { size: 8.5, color: SOFT };
const HEADING: Style = { ...SMALL, bold: true };

const FULL = RIGHT - LEFT;
const GUTTER = 24;
const HALF = (FULL - GUTTER) / 2;
const MIDDLE = LEFT + HALF + GUTTER;
const AMOUNT = 110;
const DATE = 100;
/** Where the names of totals begin, from the left margin. */
const LABEL = 190;

function cell(type: Cell["type"], text: string, style: Style, x: number, width: number, end = false): Cell {
  return { type, paragraphs: [{ text, style }], x, width, end };
}

function amount(type: Cell["type"], text: string, style: Style): Cell {
  return cell(type, text, style, RIGHT - AMOUNT, AMOUNT, true);
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

function drawTitle(sheet: Sheet, { kind, status, sandbox }: BillingDocument): void {
  const right = (text: string, style: Style) => sheet.row(sheet.root, [cell("P", text, style, MIDDLE, HALF, true)]);
  beside(
    sheet,
    () => sheet.row(sheet.root, [cell("H1", kind, TITLE, LEFT, HALF)]),
    () => {
      sheet.y += 6;
      right(status.text, { size: 13, bold: true, color: TONES[status.tone] });
      if (sandbox) right("Sandbox: no real money moves", { ...HEADING, color: TONES.void });
    },
  );
  sheet.y += 12;
}

function drawFact(sheet: Sheet, { name, value }: Fact): void {
  sheet.group("Div", sheet.root, (group) =>
    sheet.row(group, [cell("P", name, QUIET, LEFT, DATE), cell("P", value, BODY, LEFT + DATE, FULL - DATE)]),
  );
}

function drawParty(sheet: Sheet, { heading, name, lines }: PartyBlock, x: number): void {
  sheet.group("Div", sheet.root, (group) => {
    sheet.row(group, [cell("P", heading, HEADING, x, HALF)]);
    sheet.row(group, [cell("P", name, STRONG, x, HALF)]);
    for (const line of lines) sheet.row(group, [cell("P", line, BODY, x, HALF)]);
  });
}

function drawLines(sheet: Sheet, { lines }: BillingDocument): void {
  const width = FULL - AMOUNT - GUTTER;
  sheet.table([cell("TH", "Description", HEADING, LEFT, width), amount("TH", "Amount", HEADING)], (table) => {
    for (const line of lines) {
      const paragraphs = [
        { text: line.description, style: BODY },
        { text: line.notes.join(" · "), style: SMALL },
      ];
      sheet.group("TR", table, (row) =>
        sheet.row(row, [{ type: "TD", paragraphs, x: LEFT, width }, amount("TD", line.amount, BODY)]),
      );
      sheet.y += 6;
    }
  });
  sheet.rule();
}

function drawTotals(sheet: Sheet, { totals }: BillingDocument): void {
  sheet.need(totals.length * 20);
  sheet.group("Table", sheet.root, (table) => {
    for (const { name, value, strong } of totals) {
      const style = strong ? STRONG : BODY;
      const label = cell("TH", name, strong ? STRONG : QUIET, LEFT + LABEL, FULL - LABEL - AMOUNT);
      sheet.group("TR", table, (row) => sheet.row(row, [label, amount("TD", value, style)]));
      sheet.y += 4;
    }
  });
  sheet.y += 20;
}

function drawMovements(sheet: Sheet, { movements }: BillingDocument): void {
  const { heading, rows } = movements;
  if (rows.length === 0) return;
  const width = FULL - DATE - AMOUNT;
  const head = [
    cell("TH", "Date", HEADING, LEFT, DATE),
    cell("TH", heading, HEADING, LEFT + DATE, width),
    amount("TH", "Amount", HEADING),
  ];
  sheet.need(60);
  sheet.table(head, (table) => {
    for (const { date, how, note, amount: moved } of rows) {
      const paragraphs = [
        { text: how, style: BODY },
        { text: note ?? "", style: SMALL },
      ];
      const middle: Cell = { type: "TD", paragraphs, x: LEFT + DATE, width };
      sheet.group("TR", table, (row) =>
        sheet.row(row, [cell("TD", date, BODY, LEFT, DATE), middle, amount("TD", moved, BODY)]),
      );
      sheet.y += 4;
    }
  });
  sheet.y += 16;
}

function draw(sheet: Sheet, content: BillingDocument): void {
  drawTitle(sheet, content);
  for (const fact of content.facts) drawFact(sheet, fact);
  sheet.y += 18;
  beside(
    sheet,
    () => drawParty(sheet, content.seller, LEFT),
    () => drawParty(sheet, content.buyer, MIDDLE),
  );
  sheet.y += 24;
  drawLines(sheet, content);
  drawTotals(sheet, content);
  drawMovements(sheet, content);
  for (const note of content.notes) sheet.row(sheet.root, [cell("P", note, BODY, LEFT, FULL)]);
}

/** A4, tagged, in English. The same document gives the same bytes, at any time and on any machine. */
export async function drawPdf(content: BillingDocument): Promise<Buffer> {
  const { kind, number, issuedAt, seller, status } = content;
  const title = `${kind} ${number}`;
  const document = new TextDocument({
    size: "A4",
    margin: 0,
    pdfVersion: "1.7",
    tagged: true,
    lang: "en",
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
  draw(sheet, content);
  sheet.end(status.tone === "void" ? `${title} (void)` : title, SMALL);
  return bytes;
}
