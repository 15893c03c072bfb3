import type { Amount } from "../money.ts";
import { newPaymentsAt } from "../model/organization.ts";
import { roundedDown, type ChargeLimits } from "../model/charge-limits.ts";
import type { CustomerBilling } from "./customer-billing.ts";

/** The amounts of a currency that the provider of new payments charges (rule M5). */
export function limitsIn(
  { organization, loaded }: Pick<CustomerBilling, "loaded" | "organization">,
  currency: string,
): ChargeLimits {
  return loaded.limitsAt(newPaymentsAt(organization).provider, currency);
}

/** The step of refunds of a charge, in minor units: that of the charge's own provider (rule M5). */
export function stepOfCharge(
  billing: Pick<CustomerBilling, "loaded" | "need" | "payments">,
  paymentId: string,
): Amount {
  if (!billing.payments.get(paymentId)) billing.need({ part: "payment", id: paymentId });
  const charge = billing.payments.get(paymentId);
  if (!charge) throw new Error(`no payment ${paymentId}`);
  return billing.loaded.limitsAt(charge.provider, charge.currency).step;
}

/** The part of an amount that can be refunded to the card of a charge: the largest multiple of the step (rule M5). */
export const refundablePart = (
  billing: Pick<CustomerBilling, "loaded" | "need" | "payments">,
  paymentId: string,
  amount: Amount,
): Amount => roundedDown(amount, stepOfCharge(billing, paymentId));
