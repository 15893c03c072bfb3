import { endAll } from "../../domain/model/email-change.ts";
import type { Tx } from "../../store/driver/db.ts";
import { changesOf, emailChanges } from "../../store/email-changes.ts";

/** Ends all changes of the e-mail address of a locked Customer: no link of them works any more (rule I11). */
export async function endEmailChanges(tx: Tx, organizationId: string, customerId: string): Promise<void> {
  for (const change of endAll(await changesOf(tx, organizationId, customerId))) emailChanges.update(tx, change);
}
