import { html } from "hono/html";
import { addressLines } from "../../domain/tax/address-lines.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { TaxRate } from "../../domain/tax/tax.ts";
import type { Words } from "../../texts/words.ts";
import {
  BILLING_FIELDS,
  companyField,
  countryField,
  needsRegion,
  regionField,
  shownParts,
  streetFields,
  taxIdField,
  type BillingField,
  type BillingInput,
} from "../components/address-fields.ts";
import type { Html } from "../layout.ts";
import type { Faults, Typed } from "./form.ts";

/** The button for browsers without scripts. With scripts, each change of the place is sent at once. */
const update = (label: string) =>
  html`<button class="button other small" name="action" value="update" data-scriptless>${label}</button>`;

const BUSINESS = ["companyName", "taxId"] as const;
const STREET = ["line1", "line2", "postalCode", "city"] as const;

/** Whether a folded part of the form holds input or a fault, so that the page has to show it. */
const isUsed = ({ typed, faults }: BillingInput, names: readonly BillingField[]) =>
  names.some((name) => typed[name] !== "" || faults[name] !== undefined);

/** Whether the seller has a rate in the chosen country, so that the tax can depend on more than the country. */
const hasRate = (rates: readonly TaxRate[], { country }: Typed): boolean =>
  rates.some((rate) => rate.country === country);

/** A part of the form that is folded until it holds input or a fault. */
const folded = (label: string, isOpen: boolean, fields: readonly Html[]) =>
  html`<details class="more" ${isOpen ? html`open` : ""}>
<summary>${label}</summary>
${fields}
</details>`;

/** The company, and the tax id on which the tax can depend. */
const business = (words: Words, input: BillingInput) => html`${companyField(words, input)}
<div data-affects-total>
${taxIdField(words, input)}
</div>`;

/**
 * The region stands beside the country if the tax depends on it. Company and tax id are folded, unless the seller has a
 * rate in the country.
 */
function rated(words: Words, input: BillingInput & { typed: Typed }): Html {
  const { typed, faults, rates } = input;
  const isNeeded = needsRegion(rates, typed.country);
  const state = `${typed.country}|${typed.state === "" ? "" : (faults.state ?? "")}`;
  const street = [...STREET, ...(isNeeded ? [] : (["state"] as const))];
  const isRated = hasRate(rates, typed);
  const [always, more] = [business(words, input), streetFields(words, input, isNeeded ? ["state"] : [])];
  return html`<fieldset class="group">
<legend>${words.address.title}</legend>
<div data-affects-total>
${countryField(words, input, true)}
<div data-part="region" data-state="${state}">${isNeeded ? regionField(words, input) : ""}</div>
</div>
<div data-part="billing" data-state="${isRated ? "rated" : ""}">
${
  isRated
    ? html`${always}${folded(words.address.addFull, isUsed(input, street), [more])}`
    : folded(words.address.addBusiness, isUsed(input, [...BUSINESS, ...street]), [always, more])
}
</div>
${update(words.checkout.updateTotal)}
</fieldset>`;
}

/** Without tax rates no amount depends on the place, so all of it is optional. */
function unrated(words: Words, input: BillingInput): Html {
  return html`<details class="group more" ${isUsed(input, BILLING_FIELDS) ? html`open` : ""}>
<summary>${words.address.addBusiness}</summary>
${companyField(words, input)}
<div data-affects-total>
${countryField(words, input, false)}
${update(words.address.showFields)}
</div>
${streetFields(words, input)}
${taxIdField(words, input)}
</details>`;
}

/** The buyer's billing data: the part on which the tax depends, and the rest folded (rules C3g, C3m). */
export function billingFields(
  words: Words,
  rates: readonly TaxRate[],
  { typed, faults }: { typed: Typed; faults: Faults },
): Html {
  const input = { typed, faults, rates };
  return rates.length > 0 ? rated(words, input) : unrated(words, input);
}

/** The fields of `billingFields` in their order on the page. */
export function billingFieldOrder(words: Words, rates: readonly TaxRate[], typed: Typed): BillingField[] {
  if (rates.length === 0) return ["companyName", "country", ...shownParts(words, { typed, rates }), "taxId"];
  const region = needsRegion(rates, typed.country) ? (["state"] as const) : [];
  return ["country", ...region, "companyName", "taxId", ...shownParts(words, { typed, rates }, region)];
}

/** The billing data of a named Customer, as the invoice will show it. The page does not ask for it again. */
export function knownBilling(words: Words, { name, companyName, billingAddress, taxId }: Customer): Html | "" {
  if (billingAddress === null) return "";
  const country = words.country(billingAddress.country);
  const lines = [companyName, name, ...addressLines(billingAddress), country].filter((line) => line !== null);
  return html`<section class="group known" aria-labelledby="billing-address">
<h2 id="billing-address">${words.address.title}</h2>
<address>${lines.map((line) => html`<bdi>${line}</bdi>`)}</address>
${taxId === null ? "" : html`<p>${words.document.taxId.markup({ value: html`<bdi>${taxId.value}</bdi>` })}</p>`}
</section>`;
}
