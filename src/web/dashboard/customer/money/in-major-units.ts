import { AppError, type ErrorCode, type Fault } from "../../../../errors.ts";
import { moneyText } from "../../components/cells.ts";

const NONE_LEFT = "No amount can be refunded now. The credit is spent, reserved or written off, or a dispute holds it.";
const upTo = (sentence: (available: string) => string) => (available: string | null) =>
  available === null ? NONE_LEFT : sentence(available);

/** Own sentences for errors of the API. `available`: the amount that the error names; null for 0. */
const SENTENCES: Partial<Record<ErrorCode, (available: string | null) => string>> = {
  credited: upTo(
    (
      available,
    ) => `This invoice was credited to the balance. Up to ${available} can still be refunded. Billow then deducts the
refund from the balance.`,
  ),
  credit_spent: upTo(
    (available) => `A part of this amount was credited to the balance, and this credit is spent. Up to
${available} can be refunded.`,
  ),
  nothing_to_refund: () => "The whole amount is refunded, being refunded or disputed.",
  invoice_not_paid: () => "Only a paid invoice can be refunded.",
  payment_unknown: () => "The outcome of the charge is not known yet. Try again in a minute.",
  change_in_progress: () => "A change of the Subscription is being paid. Try again when it is settled.",
  nothing_to_pay_out: () =>
    "There is no credit to pay out. Granted credit, held credit and credit that a payment in progress reserves stay " +
    "on the balance.",
  invoice_not_open: () => "The invoice is no longer open: it was paid or voided.",
  payment_in_progress: () => "A payment of this invoice is under way. Try again in a minute.",
  precondition_failed: () => "The invoice has changed since this page was shown. Check the effect again.",
  payment_provider_missing: () => "No payment provider is connected, so no card can be charged.",
  payment_method_required: () =>
    "The Customer has no card that can be charged. The buyer can pay on the page of the invoice.",
  payment_action_required: () =>
    "The bank wants the buyer to confirm the charge. The invoice stays open until the buyer has confirmed it.",
};

/** Every number in a fault about the amount of a refund, a payout or an adjustment is an amount in minor units. */
const inSentence = (message: string, currency: string) =>
  message.replaceAll("`", "").replace(/\b\d+\b/g, (digits) => moneyText(Number(digits), currency));

const inFault = (fault: Fault, currency: string): Fault =>
  fault.pointer === "/amount" ? { ...fault, message: inSentence(fault.message, currency) } : fault;

/** The same refusal in words for a person: amounts in the major unit, and no names of fields. */
export function inMajorUnits(error: AppError, currency: string): AppError {
  const { errors, extra } = error.parts;
  const available = extra?.available;
  const sentence = SENTENCES[error.code]?.(
    typeof available === "number" && available > 0 ? moneyText(available, currency) : null,
  );
  return new AppError(error.code, {
    ...error.parts,
    ...(sentence !== undefined && { detail: sentence }),
    ...(errors && { errors: errors.map((each) => inFault(each, currency)) }),
  });
}

/** Runs a deed or its preview. @throws AppError in words for a person */
export async function inWords<T>(currency: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof AppError ? inMajorUnits(error, currency) : error;
  }
}
