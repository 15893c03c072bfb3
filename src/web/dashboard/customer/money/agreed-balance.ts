import type { Effect } from "../../../../domain/collection/effect.ts";
import { typed, type Sent } from "../../sent-form.ts";

const BALANCE = "balance";

/** The balance that a page shows, in minor units, as the value of its hidden field. */
export function balanceValue({ balances }: Effect, currency: string): Record<string, string> {
  const before = balances.find((each) => each.currency === currency)?.before ?? 0;
  return { [BALANCE]: String(before) };
}

/** The balance of the page that was sent. NaN, if there is none, is no balance. */
export function agreedBalance(sent: Sent): number {
  const text = typed(sent, BALANCE);
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
