import { addressForm, readPostalCode, type AddressPart } from "../../domain/tax/address-form.ts";
import type { Address } from "../../domain/tax/address.ts";
import { isCountry } from "../../domain/tax/country.ts";
import { typedTaxId, type TaxId } from "../../domain/tax/tax-id.ts";
import { taxIdExample } from "../../domain/tax/tax-id-example.ts";
import type { Billing, TaxRate } from "../../domain/tax/tax.ts";
import { text } from "../../resources/fields.ts";
import type { Words } from "../../texts/words.ts";
import {
  BILLING_FIELDS,
  choiceFor,
  needsRegion,
  partLabel,
  partsOf,
  regionChoices,
  type BillingFaults,
  type BillingField,
} from "./address-fields.ts";
import { JUST_LIKE_A_CARD, LIKE_A_CARD } from "./card-number-pattern.ts";
import { shownAgain } from "./field.ts";

const looksLikeCard = (name: BillingField, typed: string) =>
  (name === "taxId" ? JUST_LIKE_A_CARD : LIKE_A_CARD).test(typed);

type KnownBilling = Partial<Record<BillingField, string | null | undefined>>;

/**
 * The address as the form of its country has it. A form with a region and without a city, as Japan's, has the city in
 * line 1: in no field, the buyer could neither see nor keep a city that the API stored.
 */
export function asInForm(address: Address | null): Address | null {
  if (!address || address.city === null || !isCountry(address.country)) return address;
  const { local } = addressForm(address.country);
  if (local.includes("city") || !local.includes("state")) return address;
  const { city, line1 } = address;
  const joined = line1 === null ? city : address.country === "JP" ? `${city}${line1}` : `${line1}, ${city}`;
  return { ...address, line1: joined, city: null };
}

/** Billing data by the fields of a page. */
export const fieldsOfBilling = ({ address, taxId, companyName }: Billing): KnownBilling => ({
  ...asInForm(address),
  taxId: taxId?.value ?? null,
  companyName: companyName ?? null,
});

/** The values as a page repeats them. A field that was not sent has its known value. */
export function typedBilling(form: URLSearchParams, known: KnownBilling): Record<BillingField, string> {
  const again = (name: BillingField) => shownAgain(form.get(name) ?? known[name] ?? "");
  const entries = BILLING_FIELDS.map((name) => [name, looksLikeCard(name, again(name)) ? "" : again(name)]);
  return Object.fromEntries(entries) as Record<BillingField, string>;
}

const LIMITS = { companyName: 256, line1: 256, line2: 256, postalCode: 32, city: 128, state: 128 } as const;
type TextField = keyof typeof LIMITS;

/** The demands of the page. `required`: the tax depends on the country. `known`: the tax id that is stored already. */
export type Demand = { rates: readonly TaxRate[]; required: boolean; known?: TaxId | null };

/**
 * The typed billing data. `taxFaults`: the faults of the fields on which the tax depends. `otherFaults`: all other
 * faults. `billing`: the valid data; null with a fault among `taxFaults`, or if no field was filled in.
 */
export type ReadBilling = { taxFaults: BillingFaults; otherFaults: BillingFaults; billing: Billing | null };

/** Reads the fields one by one, and keeps their faults. */
class Reader {
  readonly #words: Words;
  readonly #form: URLSearchParams;
  readonly faults: BillingFaults = {};

  constructor(words: Words, form: URLSearchParams) {
    this.#words = words;
    this.#form = form;
  }

  typed(name: BillingField): string {
    return (this.#form.get(name) ?? "").trim();
  }

  /** The text of a field; null: the field is empty or has a fault. */
  text(name: TextField, label: string): string | null {
    const { address } = this.#words;
    const typed = this.typed(name);
    if (typed === "") return null;
    const read = text(LIMITS[name]).safeParse(typed);
    if (read.success && !LIKE_A_CARD.test(typed)) return read.data;
    this.faults[name] = read.success
      ? address.likeCard({ field: label })
      : address.long({ field: label, most: LIMITS[name] });
    return null;
  }
}

function readRegion(words: Words, reader: Reader, country: string, rates: readonly TaxRate[]): string | null {
  const { fault, address } = words;
  const required = needsRegion(rates, country);
  if (!required && !partsOf(words, country).includes("state")) return null;
  const label = partLabel(words, country, "state");
  const state = reader.text("state", label);
  if (state === null) {
    if (required) reader.faults.state ??= fault.regionMissing;
    return null;
  }
  const choices = regionChoices(words, country, rates);
  if (choices.length === 0) return state;
  const chosen = choiceFor(country, choices, state);
  if (chosen === null) reader.faults.state = address.notListed({ field: label });
  return chosen;
}

function readTaxId({ fault }: Words, reader: Reader, country: string, known: TaxId | null): TaxId | null {
  const typed = reader.typed("taxId");
  if (typed === "" || typed === known?.value) return typed === "" ? null : known;
  const read = text(64).safeParse(typed);
  const taxId = read.success ? typedTaxId(country, read.data) : null;
  if (JUST_LIKE_A_CARD.test(typed)) reader.faults.taxId = fault.taxIdCard;
  else if (!read.success) reader.faults.taxId = fault.taxIdLong;
  else if (!taxId) reader.faults.taxId = fault.taxIdWrong({ example: taxIdExample(country) ?? "" });
  return taxId;
}

/** The parts that only letters need. An address with a street is whole. */
function readStreet(words: Words, reader: Reader, country: string, state: string | null): Omit<Address, "country"> {
  const form = addressForm(country);
  const shown = partsOf(words, country);
  const read = (part: Exclude<AddressPart, "state">) =>
    shown.includes(part) ? reader.text(part, partLabel(words, country, part)) : null;
  const [line1, line2, city, typedCode] = [read("line1"), read("line2"), read("city"), read("postalCode")];
  const postalCode = typedCode === null ? null : readPostalCode(form, typedCode);
  if (typedCode !== null && postalCode === null)
    reader.faults.postalCode = words.address.postalCodeWrong({ example: form.example ?? "" });
  const address = { line1, line2, postalCode, city, state };
  if (line1 === null) return address;
  for (const part of form.required.filter((each) => shown.includes(each) && address[each] === null))
    reader.faults[part] ??= words.address.missing({ field: partLabel(words, country, part) });
  return address;
}

const STREET = ["line1", "line2", "postalCode", "city", "state"] as const;

export function readBilling(
  words: Words,
  form: URLSearchParams,
  { rates, required, known = null }: Demand,
): ReadBilling {
  const taxReader = new Reader(words, form);
  const otherReader = new Reader(words, form);
  const companyName = otherReader.text("companyName", words.address.company);
  const country = taxReader.typed("country");
  const isAlone = STREET.every((part) => taxReader.typed(part) === "");
  if (!isCountry(country)) {
    const hasTaxId = taxReader.typed("taxId") !== "";
    if (required || country !== "" || !isAlone) taxReader.faults.country = words.fault.countryMissing;
    else if (hasTaxId) taxReader.faults.country = words.address.taxIdAlone;
    const isEmpty = companyName === null || taxReader.faults.country !== undefined;
    return {
      taxFaults: taxReader.faults,
      otherFaults: otherReader.faults,
      billing: isEmpty ? null : { address: null, taxId: null, companyName },
    };
  }
  const state = readRegion(words, taxReader, country, rates);
  const taxId = readTaxId(words, taxReader, country, known);
  const street = readStreet(words, otherReader, country, state);
  if (Object.keys(taxReader.faults).length > 0)
    return { taxFaults: taxReader.faults, otherFaults: otherReader.faults, billing: null };
  return {
    taxFaults: {},
    otherFaults: otherReader.faults,
    billing: { address: { country, ...street }, taxId, companyName },
  };
}
