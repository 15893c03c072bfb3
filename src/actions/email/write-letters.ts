import type { Context } from "../../context.ts";
import type { Email, EmailKind } from "../../domain/email/email.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/db.ts";
import { leaveUnwritten, passOverEmail, unwrittenEmails, writeEmail } from "../../store/emails.ts";
import { inShares } from "../batch.ts";
import { readNextChargesOfMany } from "../subscription/next-charge.ts";
import { compose, type Composed } from "./compose-email.ts";
import { isFresh, isHandedOver } from "./handed-over.ts";
import type { Skip } from "./occasion.ts";
import { readShared, type Shared } from "./shared.ts";

/** So many are written in one transaction. */
const BATCH = 50;
/** So many transactions side by side: this process composes letters of one while PostgreSQL works on the other. */
const AT_ONCE = 2;

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
  const telling = emails.flatMap(({ kind, subscriptionId: id, customerId }) =>
    AHEAD.includes(kind) && id !== null ? [{ id, customerId }] : [],
  );
  const [named, ahead] = await Promise.all([
    readShared(ctx, organizationId, emails),
    readNextChargesOfMany(ctx, organizationId, telling),
  ]);
  const shared = { ...named, ahead };
  const letters = await Promise.all(emails.map((email) => composeLetter(ctx, email, shared)));
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
    const emails = await unwrittenEmails(ctx.db.read, organizationId, AT_ONCE * BATCH);
    const shares = inShares(emails, AT_ONCE);
    await Promise.all(shares.map((share) => writeLettersOf(ctx, organizationId, share)));
    written += emails.length;
    if (emails.length < AT_ONCE * BATCH || performance.now() > until) return written;
  }
}
