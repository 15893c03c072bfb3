import type { DeclineCode } from "../domain/model/payment-outcome.ts";
import type { CardDetails, CardFault, Charge } from "./provider.ts";

/**
 * `account_refused`: the provider refused all charges of the account when it got this charge. A repetition makes the
 * charge once the provider takes charges again. `charge_refused`: the provider refused this charge alone.
 * `processing`: the provider has no outcome until the charge was read once.
 */
export type ChargeStatus =
  | "pending_action"
  | "succeeded"
  | "declined"
  | "account_refused"
  | "charge_refused"
  | "processing";

export type Behavior =
  | "pays"
  | "card_declined"
  | "insufficient_funds"
  | "card_expired"
  | "fails_later"
  | "authenticates"
  | "processing_error"
  | "answer_lost"
  | "refund_fails"
  | "account_refused"
  | "charge_refused"
  | "processing"
  /** The bank has ended the card. */
  | "card_gone";

/** A card number that the sandbox accepts, grouped for reading. */
export type SandboxCard = { number: string; last4: string; behavior: Exclude<Behavior, "card_gone"> };

/** Every number that the sandbox accepts. Any other number is refused, so that no real card ends up here. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: "4242 4242 4242 4242", last4: "4242", behavior: "pays" },
  { number: "4000 0566 5566 5556", last4: "5556", behavior: "pays" },
  { number: "4000 0000 0000 0002", last4: "0002", behavior: "card_declined" },
  { number: "4000 0000 0000 9995", last4: "9995", behavior: "insufficient_funds" },
  { number: "4000 0000 0000 0069", last4: "0069", behavior: "card_expired" },
  { number: "4000 0000 0000 0341", last4: "0341", behavior: "fails_later" },
  { number: "4000 0000 0000 3220", last4: "3220", behavior: "authenticates" },
  { number: "4000 0000 0000 0119", last4: "0119", behavior: "processing_error" },
  { number: "4000 0000 0000 0507", last4: "0507", behavior: "answer_lost" },
  { number: "4000 0000 0000 5126", last4: "5126", behavior: "refund_fails" },
  { number: "4000 0000 0000 4012", last4: "4012", behavior: "account_refused" },
  { number: "4000 0000 0000 4228", last4: "4228", behavior: "charge_refused" },
  { number: "4000 0000 0000 2024", last4: "2024", behavior: "processing" },
];

const digits = (number: string) => number.replace(/[\s-]/g, "");

/** The sandbox card that was typed, or the first fault in the input. `now` is real time, in epoch milliseconds. */
export function recognizeCard(typed: CardDetails, now: number): { known: SandboxCard } | { fault: CardFault } {
  const known = SANDBOX_CARDS.find(({ number }) => digits(number) === digits(typed.number));
  if (!known) {
    const message = "A sandbox takes only its test cards, such as 4242 4242 4242 4242. Never type a real card here.";
    return { fault: { field: "number", code: "card_number_invalid", message } };
  }
  if (!isUnexpired(typed, now)) {
    return {
      fault: {
        field: "expiry",
        code: "card_expired",
        message: "Give a month that is not in the past, such as 12 and next year.",
      },
    };
  }
  if (!/^\d{3,4}$/.test(typed.cvc)) {
    return { fault: { field: "cvc", code: "cvc_invalid", message: "The security code has 3 or 4 digits." } };
  }
  return { known };
}

/** A card is valid until its month ends at UTC−12, the last time zone: noon UTC on the first of the next month. */
function isUnexpired({ expMonth, expYear }: CardDetails, now: number): boolean {
  const isMonth =
    Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12 && Number.isInteger(expYear) && expYear <= 9999;
  return isMonth && now < Date.UTC(expYear, expMonth, 1, 12);
}

/** The bank's outcome when the card is saved (`amount` 0, in the buyer's presence) or charged. */
export function decide(
  behavior: Behavior,
  { presence, amount }: Pick<Charge, "presence" | "amount">,
): Exclude<ChargeStatus, "declined"> | DeclineCode {
  switch (behavior) {
    case "pays":
    case "answer_lost":
    case "refund_fails":
      return "succeeded";
    case "fails_later":
      return presence === "buyer" ? "succeeded" : "card_declined";
    case "authenticates":
      return "pending_action";
    case "account_refused":
    case "charge_refused":
    case "processing":
      return amount === 0 ? "succeeded" : behavior;
    default:
      return behavior;
  }
}
