import * as z from "zod";
import { formatInstant } from "../domain/calendar.ts";
import { lineTotal } from "../domain/model/invoice.ts";
import type { ChangePreview } from "../domain/model/plan-change.ts";
import type { NextInvoicePreview } from "../domain/subscription/preview-next-invoice.ts";
import { amount, timestamp } from "./fields.ts";
import { InvoiceLineResource, presentLineDraft } from "./invoice.ts";

const { id: _unsaved, ...lineFields } = InvoiceLineResource.shape;
const line = z.object(lineFields).meta({ id: "PreviewLine" });
const nextInvoice = z.object({ date: timestamp, lines: z.array(line), totalAmount: amount }).nullable();

/** The effect of a PATCH of the Subscription, or of `cancel-now`, line by line (rule P8). */
export const ChangePreviewResource = z
  .object({
    lines: z.array(line),
    chargeAmount: amount.meta({ description: "The amount that would be charged now." }),
    balanceChange: amount.meta({ description: "Positive: the Customer has credit." }),
    effectiveAt: timestamp,
    nextInvoice,
  })
  .meta({ id: "ChangePreview" });
export type ChangePreviewResource = z.infer<typeof ChangePreviewResource>;

/** The effect of a change that bills no line by itself, on the next invoice (rules S9, X4). */
export const NextInvoicePreviewResource = z
  .object({
    before: nextInvoice.meta({ description: "The next invoice without the change. Null: there is none." }),
    after: nextInvoice.meta({ description: "The next invoice after the change. Null: there is none." }),
  })
  .meta({ id: "NextInvoicePreview" });
export type NextInvoicePreviewResource = z.infer<typeof NextInvoicePreviewResource>;

const presentNextInvoice = (next: ChangePreview["nextInvoice"]) =>
  next && {
    date: formatInstant(next.at),
    lines: next.lines.map(presentLineDraft),
    totalAmount: next.lines.reduce((sum, each) => sum + lineTotal(each), 0),
  };

export function presentChangePreview(preview: ChangePreview): ChangePreviewResource {
  const { lines, chargeAmount, balanceChange, effectiveAt } = preview;
  return {
    lines: lines.map(presentLineDraft),
    chargeAmount,
    balanceChange,
    effectiveAt: formatInstant(effectiveAt),
    nextInvoice: presentNextInvoice(preview.nextInvoice),
  };
}

export const presentNextInvoicePreview = ({ before, after }: NextInvoicePreview): NextInvoicePreviewResource => ({
  before: presentNextInvoice(before),
  after: presentNextInvoice(after),
});
