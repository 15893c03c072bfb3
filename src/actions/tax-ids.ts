import type { Context } from "../context.ts";
import { checkTaxId, type TaxIdVerification } from "../domain/tax/tax-id.ts";
import { everyTaxId, type StoredTaxId } from "../store/tax-ids.ts";

/** A stored tax id that removes no tax (rule X3). */
export type UnverifiedTaxId = StoredTaxId & { verification: Exclude<TaxIdVerification, "format"> };

/** The stored tax ids of an Organization that fail their check, or have a type without a check. */
export async function* unverifiedTaxIds(
  { db }: Pick<Context, "db">,
  organizationId: string,
): AsyncGenerator<UnverifiedTaxId> {
  for await (const stored of everyTaxId(db.read, organizationId)) {
    const { verification } = checkTaxId(stored.taxId);
    if (verification !== "format") yield { ...stored, verification };
  }
}
