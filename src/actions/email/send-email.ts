import type { Context } from "../../context.ts";
import { isForRecipientAlone, isToPerson, type Email } from "../../domain/model/email.ts";
import { isUnavailable } from "../../errors.ts";
import { traced } from "../../tracing/tracing.ts";
import type { OutgoingEmail } from "../../outbound/smtp.ts";
import type { Settlement } from "../../store/email-queue.ts";
import { NOT_MADE } from "../../store/unwritten-emails.ts";
import { fileOutgoing } from "./file-email.ts";
import { isFresh, isHandedOver } from "./hand-over.ts";
import type { Skip } from "./email-context.ts";
import { outgoing } from "./outgoing-email.ts";
import { noteFailure, noteSent, settle } from "./settle-email.ts";
import { writeEmail, type Composed } from "./write-email.ts";

/** `unreachable`: the mail server or a part of Billow can't do its work now, so the mailer pauses. */
export type Sent = "done" | "unreachable";

/**
 * The message to store. A link that gives access is in the mailbox of the recipient or the file of the operator alone.
 */
function withoutLinks({ kind, organization, recipient, message }: Composed): Settlement["message"] {
  const isSecret = isForRecipientAlone(kind, organization.mode);
  return { kind, recipient, ...message, ...(isSecret && { text: null, html: null }) };
}

type Handing = { ctx: Context; email: Email; composed: Composed; began: number; stopping: AbortSignal };

async function handOver({ ctx, email, composed, began, stopping }: Handing, mail: OutgoingEmail): Promise<Sent> {
  const outcome = await traced(
    () => SMTP,
    async (span) => {
      const answer = await ctx.mailer!.send(mail);
      if (!answer.sent) span.fail(answer.fault);
      return answer;
    },
  );
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
async function storeOnly(ctx: Context, email: Email, composed: Composed): Promise<Sent> {
  const { kind, organization, realNow } = composed;
  const hasFile = organization.mode === "live" || isToPerson(kind);
  const file = !hasFile && isFresh(email, realNow);
  await settle(ctx, email, { status: "kept", reason: null, message: withoutLinks(composed), file });
  return "done";
}

/** `mail`: the message for the SMTP server; null if the message is only stored. */
type Made = { composed: Composed; mail: OutgoingEmail | null } | Skip | { failed: Sent };

/**
 * Composes the message. A live message that is not sent is also written to its file, and so is a message to a person.
 * An e-mail to a person is handed over by a sandbox, too.
 */
async function make(ctx: Context, email: Email): Promise<Made> {
  try {
    const composed = await writeEmail(ctx, email);
    if ("skip" in composed) return composed;
    const { organization, realNow } = composed;
    const isPersonal = isToPerson(email.kind);
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

/** The span has the kind of the e-mail, and neither the recipient nor a text. */
const spanOf = ({ organizationId, id, kind, attempts }: Email) =>
  ({
    name: "email",
    kind: "internal",
    within: "new",
    attributes: {
      "billow.organization.id": organizationId,
      "billow.email.id": id,
      "billow.email.kind": kind,
      "billow.attempts": attempts,
    },
    causes: [id],
  }) as const;

const SMTP = {
  name: "smtp send",
  kind: "client",
  within: "parent",
  attributes: { "network.protocol.name": "smtp" },
} as const;

/**
 * Sends, stores or skips one claimed e-mail, with no transaction open. The current state is read right before sending,
 * so that no e-mail tells outdated news. After a crash between sending and recording, the e-mail is sent again under
 * the same Message-ID. `stopping` ends the attempts to record that the e-mail was sent (rule E6d).
 */
export function sendEmail(ctx: Context, email: Email, stopping: AbortSignal): Promise<Sent> {
  return traced(
    () => spanOf(email),
    () => composeAndSend(ctx, email, stopping),
  );
}

async function composeAndSend(ctx: Context, email: Email, stopping: AbortSignal): Promise<Sent> {
  const began = performance.now();
  const made = await make(ctx, email);
  if ("failed" in made) return made.failed;
  if ("skip" in made) {
    await settle(ctx, email, { status: "skipped", reason: made.skip, message: null, file: false });
    return "done";
  }
  const { composed, mail } = made;
  return mail ? handOver({ ctx, email, composed, began, stopping }, mail) : storeOnly(ctx, email, composed);
}
