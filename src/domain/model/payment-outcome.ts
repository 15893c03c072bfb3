/**
 * The fields of a card that may be shown, and `ref`, the provider's id of the card. `fingerprint` is the same whenever
 * the same card is given, and does not reveal the card's number.
 */
export type Card = {
  ref: string;
  fingerprint: string;
  type: "card";
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
};

/** The name of the built-in provider, and of its only account. */
export const SANDBOX = "sandbox";

/** The provider and its account where a card or a payment is kept. */
export type ProviderAccount = { provider: string; providerAccount: string };

/** A card that a provider accepted from a buyer. */
export type GivenCard = Card & ProviderAccount;

/** The buyer gives the card on the provider's own page, so the card is known only after the payment. */
export type HostedEntry = ProviderAccount & { hosted: true };

/** The buyer's way to pay: a card that was typed on our page, or the provider's own page. */
export type EnteredCard = GivenCard | HostedEntry;

/**
 * `Outcome<FailureCode>`: also of a payment that was decided without a call to the provider. `succeeded`: `card` is the
 * card that the buyer gave on the provider's page. `processing`: the provider has accepted the charge and has no
 * outcome yet. `refused`: the provider did not carry the request out, definitely, and not because of the buyer
 * (rule D9). `unknown`: a time-out, a 5xx, a lost connection. The charge may or may not have been made; only the
 * provider's `read` can tell (rule D2).
 */
export type Outcome<Code extends FailureCode = DeclineCode> =
  | { status: "succeeded"; card?: Card }
  | { status: "declined"; code: Code }
  | { status: "requires_action"; url: string }
  | { status: "processing" }
  | ProviderRefusal
  | { status: "unknown" };

/**
 * `account`: the provider refuses all requests of the account, so this call had no effect. An earlier call with the
 * same key may have had one. `charge`: the provider refuses this charge alone, and has not made it.
 */
export type ProviderRefusal =
  | { status: "refused"; scope: "account"; reason: AccountRefusal }
  | { status: "refused"; scope: "charge"; reason: ChargeRefusal };

export const ACCOUNT_REFUSALS = [
  "disconnected",
  "key_invalid",
  "permission_missing",
  "account_restricted",
  "copy",
] as const;

/**
 * `disconnected`: no key is stored for the account of the card or payment. `key_invalid`, `permission_missing`,
 * `account_restricted`: the provider's answers to the key. `copy`: this installation is a copy, so its charges are
 * held.
 */
export type AccountRefusal = (typeof ACCOUNT_REFUSALS)[number];
export const CHARGE_REFUSALS = [
  "amount_too_small",
  "amount_too_large",
  "currency_unsupported",
  "request_invalid",
] as const;
export type ChargeRefusal = (typeof CHARGE_REFUSALS)[number];

export type DeclineCode =
  | "card_declined"
  | "insufficient_funds"
  | "card_expired"
  | "processing_error"
  | "authentication_failed"
  | "canceled"
  | "card_lost"
  | "card_stolen"
  | "card_gone"
  | "account_closed"
  | "do_not_retry";

/**
 * The reason of a failed payment, from the provider. `card_disputed`: Billow did not call the provider (rule D6).
 * `provider_refused`: the provider refuses all charges of the account, and a buyer or caller waited. A ChargeRefusal:
 * the provider refuses this charge alone (rule D9).
 */
export type FailureCode = DeclineCode | "card_disputed" | Refused;
type Refused = "provider_refused" | ChargeRefusal;

/** The reasons of payments that failed without a fault of the buyer or the card (rule D9). */
export const REFUSALS: readonly Refused[] = ["provider_refused", ...CHARGE_REFUSALS];

/** Whether the payment failed without a fault of the buyer or the card (rule D9). */
export const isProviderRefusal = (code: FailureCode | null): code is Refused => REFUSALS.some((each) => each === code);

/**
 * Final declines: the bank will not charge this card any more, or advises not to try again (`do_not_retry`;
 * rule D3e).
 */
export const HARD_DECLINES: ReadonlySet<FailureCode> = new Set<DeclineCode>([
  "card_lost",
  "card_stolen",
  "card_gone",
  "account_closed",
  "do_not_retry",
]);
