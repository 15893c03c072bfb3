import type { Context } from "../../context.ts";
import { PORTAL_EMAIL_KINDS, TEAM_EMAIL_KINDS, type Email } from "../../domain/email/email.ts";
import { isUnavailable } from "../../errors.ts";
import type { OutgoingEmail } from "../../outbound/smtp.ts";
import type { Settlement } from "../../store/email-queue.ts";
import { NOT_MADE } from "../../store/unwritten-emails.ts";
import { fileOutgoing } from "./file-email.ts";
import { isFresh, isHandedOver } from "./handed-over.ts";
import type { Skip } from "./occasion.ts";
import { outgoing } from "./outgoing.ts";
import { noteFailure, noteSent, settle } from "./settle-email.ts";
import { writeEmail, type Composed } from "./write-email.ts";

/** `unreachable`: the mail server or a part of Billow can't do its work now, so the mailer pauses. */
export type Sent = "done" | "unreachable";

/**
 * The message to store. In a live Organization, the links of the portal and of invitations are not stored, so that only
 * the recipient's mailbox has a link. In a sandbox, the links are stored, so that developers can read them in Billow.
 * The link for a new password opens each Organization of its person, so no Organization stores it.
 */
function withoutLinks({ kind, organization, recipient, message }: Composed): Settlement["message"] {
  const isOfAccess = [...PORTAL_EMAIL_KINDS, ...TEAM_EMAIL_KINDS].some((each) => each === kind);
  const isSecret = isForPerson(kind) || (isOfAccess && organization.mode === "live");
  return { kind, recipient, ...message, ...(isSecret && { text: null, html: null }) };
}

type Handing = { ctx: Context; email: Email; composed: Composed; began: number; stopping: AbortSignal };

async function handOver({ ctx, email, composed, began, stopping }: Handing, mail: OutgoingEmail): Promise<Sent> {
  const outcome = await ctx.mailer!.send(mail);
  const message = withoutLinks(composed);
  if (outcome.sent) {
    await noteSent(ctx, email, message, began, stopping);
    return "done";
  }
  await noteFailure(ctx, email, outcome, composed.realNow - email.queuedAt, message);
  return outcome.fault === "unreachable" || outcome.fault === "us" ? "unreachable" : "done";
}

/**
 * Stores the message in Billow instead of sending it. A live message has its file already; a fresh message of a sandbox
 * gets its file later, one file at a time.
 */
async function keep(ctx: Context, email: Email, composed: Composed): Promise<Sent> {
  const { kind, organization, realNow, recipient, message } = composed;
  const hasFile = organization.mode === "live" || isForPerson(kind);
  const file = !hasFile && isFresh(email, realNow);
  const isOfTeam = TEAM_EMAIL_KINDS.some((each) => each === kind);
  const stored = isOfTeam ? withoutLinks(composed) : { kind, recipient, ...message };
  await settle(ctx, email, { status: "kept", reason: null, message: stored, file });
  return "done";
}

/**
 * Whether an e-mail is about a person's account of the installation. Such an e-mail does not belong to the tests of a
 * sandbox, so it is handed over or written to its file at once.
 */
const isForPerson = (kind: Email["kind"]) => kind === "team_password";

/** `mail`: the message for the SMTP server; null if the message is only stored. */
type Made = { composed: Composed; mail: OutgoingEmail | null } | Skip | { failed: Sent };

/** Composes the message. A live message that is not sent is also written to its file. */
async function make(ctx: Context, email: Email): Promise<Made> {
  try {
    const composed = await writeEmail(ctx, email);
    if ("skip" in composed) return composed;
    const { organization, realNow } = composed;
    const isPersonal = isForPerson(email.kind);
    const isStale = organization.mode === "sandbox" && email.reason === null && !isFresh(email, realNow);
    const isSent = isPersonal ? ctx.mailer !== null : isHandedOver(ctx, organization.mode) && !isStale;
    const isWritten = isSent || isPersonal || organization.mode === "live";
    const mail = isWritten ? await outgoing(ctx, email, composed) : null;
    if (mail && !isSent) await fileOutgoing(ctx, email, mail);
    return { composed, mail: isSent ? mail : null };
  } catch (error) {
    // The database is gone, or the rendering process is busy. Once the claim has run out, the e-mail is tried again.
    if (isUnavailable(error)) return { failed: "unreachable" };
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be made");
    await noteFailure(ctx, email, { error: NOT_MADE, fault: "other" }, 0, null);
    return { failed: "done" };
  }
}

/**
 * Sends, stores or skips one claimed e-mail, with no transaction open. The current state is read right before sending,
 * so that no e-mail tells outdated news. After a crash between sending and recording, the e-mail is sent again under
 * the same Message-ID. `stopping` ends the attempts to record that the e-mail was sent.
 */
export async function sendEmail(ctx: Context, email: Email, stopping: AbortSignal): Promise<Sent> {
  const began = performance.now();
  const made = await make(ctx, email);
  if ("failed" in made) return made.failed;
  if ("skip" in made) {
    await settle(ctx, email, { status: "skipped", reason: made.skip, message: null, file: false });
    return "done";
  }
  const { composed, mail } = made;
  return mail ? handOver({ ctx, email, composed, began, stopping }, mail) : keep(ctx, email, composed);
}
