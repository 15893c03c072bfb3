import type { Context } from "../context.ts";
import type { BillingDocument } from "../documents/billing-document.ts";
import { fileName } from "../documents/billing-document.ts";
import { renderPdf } from "../documents/render.ts";
import type { Instant } from "../domain/calendar.ts";
import { retryDelay, type Email, type EmailKind } from "../domain/email.ts";
import { displayName, type Organization } from "../domain/organization.ts";
import { AppError } from "../errors.ts";
import { setLetter, type Message } from "../mail/letter.ts";
import { LETTERS, type LetterFacts } from "../mail/letters.ts";
import { hostOf, isLoopback } from "../outbound/addresses.ts";
import { asFile, type MailOutcome, type OutgoingEmail } from "../outbound/smtp.ts";
import { customers } from "../store/customers.ts";
import { postponeEmail, settleEmail, type Settlement } from "../store/emails.ts";
import { organizations, readOrganization } from "../store/organizations.ts";
import { readInvoiceDocument } from "./documents.ts";
import { writeEmailFile } from "./email-files.ts";
import { GATHER, type Gathered, type Skip } from "./email-facts.ts";

/** What came of an e-mail; `unreachable`: nobody took anything. */
export type Sent = "done" | "unreachable";

/**
 * Whether an Organization's e-mails are handed to the SMTP server. Those of a sandbox stay on this machine, unless Billow is a developer's
 * own: test clocks would write to real people.
 */
export function isHandedOver({ config, mailer }: Context, mode: Organization["mode"]): boolean {
  return mailer !== null && (mode === "live" || isLoopback(hostOf(new URL(config.publicOrigin))));
}

type Composed = {
  organization: Organization;
  realNow: Instant;
  name: string;
  recipient: string;
  message: Message;
  document: BillingDocument | null;
};

/** The facts of a kind go to the letter of that kind. */
function write<Kind extends EmailKind>(kind: Kind, facts: LetterFacts[Kind], organization: Organization): Message {
  return setLetter(LETTERS[kind](facts), organization);
}

/** The message by how things stand now, or why there is none. */
async function compose(ctx: Context, email: Email): Promise<Composed | Skip> {
  const [{ organization, now, realNow }, customer] = await Promise.all([
    readOrganization(ctx.db.read, email.organizationId),
    customers.find(ctx.db.read, email.organizationId, email.customerId),
  ]);
  if (!customer || customer.deletedAt !== null || customer.email === "") return { skip: "customer_deleted" };
  const gather = GATHER[email.kind] as (occasion: Parameters<typeof GATHER.receipt>[0]) => Promise<Gathered<LetterFacts[EmailKind]> | Skip>;
  const gathered = await gather({ ctx, email, organization, customer, now, realNow });
  if ("skip" in gathered) return gathered;
  const message = write(email.kind, gathered.facts, organization);
  return { organization, realNow, name: customer.name ?? "", recipient: customer.email, message, document: gathered.document ?? null };
}

async function outgoing(ctx: Context, email: Email, composed: Omit<Composed, "realNow">): Promise<OutgoingEmail> {
  const { organization, name, recipient, message, document } = composed;
  const pdf = document && { filename: fileName(document), content: await renderPdf(document), contentType: "application/pdf" };
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

type Failure = Pick<MailOutcome & { sent: false }, "error" | "final">;

/** Later again, or never. */
async function noteFailure(ctx: Context, email: Email, { error, final }: Failure, message: Settlement["message"]): Promise<void> {
  const delay = final ? null : retryDelay(email.attempts, Math.random());
  // Servers like to repeat the address.
  const shown = message ? error.replaceAll(message.recipient, "[recipient]") : error;
  const about = { organizationId: email.organizationId, emailId: email.id, kind: email.kind, error: shown };
  if (delay === null) {
    ctx.log.error(about, "an e-mail could not be sent");
    return settle(ctx, email, { status: "failed", reason: error, message, file: false });
  }
  ctx.log.warn(about, "an e-mail was not taken, and is sent again later");
  return ctx.db.tx((tx) => postponeEmail(tx, email, error, delay));
}

/** What signs people in stays in their mailbox alone; whoever plays with a sandbox reads it here. */
function withoutLinks({ kind }: Email, { organization, recipient, message }: Composed): Settlement["message"] {
  const isSecret = kind === "portal_sign_in" && organization.mode === "live";
  return { recipient, ...message, ...(isSecret && { text: null, html: null }) };
}

async function handOver(ctx: Context, email: Email, composed: Composed): Promise<Sent> {
  const outcome = await ctx.mailer!.send(await outgoing(ctx, email, composed));
  const message = withoutLinks(email, composed);
  if (outcome.sent) await settle(ctx, email, { status: "sent", reason: null, message, file: false });
  else await noteFailure(ctx, email, outcome, message);
  return !outcome.sent && outcome.unreachable ? "unreachable" : "done";
}

/** For so long after it was queued an e-mail of a sandbox is handed over, or written to a file: an advance makes thousands at once. */
const FRESH_MILLISECONDS = 600_000;

/** Readable here. A live one is a file at once; one of a sandbox when its turn comes. */
async function keep(ctx: Context, email: Email, composed: Composed): Promise<Sent> {
  const { organization, realNow, recipient, message } = composed;
  const isLive = organization.mode === "live";
  if (isLive) await writeFile(ctx, email, await outgoing(ctx, email, composed));
  const file = !isLive && realNow - email.queuedAt < FRESH_MILLISECONDS;
  await settle(ctx, email, { status: "kept", reason: null, message: { recipient, ...message }, file });
  return "done";
}

async function writeFile(ctx: Context, { organizationId, id, kind }: Email, email: OutgoingEmail): Promise<void> {
  const file = await writeEmailFile(ctx, organizationId, id, await asFile(email));
  ctx.log.debug({ organizationId, emailId: id, kind, file }, "an e-mail is kept");
}

/**
 * Sends, keeps or skips one claimed e-mail, with no transaction open. How things stand is looked at right before: nobody is told what is
 * not so any more. A crash in between sends it again under the same Message-ID.
 */
export async function sendEmail(ctx: Context, email: Email): Promise<Sent> {
  try {
    const composed = await compose(ctx, email);
    if ("skip" in composed) {
      await settle(ctx, email, { status: "skipped", reason: composed.skip, message: null, file: false });
      return "done";
    }
    const { mode } = composed.organization;
    const isStale = mode === "sandbox" && email.attempts === 0 && composed.realNow - email.queuedAt >= FRESH_MILLISECONDS;
    return await (isHandedOver(ctx, mode) && !isStale ? handOver : keep)(ctx, email, composed);
  } catch (error) {
    // A database that is gone, or a drawing process that is busy: the claim runs out, and it is tried again.
    if (error instanceof AppError && error.code === "unavailable") return "unreachable";
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be made");
    await noteFailure(ctx, email, { error: "It could not be made.", final: false }, null);
    return "done";
  }
}

/** Writes one kept e-mail to its file, as it is kept. */
export async function fileEmail(ctx: Context, email: Email): Promise<void> {
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
