import type { Effect } from "../../../../domain/collection/effect.ts";
import type { Html } from "../../../layout.ts";
import { hiddenValues, typed, type Sent } from "../../sent-form.ts";

const BALANCE = "balance";

/** The hidden field with the balance of the page, in minor units. `effect`: of a deed that changes the balance. */
export function balanceField({ balances }: Effect, currency: string): Html {
  const before = balances.find((each) => each.currency === currency)?.before ?? 0;
  return hiddenValues({ [BALANCE]: String(before) });
}

/** The balance of the page that was sent. NaN, if there is none, is no balance. */
export function seenBalance(sent: Sent): number {
  const text = typed(sent, BALANCE);
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Own words for the refusal of a deed whose page showed another balance. */
export const BALANCE_WORDS = {
  precondition_failed: "The balance has changed since this page was shown. Check the effect again.",
} as const;
