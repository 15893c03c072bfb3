import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** A field of a filter bar: a choice of `options`, a day, or a text. `name`: the parameter in the address. */
export type FilterField = {
  name: string;
  label: string;
  value: string;
  type?: "date";
  options?: readonly (readonly [value: string, label: string])[];
  fault?: string | undefined;
};

const idOf = (name: string) => `filter-${name}`;

function control({ name, value, type, options, fault }: FilterField): Html {
  const wrong = fault === undefined ? "" : html` aria-invalid="true" aria-describedby="${idOf(name)}-fault"`;
  // Every browser shows a field of days, and sends 2026-10-31.
  if (type === "date")
    return html`<input type="date" id="${idOf(name)}" name="${name}" value="${value}" min="1000-01-01" max="9999-12-31"
${wrong}>`;
  if (options === undefined)
    return html`<input id="${idOf(name)}" name="${name}" value="${value}" maxlength="320" autocomplete="off"
 spellcheck="false" autocapitalize="off" dir="auto"${wrong}>`;
  const option = ([each, label]: readonly [string, string]) =>
    html`<option value="${each}"${each === value ? html` selected` : ""}>${label}</option>`;
  return html`<select id="${idOf(name)}" name="${name}"${wrong}>
<option value="">Any</option>${options.map(option)}
</select>`;
}

/** A form that puts its filters into the address. `clear`: the address without filters; null: no filter is set. */
export function filterBar(action: string, fields: readonly FilterField[], clear: string | null): Html {
  const entry = (field: FilterField) => html`<div class="filter">
<label for="${idOf(field.name)}">${field.label}</label>
${control(field)}
${field.fault === undefined ? "" : html`<p class="fault" id="${idOf(field.name)}-fault">${field.fault}</p>`}
</div>`;
  return html`<form class="filters" action="${action}" aria-label="Filters">
${fields.map(entry)}
<div class="actions">
<button class="button small other" type="submit">Filter</button>
${clear === null ? "" : html`<a href="${clear}">Clear filters</a>`}
</div>
</form>`;
}
