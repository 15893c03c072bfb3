import { html } from "hono/html";
import { LANGUAGES } from "../../../domain/locale.ts";
import { limitsOf, type Product } from "../../../domain/model/product.ts";
import { MOST_UNITS, type UnitForms, type UnitName } from "../../../domain/model/quantity.ts";
import type { Fault } from "../../../errors.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import type { Definition } from "../components/definitions.ts";
import { OPTIONAL, textField } from "../fields.ts";
import { fault, typedNumber } from "../form-values.ts";
import { QUANTITY_LENGTH } from "../quantity-field.ts";
import { isSoldByQuantity, rangeInWords } from "../quantity-range.ts";
import { typed, type Sent } from "../sent-form.ts";

type Form = Pick<Sent, "fields">;

const [MINIMUM, MAXIMUM] = ["quantity.minimum", "quantity.maximum"] as const;
const LONGEST_NOUN = 40;

const languageNames = new Intl.DisplayNames(["en-GB"], { type: "language" });
/** One row for each language: the noun of one unit, and the noun of several. */
const NOUNS = LANGUAGES.map((language) => ({
  language,
  label: languageNames.of(language)!,
  one: `unitName.${language}.one`,
  other: `unitName.${language}.other`,
}));

/** The fields of the quantity that show their own faults. */
export const QUANTITY_NAMES: readonly string[] = [MINIMUM, MAXIMUM, ...NOUNS.flatMap(({ one, other }) => [one, other])];

/** The limits and the nouns of a Product as the fields of its form. A missing maximum is the largest one. */
export function writtenQuantity(product: Product): [string, string][] {
  const { minimum, maximum } = limitsOf(product);
  const nouns = NOUNS.flatMap(({ language, one, other }): [string, string][] => {
    const forms = product.unitName?.[language];
    return forms === undefined
      ? []
      : [
          [one, forms.one],
          [other, forms.other],
        ];
  });
  return [[MINIMUM, String(minimum)], [MAXIMUM, maximum === MOST_UNITS ? "" : String(maximum)], ...nouns];
}

function readNouns(form: Form): { unitName: UnitName | null; faults: Fault[] } {
  const rows = NOUNS.map((row) => ({ ...row, forms: { one: typed(form, row.one), other: typed(form, row.other) } }));
  const given = rows.filter(({ forms }) => forms.one !== "" || forms.other !== "");
  const faults = given.flatMap(({ one, other, forms }) => {
    const missing = forms.one === "" ? [one] : forms.other === "" ? [other] : [];
    return missing.map((name) => fault(name, "Enter both nouns of this language, or neither."));
  });
  const nouns = given.map(({ language, forms }): [string, UnitForms] => [language, forms]);
  return { unitName: nouns.length === 0 ? null : (Object.fromEntries(nouns) as UnitName), faults };
}

/** The limits and the nouns in the body of a request. A form without these fields says neither. */
export function readQuantity(form: Form): { body: object; faults: Fault[] } {
  if (!form.fields.has(MINIMUM)) return { body: {}, faults: [] };
  const quantity = { minimum: typedNumber(form, MINIMUM) ?? 1, maximum: typedNumber(form, MAXIMUM) };
  const { unitName, faults } = readNouns(form);
  return { body: { quantity, unitName }, faults };
}

/** The API names its own field. */
export const mendQuantity = (each: Fault): Fault =>
  each.code === "below_minimum" && each.pointer === "/quantity/maximum"
    ? { ...each, message: "Enter at least the smallest quantity." }
    : each;

const wholeOr = (form: Form, name: string, otherwise: number): number => {
  const read = typedNumber(form, name);
  return Number.isInteger(read) && Number(read) >= 1 && Number(read) <= MOST_UNITS ? Number(read) : otherwise;
};

/** The limits and the nouns as far as they are typed, for a picture. */
export function picturedQuantity(form: Form): Pick<Product, "quantityMinimum" | "quantityMaximum" | "unitName"> {
  const minimum = wholeOr(form, MINIMUM, 1);
  const { unitName, faults } = readNouns(form);
  return {
    quantityMinimum: minimum,
    quantityMaximum: Math.max(minimum, wholeOr(form, MAXIMUM, MOST_UNITS)),
    unitName: faults.length === 0 ? unitName : null,
  };
}

/** The limits of the quantity, and the nouns of a unit in each language. */
export function quantityFields(sent: Sent): Html {
  const limit = (name: string, label: string, mark?: string) =>
    textField(sent, name, {
      label,
      maxlength: QUANTITY_LENGTH,
      inputmode: "numeric",
      ...(mark !== undefined && { mark }),
    });
  const noun = (name: string, label: string) =>
    textField(sent, name, { label, maxlength: LONGEST_NOUN, mark: OPTIONAL });
  const isNamed = NOUNS.some(({ one, other }) => typed(sent, one) !== "" || typed(sent, other) !== "");
  return html`<fieldset class="prices"><legend>Quantity</legend>
<p class="hint">Each price is the price of one unit. Leave the largest quantity empty for
${new Intl.NumberFormat(ENGLISH.locale).format(MOST_UNITS)} units.</p>
<div class="pair">
${limit(MINIMUM, "Smallest quantity")}
${limit(MAXIMUM, "Largest quantity", OPTIONAL)}
</div>
<details class="more"${isNamed ? html` open` : ""}><summary>Noun of a unit</summary>
<p class="hint">Buyers read “5 seats” if the nouns are “seat” and “seats”. A language without nouns shows the English
ones.</p>
${NOUNS.map(
  ({ label, one, other }) => html`<div class="pair">
${noun(one, `One unit, in ${label}`)}
${noun(other, `Several units, in ${label}`)}
</div>`,
)}
</details>
</fieldset>`;
}

/** The quantities in which a Product is sold. Left out for a Product that is sold as one unit without a noun. */
export const quantityDefinition = (product: Product): Definition[] =>
  isSoldByQuantity(product) ? [["Quantity", rangeInWords(product)]] : [];
