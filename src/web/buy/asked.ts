import type { AskedOffer } from "../../domain/checkout/link-offer.ts";
import type { Locale } from "../../domain/locale.ts";
import { discountCode } from "../../resources/discount.ts";
import { currency, email, locale, text } from "../../resources/fields.ts";
import { quantity } from "../../resources/quantity.ts";
import { shownAgain } from "../components/field.ts";

/** The values that an address or a form of a payment link asks for. */
export type Asked = AskedOffer & {
  discount: string | null;
  lang: Locale | null;
  email: string | null;
  reference: string | null;
};
export type AskedName = keyof Asked;

/** The names of the values, as they stand in an address. */
export const ASKED = ["product", "quantity", "currency", "discount", "lang", "email", "reference"] as const;

type Schema<Value> = { safeParse(value: unknown): { success: true; data: Value } | { success: false } };

/** Digits of any width: a Japanese keyboard often types wide ones. */
function readQuantity(typed: string): number | null {
  const digits = typed.normalize("NFKC");
  const read = /^\d{1,9}$/.test(digits) ? quantity.safeParse(Number(digits)) : null;
  return read?.success ? read.data : null;
}

/**
 * The values of an address or a form. A value of the wrong form counts as absent: the page names it in `malformed` and
 * shows its usual offer.
 */
export function readAsked(values: URLSearchParams): { asked: Asked; malformed: AskedName[] } {
  const malformed: AskedName[] = [];
  const read = <Value>(name: AskedName, parse: (typed: string) => Value | null): Value | null => {
    const typed = (values.get(name) ?? "").trim();
    if (typed === "") return null;
    const value = parse(typed);
    if (value === null) malformed.push(name);
    return value;
  };
  const by =
    <Value>(schema: Schema<Value>) =>
    (typed: string): Value | null => {
      const parsed = schema.safeParse(typed);
      return parsed.success ? parsed.data : null;
    };
  const asked = {
    product: read("product", by(text(64))),
    quantity: read("quantity", readQuantity),
    currency: read("currency", by(currency)),
    discount: read("discount", by(discountCode)),
    lang: read("lang", by(locale)),
    email: read("email", by(email)),
    reference: read("reference", by(text(200))),
  };
  return { asked, malformed };
}

/** The values as a page may show them again, without the product and the quantity that each form has itself. */
export function carried(asked: Asked): [name: AskedName, value: string][] {
  return ASKED.flatMap((name): [AskedName, string][] => {
    const value = asked[name];
    return name === "product" || name === "quantity" || value === null ? [] : [[name, String(value)]];
  });
}

/** A value of the address as the page quotes it. */
export const quoted = (values: URLSearchParams, name: AskedName): string =>
  [...shownAgain(values.get(name) ?? "")].slice(0, 40).join("");
