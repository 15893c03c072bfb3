import type { Context } from "../../context.ts";
import { againOf, canBeSentAgain } from "../../domain/email/resend.ts";
import type { Email } from "../../domain/model/email.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Tx } from "../../store/driver/db.ts";
import { queue } from "../../store/email-queue.ts";
import { emails } from "../../store/emails.ts";
import { readOrganization } from "../../store/organizations.ts";
import { lockCustomer } from "../locked-customer.ts";
import type { Origin } from "../origin.ts";
import { compose } from "./compose-email.ts";

/** The message that would be sent now, or the reason why the e-mail would be skipped. */
export type AgainPreview = { recipient: string; subject: string } | { skip: string };

type ToCustomer = Email & { customerId: string };

/** @throws Refusal 404, 422 */
function requireAgain(email: Email | null): ToCustomer {
  if (!email || email.customerId === null) throw new Refusal("not_found");
  if (!canBeSentAgain(email)) throw new Refusal("email_not_repeatable");
  return email as ToCustomer;
}

/**
 * Composes the e-mail as it would be sent again now, by the same function that the mailer calls. No row is written.
 * @throws Refusal 404, 422
 */
export async function previewAgain(ctx: Context, organizationId: string, id: string): Promise<AgainPreview> {
  const email = requireAgain(await emails.find(ctx.db.read, organizationId, id));
  const { now, realNow } = await readOrganization(ctx.db.read, organizationId);
  const composed = await compose(ctx, { ...email, ...againOf(email, now), queuedAt: realNow });
  if ("skip" in composed) return { skip: composed.skip };
  return { recipient: composed.recipient, subject: composed.message.subject };
}

/**
 * Sends an e-mail to a Customer again, as a new e-mail: with the present state, in the present language, to the
 * Customer's present address. Returns the id of the new e-mail.
 * @throws Refusal 404, 422
 */
export function sendAgain(ctx: Context, origin: Origin<string>, id: string): Promise<string> {
  return origin.transaction(ctx, async (tx: Tx) => {
    const email = requireAgain(await emails.find(tx, origin.organizationId, id));
    const locked = await lockCustomer(ctx, tx, email.organizationId, email.customerId);
    if (!locked) throw new Refusal("not_found");
    const again = againOf(email, locked.now);
    queue(tx, again);
    tx.wakes("emails");
    return again.id;
  });
}
