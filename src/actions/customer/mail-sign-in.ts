import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { FRESH_MINUTES, whyNoSignIn } from "../../domain/model/portal-session.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import { sign } from "../../keyring.ts";
import { customers, findAnyByEmail } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import { queueSignIn, signInsLately } from "../../store/sign-ins.ts";
import { lockCustomer, type LockedCustomer } from "../locked-customer.ts";
import type { Origin } from "../origin.ts";

/**
 * Locks the Customer that counts the e-mails to this address: the oldest one. No second Customer is locked, because the
 * writing of such an e-mail locks all Customers with the address, oldest first.
 * @throws Refusal 404, 422
 */
async function lockAddressed(ctx: Context, tx: Tx, { organizationId, emailKey, deletedAt }: Customer) {
  const oldest = deletedAt === null ? await findAnyByEmail(tx, organizationId, emailKey) : null;
  const locked: LockedCustomer | null = oldest && (await lockCustomer(ctx, tx, organizationId, oldest.id));
  if (locked?.customer.emailKey !== emailKey) throw new Refusal("no_address_left");
  return locked;
}

/**
 * Queues the e-mail of the portal's sign-in to a Customer at the request of a person of the dashboard, within the
 * limits of the portal. All people of the dashboard count as one client. Returns the id of the e-mail.
 * @throws Refusal 404, 422
 */
export function mailSignIn(ctx: Context, origin: Origin<string>, id: string): Promise<string> {
  const { organizationId } = origin;
  const askedFrom = sign(ctx.keyring, "portal-client:dashboard");
  return origin.transaction(ctx, async (tx) => {
    const customer = await customers.find(tx, organizationId, id);
    if (!customer) throw new Refusal("not_found");
    const { customer: addressed, now, realNow } = await lockAddressed(ctx, tx, customer);
    const why = whyNoSignIn(await signInsLately(tx, organizationId, addressed.id), askedFrom);
    const { email: address } = customer;
    if (why === "fresh") throw new Refusal("sign_in_sent_lately", { email: address, minutes: FRESH_MINUTES });
    if (why === "too_many") throw new Refusal("too_many_sign_ins", { email: address });
    const emailId = newId("eml");
    const email = { organizationId, id: emailId, customerId: addressed.id, createdAt: now };
    queueSignIn(tx, { ...email, askedFrom, askedAt: realNow });
    return emailId;
  });
}
