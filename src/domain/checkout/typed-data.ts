import { isDeepStrictEqual } from "node:util";
import { emailKey, isFirstInvoiceNumber } from "../model/customer.ts";
import type { Invoice } from "../model/invoice.ts";
import type { Billing } from "../tax/tax.ts";

/** The data that a buyer typed, by the fields of an invoice's buyer. */
export type TypedData = { email: string | null; name: string | null } & Partial<Billing>;

/**
 * Whether an invoice shows the buyer no more than the buyer has typed (rule C9d). An e-mail address proves no identity.
 * The Customer's present address may be another one: the former address still leads to a Customer that can get the
 * former address back (rule I11f). A later invoice would tell how often the Customer has bought.
 */
export function showsOnlyTyped({ buyer, number }: Pick<Invoice, "buyer" | "number">, typed: TypedData): boolean {
  const { email, ...others } = buyer;
  const isSameEmail = email === null || (typed.email !== null && emailKey(email) === emailKey(typed.email));
  const isTyped = (Object.keys(others) as (keyof typeof others)[]).every(
    (field) => others[field] == null || isDeepStrictEqual(others[field], typed[field]),
  );
  return isSameEmail && isTyped && isFirstInvoiceNumber(number);
}
