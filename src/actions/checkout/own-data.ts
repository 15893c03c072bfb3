import { isDeepStrictEqual } from "node:util";
import { emailKey } from "../../domain/model/customer.ts";
import type { Invoice } from "../../domain/model/invoice.ts";

/** The data that a buyer typed, by the fields of an invoice's buyer. */
export type TypedData = { email: string | null; name: string | null };

/**
 * Whether an invoice shows the buyer no more than the buyer has typed (rule C9d). An e-mail address proves no identity.
 * The Customer's present address may be another one: the former address still leads to a Customer that can get the
 * former address back (rule I11).
 */
export function saysOnly({ buyer, number }: Pick<Invoice, "buyer" | "number">, typed: TypedData): boolean {
  const { email, ...others } = buyer;
  const given = new Map<string, unknown>(Object.entries(typed));
  const isOwn = email === null || (typed.email !== null && emailKey(email) === emailKey(typed.email));
  const isTyped = Object.entries(others).every(
    ([field, value]) => value == null || isDeepStrictEqual(value, given.get(field)),
  );
  // A later number would tell how often the Customer has bought.
  return isOwn && isTyped && number.endsWith("-0001");
}
