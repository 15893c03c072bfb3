import { pause } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { refusedDelay, retryDelay, type Email } from "../../domain/model/email.ts";
import type { MailOutcome } from "../../outbound/smtp.ts";
import { CLAIM_MILLISECONDS, postponeEmail, settleEmail, type Settlement } from "../../store/email-queue.ts";

/** Records the outcome of a claimed e-mail. */
export function settle(ctx: Context, email: Email, settlement: Settlement): Promise<void> {
  return ctx.db.tx((tx) => settleEmail(tx, email, settlement));
}

type Failure = Omit<MailOutcome & { sent: false }, "sent">;

/**
 * Records that an attempt failed. The e-mail is tried again later, or has failed for good. `waited`: milliseconds since
 * the e-mail was queued (rules E6a, E6b, E6c).
 */
export async function noteFailure(
  ctx: Context,
  email: Email,
  failure: Failure,
  waited: number,
  message: Settlement["message"],
): Promise<void> {
  const { error, fault } = failure;
  const isCounted = fault !== "us";
  const again = () => (isCounted ? retryDelay(email.attempts, Math.random()) : refusedDelay(waited, Math.random()));
  const delay = fault === "recipient" ? null : again();
  // Mail servers often repeat the recipient's address in their errors, and the address must not be logged.
  const redacted = message ? error.replaceAll(message.recipient, "[recipient]") : error;
  const about = { organizationId: email.organizationId, emailId: email.id, kind: email.kind, error: redacted };
  if (delay === null) {
    ctx.log.error(about, "an e-mail could not be sent");
    return settle(ctx, email, { status: "failed", reason: error, message, file: false });
  }
  ctx.log.warn(about, "an e-mail was not taken, and is sent again later");
  return ctx.db.tx((tx) => postponeEmail(tx, email, error, email.attempts + (isCounted ? 1 : 0), delay));
}

/** The process with the claim has to finish this long before the claim runs out. */
const CLAIM_RESERVE_MILLISECONDS = 10_000;
const [FIRST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS] = [100, 5_000];

/**
 * Records that an e-mail was sent. A failed attempt to record is repeated until shortly before the claim runs out,
 * since another process may send the e-mail again after that. `began`: the start of work on the claim, by
 * `performance.now()`.
 */
export async function noteSent(
  ctx: Context,
  email: Email,
  message: Settlement["message"],
  began: number,
  stopping: AbortSignal,
): Promise<void> {
  const until = began + CLAIM_MILLISECONDS - CLAIM_RESERVE_MILLISECONDS;
  for (let delay = FIRST_PAUSE_MILLISECONDS; ; delay = Math.min(2 * delay, LONGEST_PAUSE_MILLISECONDS)) {
    try {
      return await settle(ctx, email, { status: "sent", reason: null, message, file: false });
    } catch (error) {
      if (stopping.aborted || performance.now() + delay >= until) throw error;
      ctx.log.warn({ err: error, emailId: email.id }, "an e-mail was sent, and that is noted later");
    }
    await pause(delay, stopping);
  }
}
