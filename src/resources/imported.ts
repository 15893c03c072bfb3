import * as z from "zod";
import { IMPORT_SOURCES, type ImportedFrom } from "../domain/model/imported.ts";

export const imported = z
  .object({
    source: z.enum(IMPORT_SOURCES),
    reference: z.string().meta({ description: "The id of the subscription in the other system." }),
    held: z.boolean().meta({
      description:
        "`true`: the other system still bills the Customer. Until the cut-over Billow does not charge or change the " +
        "Subscription, and access is granted.",
    }),
  })
  .nullable()
  .meta({ description: "The subscription of another system from which this one was imported." });

export const presentImported = (from: ImportedFrom | null): z.infer<typeof imported> =>
  from && { source: from.source, reference: from.ref, held: from.isHeld };
