import type { Product } from "../../domain/model/product.ts";
import { limitsOf } from "../../domain/model/product.ts";
import { isOffered, unitWord, type QuantityRange, type UnitName } from "../../domain/model/quantity.ts";
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import { languageOf } from "../../texts/language.ts";
import { unitsOf } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { field } from "../components/field.ts";
import type { Html } from "../layout.ts";

/** The longest text of a quantity: 100000, and spaces around it. */
const LONGEST = 12;
const WHOLE = /^\d{1,6}$/;

/** The limits of a quantity, for a text: `2` and `50 seats`. */
export const rangeWords = (words: Words, { minimum, maximum }: QuantityRange, unitName: UnitName | null) => ({
  minimum: unitsOf(words, { quantity: minimum, unitName: null }),
  maximum: unitsOf(words, { quantity: maximum, unitName }),
});

/** The typed quantity; null: the text is no number, or the Product is not sold in this quantity (rules Q1, Q9a). */
export function readQuantity(product: Product, typed: string): number | null {
  const quantity = WHOLE.test(typed) ? Number(typed) : 0;
  return isOffered(limitsOf(product), quantity) ? quantity : null;
}

/** The fault of a quantity beyond the limits of the Product (rule Q1). */
export const limitsFault = (words: Words, product: Product): string =>
  words.fault.quantityWrong(rangeWords(words, limitsOf(product), product.unitName));

/** The fault of the field, in words; null: another quantity does not mend the refusal. */
export function quantityFault(words: Words, product: Product, refusal: Refusal): string | null {
  if (isRefusal(refusal, "quantity_not_offered")) return limitsFault(words, product);
  if (isRefusal(refusal, "quantity_too_expensive")) return words.fault.quantityTooDear;
  return isRefusal(refusal, "amount_below_minimum") ? words.plan.quantityTooSmall : null;
}

/** The field for a quantity of the Product, with its limits. `form`: the id of the form, if the field is outside it. */
export function quantityField(
  words: Words,
  product: Product,
  { value, fault, form }: { value: string; fault?: string | undefined; form?: string },
): Html {
  const { checkout } = words;
  const limits = limitsOf(product);
  const unit = unitWord(product.unitName, limits.maximum, languageOf(words.locale));
  return field({
    name: "quantity",
    label: unit === null ? checkout.quantity : checkout.quantityIn({ unit }),
    inputmode: "numeric",
    autocomplete: "off",
    required: true,
    maxlength: LONGEST,
    value,
    hint: checkout.quantityLimits(rangeWords(words, limits, product.unitName)),
    fault,
    form,
  });
}
