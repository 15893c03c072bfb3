import { html } from "hono/html";
import {
  addressForm,
  partsFor,
  regionName,
  regionText,
  type AddressForm,
  type AddressPart,
} from "../../domain/tax/address-form.ts";
import { COUNTRIES, isCountry } from "../../domain/tax/country.ts";
import { isUnknownRegion, regionKey } from "../../domain/tax/region.ts";
import type { TaxRate } from "../../domain/tax/tax.ts";
import { languageOf } from "../../texts/language.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { JUST_LIKE_A_CARD, LIKE_A_CARD } from "./card-number-pattern.ts";
import { lineOf, rejects, required as isRequired, type Check } from "./checks.ts";
import { field } from "./field.ts";
import { select } from "./select.ts";

/** The fields of billing data. */
export const BILLING_FIELDS = [
  "country",
  "state",
  "companyName",
  "taxId",
  "line1",
  "line2",
  "postalCode",
  "city",
] as const;
export type BillingField = (typeof BILLING_FIELDS)[number];
export type BillingFaults = Partial<Record<BillingField, string>>;
/** `typed`: the values that the page repeats. `rates`: the seller's tax rates. */
export type BillingInput = {
  typed: Record<BillingField, string>;
  faults: BillingFaults;
  rates: readonly TaxRate[];
};

type Choice = { value: string; label: string };
/** The countries in the order of each language. To sort them takes a millisecond. */
const countries = new WeakMap<Words, Choice[]>();

const makeCountries = ({ country, compare }: Words): Choice[] =>
  [...COUNTRIES]
    .map((value) => ({ value, label: country(value) }))
    .sort((one, other) => compare(one.label, other.label));

export const languageFor = ({ locale }: Words): string => languageOf(locale) ?? "en";

const GENERIC: readonly AddressPart[] = ["line1", "line2", "postalCode", "city"];

/** The parts of an address in the chosen country, in the reader's order. */
export function partsOf(words: Words, country: string): readonly AddressPart[] {
  return isCountry(country) ? partsFor(addressForm(country), languageFor(words)) : GENERIC;
}

/** Whether the tax of a country depends on the region. */
export const needsRegion = (rates: readonly TaxRate[], country: string): boolean =>
  rates.some((rate) => rate.country === country && rate.region !== null);

/** The regions for which the seller has tax rates. */
const ratedRegions = (rates: readonly TaxRate[], country: string): string[] =>
  rates.flatMap((rate) => (rate.country === country && rate.region !== null ? [rate.region] : []));

/**
 * The listed regions of a country; empty if the country has no list. A region of the seller's tax rates that the list
 * does not have is added.
 */
export function regionChoices(words: Words, country: string, rates: readonly TaxRate[]): Choice[] {
  const form = addressForm(country);
  const language = languageFor(words);
  if (form.regions.length === 0) return [];
  const choices = form.regions.map((region) => ({
    value: regionText(form, region, language),
    label: regionName(form, region, language),
  }));
  if (form.language !== language) choices.sort((one, other) => words.compare(one.label, other.label));
  const others = ratedRegions(rates, country).filter((region) => isUnknownRegion(country, region));
  return [...choices, ...others.map((region) => ({ value: region, label: region }))];
}

/** The value of the region that a text means; null: the text means no region of the choices. */
export function choiceFor(country: string, choices: readonly Choice[], text: string): string | null {
  if (text === "") return null;
  const wanted = regionKey(country, text);
  return choices.find(({ value }) => regionKey(country, value) === wanted)?.value ?? null;
}

type Labels = Words["address"];

function labelOf(labels: Labels, part: AddressPart, form: AddressForm | null): string {
  if (form === null) return labels[part === "state" ? "region" : part];
  if (part === "state") return labels[form.stateKind];
  if (part === "city") return labels[form.cityKind];
  if (part === "postalCode") return labels[form.postalCodeKind];
  const isWhole = part === "line1" && form.local.includes("state") && !form.local.includes("city");
  return isWhole ? labels.townAndLine1 : labels[part];
}

/** The name that the chosen country gives to a part of its addresses. */
export const partLabel = ({ address }: Words, country: string, part: AddressPart): string =>
  labelOf(address, part, isCountry(country) ? addressForm(country) : null);

/** The rules of a typed part, as `readBilling` has them. */
function checksOfText({ address }: Words, label: string, most: number): Check[] {
  return [
    ...lineOf(address.long({ field: label, most }), most),
    rejects(address.likeCard({ field: label }), LIKE_A_CARD),
  ];
}

export function countryField(words: Words, { typed, faults }: BillingInput, required: boolean): Html {
  return select({
    name: "country",
    label: words.checkout.country,
    ...(required ? {} : { mark: words.frame.optional }),
    none: words.checkout.chooseCountry,
    options: countries.getOrInsertComputed(words, makeCountries),
    autocomplete: "country",
    required,
    value: typed.country,
    fault: faults.country,
    checks: required ? [isRequired(words.fault.countryMissing)] : [],
  });
}

/** The region: chosen from the list of the country, or typed if there is no list. */
export function regionField(words: Words, { typed, faults, rates }: BillingInput): Html {
  const { country, state } = typed;
  const required = needsRegion(rates, country);
  const label = partLabel(words, country, "state");
  const mark = required ? {} : { mark: words.frame.optional };
  const common = { name: "state", label, ...mark, autocomplete: "address-level1", required, fault: faults.state };
  const options = isCountry(country) ? regionChoices(words, country, rates) : [];
  if (options.length === 0) {
    const suggestions = [...new Set(ratedRegions(rates, country))];
    const checks = checksOfText(words, label, 128);
    return field({ ...common, inputmode: "text", maxlength: 128, suggestions, value: state, checks });
  }
  const value = choiceFor(country, options, state) ?? "";
  return select({ ...common, none: words.address.chooseRegion, options, value });
}

export function companyField(words: Words, { typed, faults }: BillingInput): Html {
  return field({
    name: "companyName",
    label: words.address.company,
    mark: words.frame.optional,
    inputmode: "text",
    autocomplete: "organization",
    required: false,
    maxlength: 256,
    value: typed.companyName,
    fault: faults.companyName,
    checks: checksOfText(words, words.address.company, 256),
  });
}

/** The tax id. Its fault changes with the country. */
export function taxIdField({ checkout: texts, fault: said }: Words, { typed, faults }: BillingInput): Html {
  return html`<div data-part="taxId" data-state="${faults.taxId ?? ""}">
${field({
  name: "taxId",
  label: texts.taxId,
  mark: texts.taxIdNote,
  inputmode: "text",
  autocomplete: "off",
  required: false,
  maxlength: 64,
  value: typed.taxId,
  fault: faults.taxId,
  checks: [rejects(said.taxIdCard, JUST_LIKE_A_CARD), ...lineOf(said.taxIdLong, 64)],
})}
</div>`;
}

const SETTINGS = {
  line1: { autocomplete: "address-line1", maxlength: 256 },
  line2: { autocomplete: "address-line2", maxlength: 256 },
  postalCode: { autocomplete: "postal-code", maxlength: 32 },
  city: { autocomplete: "address-level2", maxlength: 128 },
} as const;

/**
 * The parts of an address in the chosen country that the page shows, in their order. `besides`: parts that the page
 * shows elsewhere.
 */
export function shownParts(
  words: Words,
  { typed: { country }, rates }: Pick<BillingInput, "typed" | "rates">,
  besides: readonly AddressPart[] = [],
): AddressPart[] {
  const parts = partsOf(words, country);
  const isRated = needsRegion(rates, country) && !parts.includes("state");
  return [...parts, ...(isRated ? (["state"] as const) : [])].filter((part) => !besides.includes(part));
}

/**
 * The other parts of an address in the chosen country, as one part of the page that changes with the country. A typed
 * value that the country has no field for is kept in a hidden field. `besides`: as for `shownParts`.
 */
export function streetFields(words: Words, input: BillingInput, besides: readonly AddressPart[] = []): Html {
  const { typed, faults } = input;
  const shown = shownParts(words, input, besides);
  const hidden = (["line1", "line2", "postalCode", "city", "state"] as const).filter(
    (part) => !shown.includes(part) && !besides.includes(part) && typed[part] !== "",
  );
  const one = (part: AddressPart) => {
    if (part === "state") return regionField(words, input);
    const label = partLabel(words, typed.country, part);
    const common = { name: part, label, mark: words.frame.optional, inputmode: "text" } as const;
    const checks = checksOfText(words, label, SETTINGS[part].maxlength);
    return field({ ...common, ...SETTINGS[part], required: false, value: typed[part], fault: faults[part], checks });
  };
  const state = [typed.country, ...shown.map((part) => faults[part] ?? "")].join("|");
  return html`<div data-part="street" data-state="${state}">
${shown.map(one)}
${hidden.map((part) => html`<input type="hidden" name="${part}" value="${typed[part]}">`)}
</div>`;
}
