import { html } from "hono/html";
import type { Checkout } from "../../domain/model/checkout.ts";
import { unitWord, type QuantityRange } from "../../domain/model/quantity.ts";
import { languageOf } from "../../texts/language.ts";
import { unitsOf } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { field } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { asksQuantity, type Faults, type Typed } from "./form.ts";
import type { View } from "./view.ts";

/** The limits of the quantity in words: `2 to 50 seats`. */
const limitsIn = (words: Words, { minimum, maximum }: QuantityRange, unitName: Checkout["unitName"]) => ({
  minimum: unitsOf(words, { quantity: minimum, unitName: null }),
  maximum: unitsOf(words, { quantity: maximum, unitName }),
});

/** The fault of a quantity beyond the limits, with the limits. */
export function limitsFault(words: Words, { quantityChange, unitName }: Checkout): string {
  return words.fault.quantityWrong(limitsIn(words, quantityChange!, unitName));
}

/** The field for another quantity, where the buyer may choose one (rule Q3). Empty if the quantity is fixed. */
export function quantityField(view: View, { typed, faults }: { typed: Typed; faults: Faults }): Html | "" {
  const { words, checkout } = view;
  if (!asksQuantity(checkout)) return "";
  const { checkout: texts } = words;
  const { quantity, unitName, quantityChange } = checkout;
  const unit = unitWord(unitName, quantityChange!.maximum, languageOf(words.locale));
  const input = {
    name: "quantity",
    label: unit === null ? texts.quantity : texts.quantityIn({ unit }),
    inputmode: "numeric",
    autocomplete: "off",
    required: true,
    maxlength: 12,
    value: typed.quantity,
    hint: texts.quantityLimits(limitsIn(words, quantityChange!, unitName)),
    fault: faults.quantity,
  } as const;
  return html`<div class="group" data-part="quantity" data-state="${quantity} ${faults.quantity ?? ""}">
<div class="applicable" data-affects-total="quantity">
${field(input)}
<button class="button other small" name="action" value="quantity" aria-label="${texts.updateQuantity}"
 data-scriptless>${texts.update}</button>
</div>
</div>`;
}
