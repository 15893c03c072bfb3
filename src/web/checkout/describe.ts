import { HTTPException } from "hono/http-exception";
import { applyCode, chooseQuantity, dropDiscount, locateBuyer } from "../../actions/checkout/describe-purchase.ts";
import type { Context } from "../../context.ts";
import { discountCode } from "../../resources/discount.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { Billing, TaxRate } from "../../domain/tax/tax.ts";
import { readBilling, type ReadBilling } from "../components/read-billing.ts";
import type { PageContext } from "../environment.ts";
import { RequestLimit } from "../guards.ts";
import { asksCode } from "./code-field.ts";
import { asksQuantity, typedQuantity, type Faults } from "./form.ts";
import { limitsFault } from "./quantity-field.ts";
import type { View } from "./view.ts";

/** The actions of the form's buttons, except for the button that pays. */
export const ACTIONS = ["update", "quantity", "apply", "remove"] as const;
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

const NOTHING_READ: ReadBilling = { taxFaults: {}, otherFaults: {}, billing: null };

/**
 * The part of the billing data on which the tax depends. The row of a Checkout that is never paid holds no more
 * ([why](../../../docs/decisions/0052-a-browser-remembers-its-checkout.md)).
 */
function taxableBilling(billing: Billing | null, rates: readonly TaxRate[]): Billing | null {
  if (!billing?.address || rates.length === 0) return null;
  const { country, state } = billing.address;
  const address = { country, line1: null, line2: null, postalCode: null, city: null, state };
  return { address, taxId: billing.taxId, companyName: null };
}

/**
 * Stores the typed place on the Checkout if the place is valid: the tax of the page depends on the place. Returns the
 * typed billing data and their faults. If the page does not ask for the data, all are empty.
 */
export async function describeBilling(ctx: Context, view: View, form: URLSearchParams): Promise<ReadBilling> {
  if (!view.asksBilling) return NOTHING_READ;
  const { checkout, organization, words } = view;
  const { taxRates: rates } = organization;
  const read = readBilling(words, form, { rates, required: rates.length > 0 });
  const isValid = Object.keys(read.taxFaults).length === 0;
  const taxable = taxableBilling(read.billing, rates);
  if (isValid && !sameJson(taxable, checkout.billing)) await locateBuyer(ctx, checkout, taxable);
  return read;
}

/** The faults of the place that a buyer can see. The field for a region comes only after the country. */
export function seenFaults({ taxFaults }: ReadBilling, form: URLSearchParams): Faults {
  const { state, ...others } = taxFaults;
  return state === undefined || (form.get("state") ?? "").trim() === "" ? others : taxFaults;
}

/** The result of a typed quantity. `isNew`: the Checkout has another quantity than before. */
export type Chosen = { isNew: boolean; fault: string | null };

const NOT_CHOSEN: Chosen = { isNew: false, fault: null };

/** Sets the quantity that the buyer typed, if the buyer may choose one (rule Q3). */
export async function describeQuantity(ctx: Context, view: View, form: URLSearchParams): Promise<Chosen> {
  const { words, checkout } = view;
  const quantity = typedQuantity(form);
  if (!asksQuantity(checkout) || quantity === null || quantity === checkout.quantity) return NOT_CHOSEN;
  if (Number.isNaN(quantity)) return { isNew: false, fault: limitsFault(words, checkout) };
  const refusal = await chooseQuantity(ctx, checkout, quantity);
  if (refusal === null) return { isNew: true, fault: null };
  const { fault, refusedCode } = words;
  if (isRefusal(refusal, "discount_refused")) return { isNew: false, fault: refusedCode.discount_below_minimum };
  const isTooDear = isRefusal(refusal, "quantity_too_expensive");
  return { isNew: false, fault: isTooDear ? fault.quantityTooDear : limitsFault(words, checkout) };
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
