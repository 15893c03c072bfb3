import { majorUnits } from "../../domain/major-units.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { readAmount } from "./typed-values.ts";

/** A typed amount in major units as minor units. Empty: null. */
export function readLimit(typed: string, currency: string): { limit: number | null } | { fault: string } {
  const read = readAmount(typed, currency);
  if ("fault" in read) return read;
  if (read.amount === 0) return { fault: "Enter an amount above 0, or leave the field empty." };
  return { limit: read.amount };
}

/** The limit as the form shows it, in major units. */
export function writtenLimit({ supportRefundLimit: limit, defaultCurrency }: Organization): string {
  return limit === null ? "" : majorUnits(limit, defaultCurrency);
}
