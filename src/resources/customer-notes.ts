import type { CustomerExportList } from "./export.ts";

// A seller's team writes notes and metadata for its own records. No page and no document shows them to a Customer, so
// the file that a Customer downloads lacks them, too.

/** The fields with notes, by the first word of an event's type. Each may be null. */
const NOTES_IN_EVENTS: Record<string, readonly string[]> = {
  invoice: ["paymentNote", "voidReason"],
  refund: ["reason"],
};
const NOTES: Partial<Record<CustomerExportList, readonly string[]>> = {
  balanceEntries: ["note"],
  invoices: NOTES_IN_EVENTS["invoice"]!,
  refunds: NOTES_IN_EVENTS["refund"]!,
};

type Line = Record<string, unknown>;

function blank(line: Line, notes: readonly string[] = []): Line {
  const blanked = { ...line };
  for (const field of notes) blanked[field] = null;
  if ("metadata" in line) blanked["metadata"] = {};
  // A grant shows its Benefit.
  if ("benefit" in line) blanked["benefit"] = { ...(line["benefit"] as Line), metadata: {} };
  return blanked;
}

/**
 * A Customer, or a line of a list of a Customer's export, without the notes and the metadata of the seller's team. The
 * metadata of a device come from the Customer's own software, and stay.
 */
export function withoutNotes(of: "customer" | CustomerExportList, line: object): object {
  if (of === "licenseActivations") return line;
  if (of === "customer") return blank(line as Line);
  if (of !== "events") return blank(line as Line, NOTES[of]);
  const { type, data } = line as { type: string; data: Line };
  return { ...line, data: blank(data, NOTES_IN_EVENTS[type.split(".")[0]!]) };
}
