import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { waitingChange, withdrawAsked, type EmailChange } from "../../domain/model/email-change.ts";
import { changesOf, emailChanges } from "../../store/email-changes.ts";
import { lockCustomer } from "../locked-customer.ts";

/** The request of a Customer that waits for the confirmation of the new address; null: there is none. */
export async function findWaitingChange(ctx: Context, customer: Customer): Promise<EmailChange | null> {
  return waitingChange(await changesOf(ctx.db.read, customer.organizationId, customer.id), instant(realNow()));
}

/** A signed-in Customer withdraws the requests for another address (rule I11i). Without a request there is no effect. */
export function withdrawEmail(ctx: Context, { organizationId, id }: Customer): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const locked = await lockCustomer(ctx, tx, organizationId, id);
    if (!locked) return;
    for (const change of withdrawAsked(await changesOf(tx, organizationId, id))) emailChanges.update(tx, change);
  });
}
