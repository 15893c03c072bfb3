import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { askForChange, confirmChange, undoChange, type EmailChange } from "../../domain/model/email-change.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type { Tx } from "../../store/driver/db.ts";
import { changesOf, countAskedLately, emailChanges, findOpenChange } from "../../store/email-changes.ts";
import { queue } from "../../store/email-queue.ts";
import { closePortal, findSession } from "../../store/portal.ts";
import { lockCustomer, type LockedCustomer } from "../locked-customer.ts";
import { digestOf } from "../secret.ts";
import { changeCustomer } from "./change-customer.ts";

type Kind = "portal_email_confirm" | "portal_email_changed";

function queueConfirmation(tx: Tx, { customer, now }: LockedCustomer, kind: Kind, id: string): void {
  const { organizationId, id: customerId } = customer;
  const about = { subscriptionId: null, invoiceId: null, paymentId: null, announcedAt: null };
  queue(tx, { organizationId, id, kind, customerId, ...about, createdAt: now });
  tx.wakes("emails");
}

/**
 * `sent`: the page says that an e-mail is on its way. That is also the answer if the address was sent too many e-mails
 * at the request of other Customers. `same`: the Customer has this address already.
 */
export type EmailAsked = "sent" | "same" | "too_many" | "signed_out";

/**
 * A signed-in Customer asks for another e-mail address (rule I11b). The new address gets a link that confirms the
 * address. The answer and the work are the same whether or not the address belongs to another Customer. `session`: the
 * secret of the visitor's session.
 */
export async function askForEmail(
  ctx: Context,
  organizationId: string,
  session: string,
  email: string,
): Promise<EmailAsked> {
  const secret = { organizationId, digest: digestOf(session) };
  return ctx.db.tx(async (tx) => {
    const visit = await findSession(tx, secret);
    const locked = visit && (await lockCustomer(ctx, tx, organizationId, visit.customerId));
    // With the Customer locked, the session is looked up again: an undo at this moment ends the session and all
    // requests, and no request may come after the undo.
    if (!locked || !(await findSession(tx, secret))) return "signed_out";
    const { customer, realNow } = locked;
    const key = emailKey(email);
    const own = await changesOf(tx, organizationId, customer.id);
    const known = { own, sentLately: await countAskedLately(tx, organizationId, key), now: realNow };
    const ids = { id: newId("emc"), confirmEmailId: newId("eml") };
    const asking = askForChange(customer, { email, key }, known, ids);
    if (asking === "waits" || asking === "crowded") return "sent";
    if ("refused" in asking) return asking.refused;
    for (const change of asking.ended) emailChanges.update(tx, change);
    emailChanges.insert(tx, asking.asked);
    queueConfirmation(tx, locked, "portal_email_confirm", ids.confirmEmailId);
    return "sent";
  });
}

type Work<Outcome> = (tx: Tx, locked: LockedCustomer, own: EmailChange[]) => Promise<Outcome>;

/**
 * Runs a step of a change with its Customer locked. `gone`: the link does not work any more. `taken`: the address
 * identifies another Customer, as a PATCH would answer 409 `customer_exists`.
 */
async function step<Outcome>(
  ctx: Context,
  { organizationId, customerId }: EmailChange,
  work: Work<Outcome>,
): Promise<Outcome | "gone" | "taken"> {
  try {
    return await ctx.db.tx(async (tx) => {
      const locked = await lockCustomer(ctx, tx, organizationId, customerId);
      return locked ? work(tx, locked, await changesOf(tx, organizationId, customerId)) : "gone";
    });
  } catch (error) {
    if (isRefusal(error, "customer_exists")) return "taken";
    throw error;
  }
}

/**
 * Gives the Customer the new address, and tells the old address. A repeated confirmation is `changed`, too. The link
 * still works after `taken`, in case the other Customer leaves the address.
 */
export async function confirmEmail(
  ctx: Context,
  organizationId: string,
  id: string,
): Promise<"changed" | "taken" | "gone"> {
  const seen = await findOpenChange(ctx.db.read, organizationId, id);
  if (!seen) return "gone";
  return step(ctx, seen, async (tx, locked, own) => {
    const undoEmailId = newId("eml");
    const confirmed = confirmChange(locked.customer, own, id, { now: locked.realNow, undoEmailId });
    if (!confirmed) return own.some((each) => each.id === id && each.status === "changed") ? "changed" : "gone";
    const { changed, ended } = confirmed;
    await changeCustomer(ctx, tx, locked.customer, { email: changed.newEmail });
    for (const change of [changed, ...ended]) emailChanges.update(tx, change);
    queueConfirmation(tx, locked, "portal_email_changed", undoEmailId);
    return "changed";
  });
}

/**
 * Gives the Customer the address of before the change back. Ends later changes, requests, sessions and links, so that a
 * thief is out of the account.
 */
export async function undoEmail(
  ctx: Context,
  organizationId: string,
  id: string,
): Promise<"undone" | "taken" | "gone"> {
  const seen = await findOpenChange(ctx.db.read, organizationId, id);
  if (!seen) return "gone";
  return step(ctx, seen, async (tx, { customer, realNow }, own) => {
    const undone = undoChange(own, id, realNow);
    if (!undone) return "gone";
    await changeCustomer(ctx, tx, customer, { email: undone.email });
    closePortal(tx, organizationId, customer.id);
    for (const change of undone.ended) emailChanges.update(tx, change);
    return "undone";
  });
}
