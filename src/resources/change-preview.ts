import * as z from "zod";
import { formatInstant } from "../domain/calendar.ts";
import type { ChangePreview } from "../domain/model/plan-change.ts";
import { lineTotal } from "../domain/model/invoice.ts";
import { amount, timestamp } from "./fields.ts";
import { InvoiceLineResource, presentLineDraft } from "./invoice.ts";

const { id: _unsaved, ...lineFields } = InvoiceLineResource.shape;
const line = z.object(lineFields).meta({ id: "PreviewLine" });

/** The effect of a PATCH of the Subscription, or of `cancel-now`, line by line (rule P8). */
export const ChangePreviewResource = z
  .object({
    lines: z.array(line),
    chargeAmount: amount.meta({ description: "The amount that would be charged now." }),
    balanceChange: amount.meta({ description: "Positive: the Customer has credit." }),
    effectiveAt: timestamp,
    nextInvoice: z.object({ date: timestamp, lines: z.array(line), totalAmount: amount }).nullable(),
  })
  .meta({ id: "ChangePreview" });
export type ChangePreviewResource = z.infer<typeof ChangePreviewResource>;

export function presentChangePreview(preview: ChangePreview): ChangePreviewResource {
  const { lines, chargeAmount, balanceChange, effectiveAt, nextInvoice } = preview;
  return {
    lines: lines.map(presentLineDraft),
    chargeAmount,
    balanceChange,
    effectiveAt: formatInstant(effectiveAt),
    nextInvoice: nextInvoice && {
      date: formatInstant(nextInvoice.at),
      lines: nextInvoice.lines.map(presentLineDraft),
      totalAmount: nextInvoice.lines.reduce((sum, each) => sum + lineTotal(each), 0),
    },
  };
}
