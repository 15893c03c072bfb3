import { CURRENCIES } from "../../../src/domain/currency.ts";
import type {
  Card,
  ChargeRefusal,
  DeclineCode,
  Outcome,
  ProviderRefusal,
} from "../../../src/domain/model/payment-outcome.ts";
import type { AmountLimits } from "../../../src/payments/connectable-provider.ts";
import type { AcornFault } from "./client.ts";
import type { AcornCard, AcornCharge, AcornRefund } from "./objects.ts";

const TAKEN = new Set(["eur", "gbp", "jpy", "usd"]);

/** Acorn takes four currencies, from 0.50 to 999,999.99 of each, or from 50 to 99,999,999 without decimals. */
export function amountsOf(currency: string): AmountLimits | null {
  return TAKEN.has(currency) ? { least: 50, most: 99_999_999, step: 1 } : null;
}

/** Minor units as Acorn writes amounts: 1250 usd are "12.50", and 1250 jpy are "1250". */
export function toDecimal(amount: number, currency: string): string {
  const decimals = CURRENCIES.get(currency)!;
  const digits = String(amount).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** @throws Error for an amount without the decimals of the currency, so that no amount is off by a factor */
export function fromDecimal(text: string, currency: string): number {
  const amount = Number(text.replace(".", ""));
  const isExact = Number.isSafeInteger(amount) && amount >= 0 && toDecimal(amount, currency) === text;
  if (!isExact) throw new Error(`${text} is no amount in ${currency}`);
  return amount;
}

const DECLINES: Readonly<Record<string, DeclineCode>> = {
  no_funds: "insufficient_funds",
  expired: "card_expired",
  try_again: "processing_error",
  not_authenticated: "authentication_failed",
  canceled: "canceled",
  lost: "card_lost",
  stolen: "card_stolen",
  removed: "card_gone",
  closed: "account_closed",
};
const CHARGE_REFUSALS: Readonly<Record<string, ChargeRefusal>> = {
  too_small: "amount_too_small",
  too_large: "amount_too_large",
  currency: "currency_unsupported",
};

/** The refusals of the account pause all of its charges. The refusals of a charge hold one invoice. */
export function refusalOf({ status, code }: AcornFault): ProviderRefusal {
  if (status === 401) return { status: "refused", scope: "account", reason: "key_invalid" };
  if (status === 403)
    return {
      status: "refused",
      scope: "account",
      reason: code === "suspended" ? "account_restricted" : "permission_missing",
    };
  return { status: "refused", scope: "charge", reason: CHARGE_REFUSALS[code] ?? "request_invalid" };
}

export const cardOf = ({ id, fingerprint, brand, last4, month, year }: AcornCard): Card => {
  return { ref: id, fingerprint, type: "card", brand, last4, expMonth: month, expYear: year };
};

/** Only a card that the buyer gave on Acorn's page is new to Billow. */
export function outcomeOf({ status, code, url, page, card }: AcornCharge): Outcome {
  switch (status) {
    case "succeeded":
      return page ? { status, card: cardOf(card!) } : { status };
    case "declined":
      return { status, code: DECLINES[code ?? ""] ?? "card_declined" };
    case "waiting":
      return { status: "requires_action", url: url! };
    case "processing":
      return { status };
  }
}

export function refundOutcome({ status }: AcornRefund): Outcome {
  return status === "failed" ? { status: "declined", code: "card_declined" } : { status };
}
