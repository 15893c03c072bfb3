import type { Context } from "../../context.ts";
import type { Email, EmailKind } from "../../domain/email/email.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/db.ts";
import { leaveUnwritten, passOverEmail, unwrittenEmails, writeEmail } from "../../store/emails.ts";
import { readOrganization } from "../../store/organizations.ts";
import { readNextChargesOfMany } from "../subscription/next-charge.ts";
import { compose, type Composed, type Shared } from "./compose-email.ts";
import { isFresh, isHandedOver } from "./handed-over.ts";
import type { Skip } from "./occasion.ts";

/** So many are written in one transaction. */
const BATCH = 50;

/** Null: it can't be made. */
async function composeLetter(ctx: Context, email: Email, shared: Shared): Promise<Composed | Skip | null> {
  try {
    return await compose(ctx, email, shared);
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") throw error;
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be made before the clock moves on");
    return null;
  }
}

/** E-mails that tell of a next charge. */
const AHEAD: readonly EmailKind[] = ["trial_ending", "renewal_upcoming"];

/**
 * Writes queued e-mails of a sandbox by how things stand at this instant, before its clock moves on, in one transaction: where nothing
 * leaves the machine they are kept with that, else they are sent later as they are now. Those that can't be made are left to the mailer.
 */
async function writeLettersOf(ctx: Context, organizationId: string, emails: readonly Email[]): Promise<void> {
  const telling = emails.filter(({ kind, subscriptionId }) => AHEAD.includes(kind) && subscriptionId !== null);
  const named = telling.map(({ subscriptionId, customerId }) => ({ id: subscriptionId!, customerId }));
  const [place, ahead] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    readNextChargesOfMany(ctx, organizationId, named),
  ]);
  const letters = await Promise.all(emails.map((email) => composeLetter(ctx, email, { place, ahead })));
  return ctx.db.tx(async (tx) => {
    for (const [n, email] of emails.entries()) keepLetter(ctx, tx, email, letters[n]!);
  });
}

function keepLetter(ctx: Context, tx: Tx, email: Email, composed: Composed | Skip | null): void {
  if (composed === null) return leaveUnwritten(tx, email);
  if ("skip" in composed) return passOverEmail(tx, email, composed.skip);
  const { kind, organization, realNow, recipient, message } = composed;
  const kept = !isHandedOver(ctx, organization.mode);
  writeEmail(tx, email, { kind, recipient, ...message }, kept, isFresh(email, realNow));
}

/**
 * Writes what an Organization's Customers are to be told about how things stand, before its clock moves on and that is past (rule T5):
 * all of it, or as much as takes so many milliseconds. Answers how many e-mails it has dealt with.
 */
export async function writeLetters(ctx: Context, organizationId: string, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  for (let written = 0; ;) {
    const emails = await unwrittenEmails(ctx.db.read, organizationId, BATCH);
    if (emails.length > 0) await writeLettersOf(ctx, organizationId, emails);
    written += emails.length;
    if (emails.length < BATCH || performance.now() > until) return written;
  }
}
