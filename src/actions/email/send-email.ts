import type { Context } from "../../context.ts";
import type { Email } from "../../domain/email/email.ts";
import { AppError } from "../../errors.ts";
import type { OutgoingEmail } from "../../outbound/smtp.ts";
import { NOT_MADE, type Settlement } from "../../store/emails.ts";
import { compose, readWritten, type Composed } from "./compose-email.ts";
import { fileOutgoing } from "./file-email.ts";
import { isFresh, isHandedOver } from "./handed-over.ts";
import type { Skip } from "./occasion.ts";
import { outgoing } from "./outgoing.ts";
import { noteFailure, noteSent, settle } from "./settle-email.ts";

/** `unreachable`: nobody took anything. */
export type Sent = "done" | "unreachable";

/** The link that signs people in stays in their mailbox alone; whoever plays with a sandbox reads it here. */
function withoutLinks({ kind, organization, recipient, message }: Composed): Settlement["message"] {
  const isSecret = kind === "portal_sign_in" && organization.mode === "live";
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

/** Readable here. A live one is a file by now; one of a sandbox will be when its turn comes. */
async function keep(ctx: Context, email: Email, { kind, organization, realNow, recipient, message }: Composed): Promise<Sent> {
  const file = organization.mode === "sandbox" && isFresh(email, realNow);
  await settle(ctx, email, { status: "kept", reason: null, message: { kind, recipient, ...message }, file });
  return "done";
}

/** `mail`: to be handed over; null: it is kept. */
type Made = { composed: Composed; mail: OutgoingEmail | null } | Skip | { failed: Sent };

/** The message, and its file where it is one at once. */
async function make(ctx: Context, email: Email): Promise<Made> {
  try {
    const composed = (await readWritten(ctx, email)) ?? (await compose(ctx, email));
    if ("skip" in composed) return composed;
    const { organization, realNow } = composed;
    const isStale = organization.mode === "sandbox" && email.reason === null && !isFresh(email, realNow);
    const isSent = isHandedOver(ctx, organization.mode) && !isStale;
    const mail = isSent || organization.mode === "live" ? await outgoing(ctx, email, composed) : null;
    if (mail && !isSent) await fileOutgoing(ctx, email, mail);
    return { composed, mail: isSent ? mail : null };
  } catch (error) {
    // A database that is gone, or a drawing process that is busy: the claim runs out, and it is tried again.
    if (error instanceof AppError && error.code === "unavailable") return { failed: "unreachable" };
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be made");
    await noteFailure(ctx, email, { error: NOT_MADE, fault: "other" }, 0, null);
    return { failed: "done" };
  }
}

/**
 * Sends, keeps or skips one claimed e-mail, with no transaction open. How things stand is looked at right before: nobody is told what is
 * not so any more. A crash in between sends it again under the same Message-ID. `stopping`: what can't be noted is left as it is.
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
