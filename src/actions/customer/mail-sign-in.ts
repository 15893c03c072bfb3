import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { FRESH_MINUTES, whyNoSignIn } from "../../domain/model/portal-session.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { sign } from "../../keyring.ts";
import { customers, findAnyByEmail } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import { queueSignIn, signInsLately } from "../../store/sign-ins.ts";
import { lockCustomer, type LockedCustomer } from "../locked-customer.ts";
import type { Origin } from "../origin.ts";

const DELETED = "This Customer is deleted and has no e-mail address any more. No e-mail was queued.";

const REFUSALS = {
  fresh: (email: string) =>
    `${email} got a sign-in e-mail less than ${FRESH_MINUTES} minutes ago, and its link is unused. Ask the Customer ` +
    "to look for this e-mail, or send another one in some minutes.",
  too_many: (email: string) =>
    `${email} got too many sign-in e-mails within the last hour. Try again later, or create a link and send the link.`,
} as const;

/**
 * Locks the Customer that counts the e-mails to this address: the oldest one. No second Customer is locked, because the
 * writing of such an e-mail locks all Customers with the address, oldest first.
 * @throws AppError 404, 422
 */
async function lockAddressed(ctx: Context, tx: Tx, { organizationId, emailKey, deletedAt }: Customer) {
  const oldest = deletedAt === null ? await findAnyByEmail(tx, organizationId, emailKey) : null;
  const locked: LockedCustomer | null = oldest && (await lockCustomer(ctx, tx, organizationId, oldest.id));
  if (locked?.customer.emailKey !== emailKey) throw invalid("", "customer_deleted", DELETED);
  return locked;
}

/**
 * Queues the e-mail of the portal's sign-in to a Customer at the request of a person of the dashboard, within the
 * limits of the portal. All people of the dashboard count as one client. Returns the id of the e-mail.
 * @throws AppError 404, 422
 */
export function mailSignIn(ctx: Context, origin: Origin<string>, id: string): Promise<string> {
  const { organizationId } = origin;
  const askedFrom = sign(ctx.keyring, "portal-client:dashboard");
  return origin.transaction(ctx, async (tx) => {
    const customer = await customers.find(tx, organizationId, id);
    if (!customer) throw new AppError("not_found");
    const { customer: addressed, now, realNow } = await lockAddressed(ctx, tx, customer);
    const why = whyNoSignIn(await signInsLately(tx, organizationId, addressed.id), askedFrom);
    if (why !== null) throw invalid("", "too_many_emails", REFUSALS[why](customer.email));
    const emailId = newId("eml");
    const email = { organizationId, id: emailId, customerId: addressed.id, createdAt: now };
    queueSignIn(tx, { ...email, askedFrom, askedAt: realNow });
    return emailId;
  });
}
