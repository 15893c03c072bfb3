import { html } from "hono/html";
import { COUNTRIES, countryName } from "../../domain/tax/country.ts";
import type { TaxRate } from "../../domain/tax/tax.ts";
import { field } from "../components/field.ts";
import { select } from "../components/select.ts";
import type { Html } from "../layout.ts";
import type { Faults, Typed } from "./form.ts";

const CHOICES = [...COUNTRIES]
  .map((value) => ({ value, label: countryName(value) }))
  .sort((one, other) => one.label.localeCompare(other.label, "en"));

const MOST_NAMED = 3;

/** The countries with regional rates, in words. */
function whereRegionsCount(rates: readonly TaxRate[]): string {
  const countries = new Set(rates.map(({ country }) => countryName(country)));
  return countries.size > MOST_NAMED ? "where there is one" : `in ${[...countries].join(", ")}`;
}

/** The buyer's place, as far as the tax depends on it. With scripts, each change of the place is sent at once. */
export function placeFields(rates: readonly TaxRate[], { typed, faults }: { typed: Typed; faults: Faults }): Html {
  const regional = rates.filter(({ region }) => region !== null);
  const country = {
    name: "country",
    label: "Country",
    none: "Choose a country",
    options: CHOICES,
    autocomplete: "country",
  };
  const state = {
    name: "state",
    label: "State or region",
    mark: whereRegionsCount(regional),
    autocomplete: "address-level1",
    maxlength: 128,
  };
  const taxId = { name: "taxId", label: "Tax ID", mark: "businesses, optional", autocomplete: "off", maxlength: 64 };
  const suggestions = [...new Set(regional.map(({ region }) => region!))];
  const common = { inputmode: "text", required: false } as const;
  return html`<fieldset class="group" data-affects-total>
<legend>Billing address</legend>
${select({ ...country, value: typed.country, fault: faults.country })}
${regional.length === 0 ? "" : field({ ...common, ...state, suggestions, value: typed.state, fault: faults.state })}
<div data-part="taxId" data-state="${faults.taxId ?? ""}">
${field({ ...common, ...taxId, value: typed.taxId, fault: faults.taxId })}
</div>
<button class="button other small" name="action" value="update" data-scriptless>Update total</button>
</fieldset>`;
}
