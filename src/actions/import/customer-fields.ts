import type * as z from "zod";
import type { ForeignCustomer } from "../../domain/import/foreign.ts";
import { isLocale } from "../../domain/locale.ts";
import type { NewCustomer } from "../../domain/model/customer.ts";
import type { Metadata } from "../../domain/model/product.ts";
import type { TaxId } from "../../domain/tax/tax-id.ts";
import { parse } from "../../resources/faults.ts";
import { addressParams, email, locale, metadataParams, taxIdParams, text } from "../../resources/fields.ts";

/**
 * The `externalId` of an imported Customer. `metadataKey` null: the id at the provider. Otherwise the value of this key
 * in the Customer's metadata there, which is often the seller's own id of the buyer.
 */
export type ExternalIdRule = { metadataKey: string | null };

/**
 * `leftOut`: the fields that Billow does not take, as they are called in the API. They stay at the provider.
 * `fields` null: the e-mail address is not one.
 */
export type CustomerFields = { fields: NewCustomer | null; leftOut: string[] };

/** The value in its stored form; null: Billow does not take it. */
function taken<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const { value: parsed, faults } = parse(schema, value, "body");
  return faults === null ? parsed : null;
}

/** The entries that Billow takes. `leftOut` gets the names of the others. */
export function takenMetadata(given: Readonly<Record<string, string>>, leftOut: string[]): Metadata {
  const entries = Object.entries(given).filter(([name, value]) => {
    const isTaken = taken(metadataParams, { [name]: value }) !== null;
    if (!isTaken) leftOut.push(`metadata.${name}`);
    return isTaken;
  });
  return Object.fromEntries(entries);
}

/** The first tax id that is valid. A Customer has one at most, and with a billing address only (rule X3). */
function taxIdOf(given: readonly TaxId[], hasAddress: boolean, leftOut: string[]): TaxId | null {
  let found: TaxId | null = null;
  for (const each of given) {
    const valid: TaxId | null = hasAddress && found === null ? taken(taxIdParams, each) : null;
    if (valid) found = { type: valid.type, value: valid.value };
    else leftOut.push(`taxId ${each.type} ${each.value}`);
  }
  return found;
}

/** The fields of a Customer of another system, checked as those of a request. */
export function customerFields(
  { ref, email: address, details }: ForeignCustomer,
  { metadataKey }: ExternalIdRule,
): CustomerFields {
  const leftOut: string[] = [];
  const take = <Schema extends z.ZodType>(name: string, schema: Schema, value: unknown): z.output<Schema> | null => {
    if (value === null || value === undefined || value === "") return null;
    const found = taken(schema, value);
    if (found === null) leftOut.push(name);
    return found;
  };
  const mail = take("email", email, address);
  if (mail === null) return { fields: null, leftOut };
  const { address: given } = details;
  const blankless = given && Object.fromEntries(Object.entries(given).filter(([, value]) => value));
  const hasLines = blankless !== null && Object.keys(blankless).length > 0;
  const billingAddress = hasLines ? take("billingAddress", addressParams, blankless) : null;
  const chosen = metadataKey === null ? ref : details.metadata[metadataKey];
  const own = metadataKey === null ? ref : take("externalId", text(255), chosen);
  if (own === null && !chosen) leftOut.push("externalId");
  const language = details.locales.find(isLocale);
  return {
    fields: {
      email: mail,
      name: take("name", text(256), details.name),
      companyName: take("companyName", text(256), details.companyName),
      externalId: own ?? ref,
      billingAddress,
      taxId: taxIdOf(details.taxIds, billingAddress !== null, leftOut),
      locale: take("locale", locale, language),
      metadata: takenMetadata(details.metadata, leftOut),
    },
    leftOut,
  };
}
