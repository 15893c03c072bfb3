import { ADDRESS_PARTS } from "../../domain/tax/address-form.ts";
import type { Address } from "../../domain/tax/address.ts";
import type { TaxRate } from "../../domain/tax/tax.ts";
import type { Words } from "../../texts/words.ts";
import { needsRegion, partsOf } from "./address-fields.ts";
import { asInForm } from "./read-billing.ts";

/**
 * A typed address with the parts of the known one that the form of the country has no field for. Such parts came from
 * elsewhere, and stay within the country.
 */
export function withUnasked(
  words: Words,
  rates: readonly TaxRate[],
  stored: Address | null,
  address: Address,
): Address {
  const known = asInForm(stored);
  if (known?.country !== address.country) return address;
  const asked = partsOf(words, address.country);
  const isAsked = (part: (typeof ADDRESS_PARTS)[number]) =>
    asked.includes(part) || (part === "state" && needsRegion(rates, address.country));
  const others = ADDRESS_PARTS.filter((part) => !isAsked(part)).map((part) => [part, known[part]]);
  return { ...address, ...(Object.fromEntries(others) as Partial<Address>) };
}
