import * as z from "zod";
import { BALANCE_REASONS, type BalanceEntry, type HeldBalance } from "../domain/model/balance.ts";
import { SOURCES } from "../domain/model/credit-source.ts";
import { MAX_AMOUNT } from "../domain/money.ts";
import { amount, amountParam, currency, currencyCode, fault, id, multiline, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

const inFavour = amount.meta({ description: "Positive: the Customer has credit." });

export const BalancesResource = z
  .object({
    data: z.array(
      z.object({
        currency: currencyCode,
        amount: inFavour,
        held: amount.meta({
          description: "Credit that came from a disputed or lost payment. This credit can't be spent (rule D7).",
        }),
        available: amount.meta({
          description: "The amount less the held credit. Renewals and changes use this amount.",
        }),
      }),
    ),
  })
  .meta({ id: "Balances" });
type BalancesResource = z.infer<typeof BalancesResource>;

export const BalanceEntryResource = z
  .object({
    id: id("bal"),
    currency: currencyCode,
    amount: inFavour,
    remaining: amount.meta({
      description:
        "The part of the amount that still counts. Above zero: credit that is not used. Below zero: a debt. " +
        "The balance is the sum of these parts.",
    }),
    reason: z.enum(BALANCE_REASONS),
    source: z
      .enum(SOURCES)
      .nullable()
      .meta({
        description:
          "The source of credit: a Payment, a refund that failed late, money from outside of Billow, or a grant. " +
          "Only credit from a Payment can be paid out (rules I7, I8). Null for an entry below zero.",
      }),
    paymentId: id("pay")
      .nullable()
      .meta({ description: "The Payment that the credit came from, or whose refund failed." }),
    creditedLineId: id("iln").nullable().meta({ description: "The billed line that the credit gives back." }),
    note: z.string().nullable().meta({ description: "The reason that was given with the adjustment." }),
    invoiceId: id("inv").nullable(),
    refundId: id("rfd").nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "BalanceEntry" });
export type BalanceEntryResource = z.infer<typeof BalanceEntryResource>;

export const AdjustBalanceParams = z
  .strictObject({
    currency,
    amount: amountParam(-MAX_AMOUNT)
      .refine((value) => value !== 0, fault("zero", "An adjustment must not be 0."))
      .meta({
        not: { const: 0 },
        description:
          "In the currency's minor unit (cents for usd). Added to the balance, or taken from the balance if negative.",
      }),
    reason: multiline(1000).meta({
      description: "The reason, in your own words. The entry shows this text as `note`.",
    }),
  })
  .meta({ id: "AdjustBalanceParams" });
export type AdjustBalanceParams = z.infer<typeof AdjustBalanceParams>;

export const ListBalanceEntriesQuery = z.strictObject({ ...pageQuery("bal"), currency: currency.optional() });
export type ListBalanceEntriesQuery = z.infer<typeof ListBalanceEntriesQuery>;

export function presentBalances(balances: readonly HeldBalance[]): BalancesResource {
  return { data: balances.map((balance) => ({ ...balance, available: balance.amount - balance.held })) };
}

export function presentBalanceEntry(entry: BalanceEntry): BalanceEntryResource {
  return {
    id: entry.id,
    currency: entry.currency,
    amount: entry.amount,
    remaining: entry.remaining,
    reason: entry.reason,
    source: entry.source,
    paymentId: entry.paymentId,
    creditedLineId: entry.creditedLineId,
    note: entry.note,
    invoiceId: entry.invoiceId,
    refundId: entry.refundId,
    createdAt: time(entry.createdAt),
  };
}
