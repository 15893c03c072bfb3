import type { OpenInvoice, Outlook } from "../../domain/subscription/outlook.ts";

/** The open invoices, oldest first. `held`: those that wait for an operator (rule D9). */
export function owedOf({ open }: Outlook): { owed: OpenInvoice[]; held: OpenInvoice[] } {
  const isHeld = ({ invoice }: OpenInvoice) => invoice.heldReason !== null;
  return { owed: open.filter((each) => !isHeld(each)), held: open.filter(isHeld) };
}
