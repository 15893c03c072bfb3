import { HTTPException } from "hono/http-exception";
import { applyCode, dropDiscount, locateBuyer } from "../../actions/checkout/describe-purchase.ts";
import type { Context } from "../../context.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import { discountCode } from "../../resources/discount.ts";
import type { PageContext } from "../environment.ts";
import { RequestLimit } from "../guards.ts";
import { asksCode } from "./code-field.ts";
import { readPlace, type Faults } from "./form.ts";
import type { View } from "./view.ts";

/** The actions of the form's buttons, except for the button that pays. */
export const ACTIONS = ["update", "apply", "remove"] as const;
export type Action = (typeof ACTIONS)[number];

const MOST_CODES = 10;

/**
 * Limits the codes that may be tried in a minute, for each address and for each Checkout: codes are short enough to
 * be guessed.
 */
export class Guesses {
  readonly #byAddress = new RequestLimit(MOST_CODES);
  readonly #byCheckout = new RequestLimit(MOST_CODES);

  /** Whether another code may be tried. */
  take(c: PageContext, checkoutId: string): boolean {
    try {
      this.#byAddress.count(c.env.client);
      this.#byCheckout.count(checkoutId);
      return true;
    } catch (error) {
      if (error instanceof HTTPException) return false;
      throw error;
    }
  }
}

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Stores the typed place on the Checkout if the place is valid. Returns the place and its faults. If the page does not
 * ask for the place, both are empty.
 */
export async function describePlace(
  ctx: Context,
  view: View,
  form: URLSearchParams,
): Promise<{ faults: Faults; billing: Billing | null }> {
  if (!view.asksPlace) return { faults: {}, billing: null };
  const { checkout, organization } = view;
  const place = readPlace(view.words, form, organization.taxRates);
  if (place.billing && !sameJson(place.billing, checkout.billing)) await locateBuyer(ctx, checkout, place.billing);
  return place;
}

/** Applies the typed code. Returns its fault as a sentence. Null: the code is applied, or the page takes no code. */
export async function describeCode(
  ctx: Context,
  c: PageContext,
  view: View,
  form: URLSearchParams,
  guesses: Guesses,
): Promise<string | null> {
  if (!asksCode(view)) return null;
  const { fault, refusedCode } = view.words;
  const typed = (form.get("code") ?? "").trim();
  if (typed === "") return fault.codeMissing;
  if (!guesses.take(c, view.checkout.id)) return fault.codeGuesses;
  const code = discountCode.safeParse(typed);
  if (!code.success) return fault.codeUnknown;
  const refused = await applyCode(ctx, view.checkout, code.data);
  return refused && refusedCode[refused];
}

export async function describeNoCode(ctx: Context, { checkout }: View): Promise<void> {
  if (checkout.discount && !checkout.change) await dropDiscount(ctx, checkout);
}
