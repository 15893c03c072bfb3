import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { fileName } from "../../documents/billing-document.ts";
import { renderPdf } from "../../documents/render.ts";
import { refusedDelay, retryDelay, type Email } from "../../domain/email/email.ts";
import { displayName } from "../../domain/organization/organization.ts";
import { AppError } from "../../errors.ts";
import { asFile, type MailOutcome, type OutgoingEmail } from "../../outbound/smtp.ts";
import { customers } from "../../store/customers.ts";
import {
  CLAIM_MILLISECONDS,
  NOT_MADE,
  postponeEmail,
  returnFile,
  settleEmail,
  type Settlement,
} from "../../store/emails.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { readInvoiceDocument } from "../invoice/invoice-document.ts";
import { writeEmailFile } from "./email-files.ts";
import { compose, type Composed } from "./compose-email.ts";
import { isFresh, isHandedOver } from "./handed-over.ts";
import type { Skip } from "./occasion.ts";

/** What came of an e-mail; `unreachable`: nobody took anything. */
export type Sent = "done" | "unreachable";

async function outgoing(ctx: Context, email: Email, composed: Omit<Composed, "kind" | "realNow">): Promise<OutgoingEmail> {
  const { organization, name, recipient, message, document } = composed;
  const pdf = document && {
    filename: fileName(document),
    content: await renderPdf(organization.id, document),
    contentType: "application/pdf",
  };
  return {
    id: email.id,
    from: { name: displayName(organization), address: ctx.config.emailFrom },
    to: { name, address: recipient },
    ...message,
    attachments: pdf ? [pdf] : [],
  };
}

function settle(ctx: Context, email: Email, settlement: Settlement): Promise<void> {
  return ctx.db.tx((tx) => settleEmail(tx, email, settlement));
}

type Failure = Omit<MailOutcome & { sent: false }, "sent">;

/** Later again, or never. `waited`: milliseconds since it was queued. */
async function noteFailure(ctx: Context, email: Email, failure: Failure, waited: number, message: Settlement["message"]): Promise<void> {
  const { error, fault } = failure;
  const isCounted = fault !== "us";
  const again = () => (isCounted ? retryDelay(email.attempts, Math.random()) : refusedDelay(waited, Math.random()));
  const delay = fault === "recipient" ? null : again();
  // Servers like to repeat the address.
  const shown = message ? error.replaceAll(message.recipient, "[recipient]") : error;
  const about = { organizationId: email.organizationId, emailId: email.id, kind: email.kind, error: shown };
  if (delay === null) {
    ctx.log.error(about, "an e-mail could not be sent");
    return settle(ctx, email, { status: "failed", reason: error, message, file: false });
  }
  ctx.log.warn(about, "an e-mail was not taken, and is sent again later");
  return ctx.db.tx((tx) => postponeEmail(tx, email, error, email.attempts + (isCounted ? 1 : 0), delay));
}

/** What signs people in stays in their mailbox alone; whoever plays with a sandbox reads it here. */
function withoutLinks({ kind, organization, recipient, message }: Composed): Settlement["message"] {
  const isSecret = kind === "portal_sign_in" && organization.mode === "live";
  return { kind, recipient, ...message, ...(isSecret && { text: null, html: null }) };
}

/** Before a claim ends whoever holds it has to be done. */
const CLAIM_RESERVE_MILLISECONDS = 10_000;
const [FIRST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS] = [100, 5_000];

/** What has arrived is noted, however often that fails for as long as nobody else may send it: or it would be sent twice. */
async function noteSent(ctx: Context, email: Email, message: Settlement["message"], until: number, stopping: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS)) {
    try {
      return await settle(ctx, email, { status: "sent", reason: null, message, file: false });
    } catch (error) {
      if (stopping.aborted || performance.now() + pause >= until) throw error;
      ctx.log.warn({ err: error, emailId: email.id }, "an e-mail was sent, and that is noted later");
    }
    await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
  }
}

type Handing = { ctx: Context; email: Email; composed: Composed; began: number; stopping: AbortSignal };

async function handOver({ ctx, email, composed, began, stopping }: Handing, mail: OutgoingEmail): Promise<Sent> {
  const outcome = await ctx.mailer!.send(mail);
  const message = withoutLinks(composed);
  if (outcome.sent) {
    await noteSent(ctx, email, message, began + CLAIM_MILLISECONDS - CLAIM_RESERVE_MILLISECONDS, stopping);
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

async function writeFile(ctx: Context, { organizationId, id, kind }: Email, email: OutgoingEmail): Promise<void> {
  const file = await writeEmailFile(ctx, organizationId, id, await asFile(email));
  ctx.log.debug({ organizationId, emailId: id, kind, file }, "an e-mail is kept");
}

/** `mail`: to be handed over; null: it is kept. */
type Made = { composed: Composed; mail: OutgoingEmail | null } | Skip | { failed: Sent };

/** An e-mail that was written before its turn came is sent as it is. */
async function readWritten(ctx: Context, { organizationId, customerId, ...email }: Email): Promise<Composed | null> {
  const { kind, recipient, subject, text, html } = email;
  if (recipient === null || subject === null || text === null || html === null) return null;
  const [{ organization, realNow }, customer] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    customers.find(ctx.db.read, organizationId, customerId),
  ]);
  return { kind, organization, realNow, name: customer?.name ?? "", recipient, message: { subject, text, html }, document: null };
}

/** The message, and its file where it is one at once. */
async function make(ctx: Context, email: Email): Promise<Made> {
  try {
    const composed = (await readWritten(ctx, email)) ?? (await compose(ctx, email));
    if ("skip" in composed) return composed;
    const { organization, realNow } = composed;
    const isStale = organization.mode === "sandbox" && email.reason === null && !isFresh(email, realNow);
    const isSent = isHandedOver(ctx, organization.mode) && !isStale;
    const mail = isSent || organization.mode === "live" ? await outgoing(ctx, email, composed) : null;
    if (mail && !isSent) await writeFile(ctx, email, mail);
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

async function writeKept(ctx: Context, email: Email): Promise<void> {
  const { organizationId, invoiceId, recipient, subject, text, html } = email;
  if (recipient === null || subject === null || text === null || html === null) return;
  const [organization, customer, found] = await Promise.all([
    organizations.find(ctx.db.read, organizationId),
    customers.find(ctx.db.read, organizationId, email.customerId),
    email.kind === "receipt" ? readInvoiceDocument(ctx, organizationId, invoiceId!) : null,
  ]);
  const message = { subject, text, html };
  const composed = { organization: organization!, name: customer?.name ?? "", recipient, message, document: found?.document ?? null };
  await writeFile(ctx, email, await outgoing(ctx, email, composed));
}

/** Writes one kept e-mail to its file, as it is kept. False: it can't be written just now, and waits on behind others. */
export async function fileEmail(ctx: Context, email: Email): Promise<boolean> {
  try {
    await writeKept(ctx, email);
    return true;
  } catch (error) {
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be written to a file, and waits on");
    await ctx.db.tx((tx) => returnFile(tx, email));
    return false;
  }
}
