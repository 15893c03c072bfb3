import * as z from "zod";
import { amount, timestamp } from "./fields.ts";
import { InvoiceLineResource } from "./invoice.ts";

const { id: _unsaved, ...lineFields } = InvoiceLineResource.shape;
const line = z.object(lineFields).meta({ id: "PreviewLine" });

/** The effect of a PATCH of the Subscription, or of `cancel-now`, line by line (rule P8). */
export const ChangePreviewResource = z
  .object({
    lines: z.array(line),
    chargeAmount: amount.meta({ description: "What would be charged now." }),
    balanceChange: amount.meta({ description: "Positive in the Customer's favour." }),
    effectiveAt: timestamp,
    nextInvoice: z.object({ date: timestamp, lines: z.array(line), totalAmount: amount }).nullable(),
  })
  .meta({ id: "ChangePreview" });
export type ChangePreviewResource = z.infer<typeof ChangePreviewResource>;
