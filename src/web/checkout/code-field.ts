import { html } from "hono/html";
import { discountOff } from "../../texts/phrases.ts";
import { field } from "../components/field.ts";
import type { Html } from "../layout.ts";
import type { Faults, Typed } from "./form.ts";
import type { View } from "./view.ts";

/**
 * Whether a discount code may be typed. A Checkout takes one code at most, and a changed Subscription keeps its
 * discount (rule X1).
 */
export function asksCode({ checkout, hasCodes }: View): boolean {
  return hasCodes && checkout.allowDiscountCodes && checkout.discount === null && checkout.change === null;
}

/** A field for a code, or the code that is applied; empty if the page shows neither. */
export function codeField(view: View, { typed, faults }: { typed: Typed; faults: Faults }): Html | "" {
  const { words } = view;
  const { checkout: texts } = words;
  const { discount, change, interval } = view.checkout;
  if (discount && !change) {
    return html`<div class="applied">
<p><bdi><strong>${discount.code}</strong></bdi> <span>${discountOff(words, discount, interval !== null)}</span></p>
<button class="button other small" name="action" value="remove"
aria-label="${texts.removeCode({ code: discount.code })}">${texts.remove}</button>
</div>`;
  }
  if (!asksCode(view)) return "";
  const input = {
    name: "code",
    label: texts.haveCode,
    inputmode: "text",
    autocomplete: "off",
    required: false,
    maxlength: 64,
  } as const;
  return html`<div class="applicable">
${field({ ...input, value: typed.code, fault: faults.code })}
<button class="button other small" name="action" value="apply" aria-label="${texts.applyCode}">${texts.apply}</button>
</div>`;
}
