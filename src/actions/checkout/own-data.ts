import { isDeepStrictEqual } from "node:util";
import type { Invoice } from "../../domain/invoice/invoice.ts";

/**
 * Whether an invoice shows the buyer no more than the buyer has typed (rule C9d). An e-mail address proves no identity.
 * `typed`: the typed data by the fields of an invoice's buyer.
 */
export function saysOnly({ buyer, number }: Pick<Invoice, "buyer" | "number">, typed: object): boolean {
  const given = new Map(Object.entries(typed));
  const isTyped = Object.entries(buyer).every(
    ([field, value]) => field === "email" || value == null || isDeepStrictEqual(value, given.get(field)),
  );
  // A later number would tell how often the Customer has bought.
  return isTyped && number.endsWith("-0001");
}
