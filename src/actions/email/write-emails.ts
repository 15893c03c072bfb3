import type { Context } from "../../context.ts";
import type { Email, EmailKind } from "../../domain/model/email.ts";
import { isUnavailable } from "../../errors.ts";
import type { Tx } from "../../store/driver/db.ts";
import { leaveUnwritten, passOverEmail, unwrittenEmails, writeEmail } from "../../store/unwritten-emails.ts";
import { inShares } from "../batch.ts";
import { readNextChargesOfMany } from "../subscription/next-charge.ts";
import { compose, type Composed } from "./compose-email.ts";
import { isFresh, isHandedOver } from "./hand-over.ts";
import type { Skip } from "./email-context.ts";
import { readShared, type Shared } from "./shared-rows.ts";

/** The most e-mails that are written in one transaction. */
const BATCH = 50;
/**
 * The number of transactions at the same time: this process composes the e-mails of one transaction while PostgreSQL
 * works on the other.
 */
const AT_ONCE = 2;

/** Returns null if the e-mail can't be made. */
async function composeContent(ctx: Context, email: Email, shared: Shared): Promise<Composed | Skip | null> {
  try {
    return await compose(ctx, email, shared);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be made before the clock moves on");
    return null;
  }
}

/** E-mails that announce a next charge. */
const AHEAD: readonly EmailKind[] = ["trial_ending", "renewal_upcoming", "resume_upcoming"];

/**
 * Stores the text of a sandbox's queued e-mails in one transaction, before the sandbox's clock moves on. If the e-mails
 * stay on this machine, they get the status `kept`. If they are handed to the SMTP server, they are sent later with the
 * text stored now. If an e-mail can't be composed, the mailer composes it later.
 */
async function writeEmailsOf(ctx: Context, organizationId: string, emails: readonly Email[]): Promise<void> {
  const telling = emails.flatMap(({ kind, subscriptionId: id, customerId }) =>
    AHEAD.includes(kind) && id !== null && customerId !== null ? [{ id, customerId }] : [],
  );
  const [named, ahead] = await Promise.all([
    readShared(ctx, organizationId, emails),
    readNextChargesOfMany(ctx, organizationId, telling),
  ]);
  const shared = { ...named, ahead };
  const letters = await Promise.all(emails.map((email) => composeContent(ctx, email, shared)));
  return ctx.db.tx(async (tx) => {
    for (const [n, email] of emails.entries()) storeContent(ctx, tx, email, letters[n]!);
  });
}

function storeContent(ctx: Context, tx: Tx, email: Email, composed: Composed | Skip | null): void {
  if (composed === null) return leaveUnwritten(tx, email);
  if ("skip" in composed) return passOverEmail(tx, email, composed.skip);
  const { kind, organization, realNow, recipient, message } = composed;
  const kept = !isHandedOver(ctx, organization.mode);
  writeEmail(tx, email, { kind, recipient, ...message }, kept, isFresh(email, realNow));
}

/**
 * Stores the text of the e-mails that describe the current state of an Organization's Customers, before the clock moves
 * on and the state changes (rule T5). Stops after about `milliseconds`, even if some e-mails are left. Returns the
 * number of e-mails done.
 */
export async function writeEmails(ctx: Context, organizationId: string, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  for (let written = 0; ;) {
    const emails = await unwrittenEmails(ctx.db.read, organizationId, AT_ONCE * BATCH);
    const shares = inShares(emails, AT_ONCE);
    await Promise.all(shares.map((share) => writeEmailsOf(ctx, organizationId, share)));
    written += emails.length;
    if (emails.length < AT_ONCE * BATCH || performance.now() > until) return written;
  }
}
