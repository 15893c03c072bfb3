import { html } from "hono/html";
import { COUNTRIES } from "../../domain/tax/country.ts";
import type { TaxRate } from "../../domain/tax/tax.ts";
import type { Words } from "../../texts/words.ts";
import { lineOf, rejects, required } from "../components/checks.ts";
import { field } from "../components/field.ts";
import { select } from "../components/select.ts";
import type { Html } from "../layout.ts";
import { JUST_LIKE_A_CARD, LIKE_A_CARD, type Faults, type Typed } from "./form.ts";

type Choice = { value: string; label: string };
/** The countries in the order of each language. To sort them takes a millisecond. */
const choices = new WeakMap<Words, Choice[]>();

const makeChoices = ({ country, compare }: Words): Choice[] =>
  [...COUNTRIES]
    .map((value) => ({ value, label: country(value) }))
    .sort((one, other) => compare(one.label, other.label));

const MOST_NAMED = 3;

/** The countries with regional rates, in words. */
function whereRegionsCount({ checkout, country: nameOf, list }: Words, rates: readonly TaxRate[]): string {
  const countries = new Set(rates.map(({ country }) => nameOf(country)));
  return countries.size > MOST_NAMED
    ? checkout.regionSomewhere
    : checkout.regionIn({ countries: list([...countries]) });
}

/** The buyer's place, as far as the tax depends on it. With scripts, each change of the place is sent at once. */
export function placeFields(
  words: Words,
  rates: readonly TaxRate[],
  { typed, faults }: { typed: Typed; faults: Faults },
): Html {
  const { checkout: texts, fault } = words;
  const regional = rates.filter(({ region }) => region !== null);
  const country = {
    name: "country",
    label: texts.country,
    none: texts.chooseCountry,
    options: choices.getOrInsertComputed(words, makeChoices),
    autocomplete: "country",
    checks: [required(fault.countryMissing)],
  };
  const state = {
    name: "state",
    label: texts.region,
    mark: whereRegionsCount(words, regional),
    autocomplete: "address-level1",
    maxlength: 128,
    checks: [rejects(fault.regionCard, LIKE_A_CARD), ...lineOf(fault.regionLong, 128)],
  };
  const taxId = {
    name: "taxId",
    label: texts.taxId,
    mark: texts.taxIdNote,
    autocomplete: "off",
    maxlength: 64,
    checks: [rejects(fault.taxIdCard, JUST_LIKE_A_CARD), ...lineOf(fault.taxIdLong, 64)],
  };
  const suggestions = [...new Set(regional.map(({ region }) => region!))];
  const common = { inputmode: "text", required: false } as const;
  return html`<fieldset class="group" data-affects-total>
<legend>${texts.billingAddress}</legend>
${select({ ...country, value: typed.country, fault: faults.country })}
${regional.length === 0 ? "" : field({ ...common, ...state, suggestions, value: typed.state, fault: faults.state })}
<div data-part="taxId" data-state="${faults.taxId ?? ""}">
${field({ ...common, ...taxId, value: typed.taxId, fault: faults.taxId })}
</div>
<button class="button other small" name="action" value="update" data-scriptless>${texts.updateTotal}</button>
</fieldset>`;
}
