import type { LineTax } from "../domain/tax/tax.ts";

const REVERSE_CHARGE_NOTE = "Reverse charge: the tax is to be accounted for by the recipient.";

/** The note on an invoice with reverse charge, and on prices that contained the tax; null for other invoices. */
export function taxNoteOf(taxes: readonly (LineTax | null)[]): string | null {
  if (taxes.some((tax) => tax?.takenOut)) return `Prices exclude tax. ${REVERSE_CHARGE_NOTE}`;
  return taxes.some((tax) => tax?.reverseCharge) ? REVERSE_CHARGE_NOTE : null;
}
