import { html } from "hono/html";
import { parseInstant } from "../../../domain/calendar.ts";
import { EU_RATES, EU_RATES_AS_OF, EU_RATES_SOURCE, type EuRate } from "../../../domain/tax/eu-rates.ts";
import type { TaxRate } from "../../../domain/tax/tax.ts";
import { findTaxRegionReview } from "../../../store/tax-region-review.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { faultMark, faultText } from "../../components/fault.ts";
import type { Html } from "../../layout.ts";
import { notice } from "../components/notice.ts";
import { pager } from "../components/pager.ts";
import { EDIT, faultAt, type Sent } from "../sent-form.ts";
import { table } from "../table.ts";
import { COUNTRY_CHOICES } from "./country-choices.ts";
import { settingsForm, settingsFormOf, type SettingsData } from "./form.ts";
import { SETTINGS, tabOf } from "./tabs.ts";
import { filledWith, firstOf, nameIn, percentOf, RATES_PER_PAGE, readRates, rowsOf, type Row } from "./tax-rows.ts";

const dayOf = (date: string) => ENGLISH.day(parseInstant(`${date}T00:00:00Z`)!, "UTC");

/** A row's name for a screen reader. */
const titleOf = ({ country, region }: Row, n: number) =>
  country === "" ? `row ${n + 1}` : [ENGLISH.country(country), region].filter((part) => part !== "").join(", ");

function input(sent: Sent, row: Row, part: "region" | "name" | "percent", label: string, most: number): Html {
  const name = nameIn(row, part);
  const fault = faultAt(sent, name);
  return html`<input id="${name}" name="${name}" value="${row[part]}" maxlength="${most}" aria-label="${label}"
 autocomplete="off" spellcheck="false" dir="auto"${part === "percent" ? html` inputmode="decimal"` : ""}
 ${faultMark(name, fault)}>${faultText(name, fault)}`;
}

/** `isFixed`: the country stays, since each choice among all countries has the size of a page. */
function countryCell(sent: Sent, row: Row, label: string, isFixed: boolean): Html {
  const name = nameIn(row, "country");
  const fault = faultAt(sent, name);
  if (isFixed)
    return html`<span class="fixed">${ENGLISH.country(row.country)}</span>
<input type="hidden" name="${name}" value="${row.country}">${faultText(name, fault)}`;
  const option = ([value, text]: (typeof COUNTRY_CHOICES)[number]) =>
    html`<option value="${value}"${value === row.country ? html` selected` : ""}>${text}</option>`;
  return html`<select id="${name}" name="${name}" aria-label="${label}" autocomplete="off" ${faultMark(name, fault)}>
<option value=""></option>${COUNTRY_CHOICES.map(option)}
</select>${faultText(name, fault)}`;
}

function box(row: Row, part: "inclusive" | "reverseCharge" | "remove", label: string, isOn: boolean): Html {
  const name = nameIn(row, part);
  return html`<input type="checkbox" name="${name}" value="yes" aria-label="${label}"${isOn ? html` checked` : ""}>`;
}

function rowHtml(sent: Sent, row: Row, n: number, isFixed: boolean): Html {
  const title = titleOf(row, n);
  const named = (label: string) => `${label}, ${title}`;
  return html`<tr>
<td>${countryCell(sent, row, named("Country"), isFixed)}</td>
<td>${input(sent, row, "region", named("Region"), 128)}</td>
<td>${input(sent, row, "percent", named("Percent"), 8)}</td>
<td>${input(sent, row, "name", named("Name of the tax"), 64)}</td>
<td class="box">${box(row, "inclusive", named("Included in prices"), row.inclusive)}</td>
<td class="box">${box(row, "reverseCharge", named("Reverse charge"), row.reverseCharge)}</td>
<td class="box">${box(row, "remove", named("Remove"), row.remove)}</td>
</tr>`;
}

/** A Member State, with the rate of the seller beside the table's. */
function euRow({ country, basisPoints, since }: EuRate, rates: readonly TaxRate[]): Html {
  const own = rates.find((rate) => rate.country === country && rate.region === null);
  const name = ENGLISH.country(country);
  const yours =
    own === undefined ? "None" : own.basisPoints === basisPoints ? "The same" : `${percentOf(own.basisPoints)} %`;
  return html`<tr>
<td class="box"><input type="checkbox" name="eu" value="${country}" aria-label="Choose ${name}"></td>
<th scope="row">${name}</th>
<td class="number">${percentOf(basisPoints)} %</td>
<td><time datetime="${since}">${dayOf(since)}</time></td>
<td>${yours}</td>
</tr>`;
}

function euTable(rates: readonly TaxRate[]): Html {
  return html`<div class="eu">
<h2>Standard rates in the European Union</h2>
<p>As of <time datetime="${EU_RATES_AS_OF}">${dayOf(EU_RATES_AS_OF)}</time>. Source:
<a href="${EU_RATES_SOURCE}" rel="noreferrer">European Commission, Taxes in Europe Database</a>. Reduced rates and
special territories are not in this table. Check each rate before you save.</p>
<p class="actions">
<button class="button small other" type="submit" name="${EDIT}" value="fill">Fill in the chosen rates</button>
<span class="note">This button does not save.</span></p>
${table(
  "Standard rates in the European Union",
  ["Choose", "Country", { label: "Rate", isNumber: true }, "Since", "Yours"],
  EU_RATES.map((rate) => euRow(rate, rates)),
)}
</div>`;
}

const HEADINGS = ["Country", "Region", "Percent", "Name", "Included", "Reverse charge", "Remove"];
const EFFECT =
  "A change counts from the next invoice on, also for running Subscriptions. Issued invoices and payments under way " +
  "stay as they are.";

function form(data: SettingsData, sent: Sent): Html {
  const { taxRates } = data.organization;
  const isFilled = sent.isSent && sent.fields.get(EDIT) === "fill";
  const typedRows = rowsOf(sent, taxRates);
  const rows = isFilled ? filledWith(typedRows, sent.fields.getAll("eu"), taxRates.length) : typedRows;
  const names = rows.flatMap((row) => ["country", "region", "percent", "name"].map((part) => nameIn(row, part)));
  const fields = html`${isFilled ? notice("hint", "The rates are filled in, but not saved yet.") : ""}
<input type="hidden" name="from" value="${firstOf(sent, taxRates)}">
<div class="rates">${table(
    "Your tax rates",
    HEADINGS,
    rows.map((row, n) => rowHtml(sent, row, n, row.country !== "" && (isFilled || row.index < taxRates.length))),
  )}</div>
<p class="hint">Without a region, a rate is for the rest of the country. “Included”: your prices contain the tax.
“Reverse charge”: a business with a tax id in another country than yours accounts for the tax itself. ${EFFECT}</p>
<p class="actions"><button class="button small" type="submit">Save</button></p>
${euTable(taxRates)}`;
  return settingsFormOf(data, sent, names, fields, null);
}

function pages({ request, organization }: SettingsData, sent: Sent): Html | "" {
  const { length } = organization.taxRates;
  const from = firstOf(sent, organization.taxRates);
  const at = (first: number) =>
    first < 0 || first >= length ? null : `${request.self}${SETTINGS}${tabOf("taxes").path}?from=${first}`;
  return pager({ previous: at(from - RATES_PER_PAGE), next: at(from + RATES_PER_PAGE) });
}

/** `…/settings/taxes`: the tax rates in rows, beside the standard rates of the European Union. */
export const taxPages = settingsForm({
  tab: "taxes",
  lead: "The rate for a buyer is the one of the buyer's region, or else of the country. Elsewhere, no tax is billed.",
  takes: { from: (value) => /^\d{1,4}$/.test(value) },
  read: (sent, { taxRates }) => readRates(sent, taxRates),
  confirmed: async (ctx, { id }, read) => ((await findTaxRegionReview(ctx.db.read, id)) === null ? {} : read),
  page(data, sent) {
    const hint = notice("hint", "There are no tax rates yet, so Billow bills no tax.");
    return html`${data.organization.taxRates.length === 0 ? hint : ""}
${form(data, sent)}
${pages(data, sent)}`;
  },
});
