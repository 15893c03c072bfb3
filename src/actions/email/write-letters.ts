import type { Context } from "../../context.ts";
import { unwrittenEmails } from "../../store/emails.ts";
import { writeLetter } from "./send-email.ts";

const BATCH = 8;

/**
 * Writes what an Organization's Customers are to be told about how things stand, before its clock moves on and that is past (rule T5):
 * all of it, or as much as takes so many milliseconds. Answers how many e-mails it has dealt with.
 */
export async function writeLetters(ctx: Context, organizationId: string, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  for (let written = 0; ;) {
    const emails = await unwrittenEmails(ctx.db.read, organizationId, BATCH);
    await Promise.all(emails.map((email) => writeLetter(ctx, email)));
    written += emails.length;
    if (emails.length < BATCH || performance.now() > until) return written;
  }
}
