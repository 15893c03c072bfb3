import * as z from "zod";
import type { Explanation } from "./invoice.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import { amount, currencyCode, id } from "../fields.ts";
import { BALANCE_APPLIED } from "../invoice.ts";

const explained = z
  .object({
    amount,
    rule: z.string().meta({ description: "The number of the billing rule that the amount follows." }),
    inputs: z.record(z.string(), z.number()).meta({
      description: "Amounts in minor units, rates in basis points, spans in milliseconds.",
    }),
    expression: z.string().meta({
      description:
        "The result is `amount`. `round` gives the nearest whole number, with a half rounded away from zero.",
    }),
    text: z.string().meta({ description: "The same calculation in words." }),
  })
  .meta({ id: "ExplainedAmount" });

/** The calculation of each amount of an invoice. */
export const ExplanationResource = z
  .object({
    invoiceId: id("inv"),
    number: z.string(),
    currency: currencyCode,
    lines: z.array(
      z.object({
        id: id("iln"),
        description: z.string(),
        amount: explained,
        discount: explained.nullable(),
        tax: explained.nullable(),
      }),
    ),
    total: explained,
    balance: explained.meta(BALANCE_APPLIED),
    due: explained,
  })
  .meta({ id: "Explanation" });
export type ExplanationResource = z.infer<typeof ExplanationResource>;

export function presentExplanation(
  { id: invoiceId, number, currency }: Invoice,
  explanation: Explanation,
): ExplanationResource {
  return { invoiceId, number, currency, ...explanation };
}
