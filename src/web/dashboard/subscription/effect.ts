import { html } from "hono/html";
import { lineTotal, type LineDraft } from "../../../domain/model/invoice.ts";
import { sumOf } from "../../../domain/money.ts";
import { cardName } from "../../../domain/model/card-name.ts";
import type { CardSnapshot } from "../../../domain/model/payment.ts";
import type { ChangePreview } from "../../../domain/model/plan-change.ts";
import type { NextInvoicePreview } from "../../../domain/subscription/preview-next-invoice.ts";
import type { Html } from "../../layout.ts";
import { money, moneyCell, moneyText, time } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { table } from "../table.ts";

type EffectFormat = { currency: string; zone: string };

const HEADINGS = [
  "Line",
  { label: "Period", isWide: true },
  { label: "Amount", isNumber: true },
  { label: "Discount", isNumber: true, isWide: true },
  { label: "Tax", isNumber: true, isWide: true },
  { label: "Total", isNumber: true },
];

function lineRow(line: LineDraft, { currency, zone }: EffectFormat): Html {
  const { description, amount, discountAmount, taxAmount, periodStart, periodEnd } = line;
  const span =
    periodStart === null || periodEnd === null ? "" : html`${time(periodStart, zone)} to ${time(periodEnd, zone)}`;
  const wide = (value: number) => html`<td class="number wide">${value === 0 ? "" : moneyText(value, currency)}</td>`;
  return html`<tr>
<th scope="row"><bdi>${description}</bdi></th>
<td class="wide">${span}</td>
${moneyCell(amount, currency)}
${wide(0 - discountAmount)}
${wide(taxAmount)}
${moneyCell(lineTotal(line), currency)}
</tr>`;
}

/** The lines of an invoice that is not made yet. */
function lineTable(caption: string, lines: readonly LineDraft[], shown: EffectFormat): Html {
  return table(
    caption,
    HEADINGS,
    lines.map((line) => lineRow(line, shown)),
  );
}

const totalOf = (lines: readonly LineDraft[]) => sumOf(lines.map(lineTotal));

function balanceFact({ balanceChange }: ChangePreview, currency: string): Definition[] {
  if (balanceChange === 0) return [];
  const said =
    balanceChange > 0
      ? html`${money(balanceChange, currency)} is added as credit`
      : html`${money(0 - balanceChange, currency)} of the credit is used`;
  return [["Balance", said]];
}

/** The charge of a preview with the card that pays. */
function chargeOf({ chargeAmount }: ChangePreview, card: CardSnapshot | null, currency: string): Html | string {
  if (chargeAmount === 0) return "No charge";
  const paidBy = card === null ? "" : html`, charged to <bdi>${cardName(card)}</bdi>`;
  return html`<b>${money(chargeAmount, currency)}</b>${paidBy}`;
}

type NextInvoice = ChangePreview["nextInvoice"];

const nextInvoiceText = (next: NextInvoice, { currency, zone }: EffectFormat): Html | string =>
  next === null ? "None" : html`${time(next.at, zone)}: ${money(totalOf(next.lines), currency)}`;

const nextInvoiceTable = (next: NextInvoice, shown: EffectFormat): Html | "" =>
  next === null || next.lines.length === 0
    ? ""
    : html`<h2>Next invoice</h2>${lineTable("Lines of the next invoice", next.lines, shown)}`;

/** The effect of a change that bills no line by itself: the next invoice before and after it. */
export const nextInvoiceEffect = (
  { before, after }: NextInvoicePreview,
  shown: EffectFormat,
  facts: readonly Definition[],
): Html => html`${definitions([
  ["Due now", "No charge"],
  ...facts,
  ["Next invoice without the change", nextInvoiceText(before, shown)],
  ["Next invoice", nextInvoiceText(after, shown)],
])}
${nextInvoiceTable(after, shown)}`;

/** The exact effect of a change or a cancellation, before the click. */
export function effect(
  preview: ChangePreview,
  { card, currency, zone }: EffectFormat & { card: CardSnapshot | null },
  facts: readonly Definition[],
): Html {
  const { lines, nextInvoice } = preview;
  const shown = { currency, zone };
  return html`${definitions([
    ["Due now", chargeOf(preview, card, currency)],
    ...balanceFact(preview, currency),
    ...facts,
    ["Next invoice", nextInvoiceText(nextInvoice, shown)],
  ])}
${lines.length === 0 ? "" : html`<h2>Lines of the change</h2>${lineTable("Lines of the change", lines, shown)}`}
${nextInvoiceTable(nextInvoice, shown)}`;
}
