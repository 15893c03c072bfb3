import type { Context } from "../../context.ts";
import type { Email } from "../../domain/model/email.ts";
import { asFile, type OutgoingEmail } from "../../outbound/smtp.ts";
import { customers } from "../../store/customers.ts";
import { acrossNodes } from "../../store/distribution/across-nodes.ts";
import { claimFile, dropFiles, findNextFile, lateFiles, returnFile } from "../../store/email-files.ts";
import { organizations } from "../../store/organizations.ts";
import { readInvoiceDocument } from "../invoice/invoice-document.ts";
import { writeEmailFile } from "./email-files.ts";
import { outgoing } from "./outgoing-email.ts";

/** The most late messages that lose their mark at a time. */
const MOST_LATE = 1_000;

/** Messages that have waited too long get no file. One transaction for each Organization. */
async function dropLateFiles({ db }: Pick<Context, "db">): Promise<void> {
  const late = await lateFiles(acrossNodes(db), MOST_LATE);
  for (const [organizationId, some] of Map.groupBy(late, (each) => each.organizationId)) {
    const ids = some.map(({ id }) => id);
    await db.tx(async (tx) => dropFiles(tx, organizationId, ids));
  }
}

/** Claims the newest message that is to be written to a file; null if no message can be claimed. */
export async function claimNextFile({ db }: Pick<Context, "db">): Promise<Email | null> {
  for (let isDropped = false; ; isDropped = true) {
    const next = await findNextFile(acrossNodes(db));
    if (next === null) return null;
    if (!isDropped) await dropLateFiles({ db });
    if (next.isLate) return null;
    const email = await db.tx((tx) => claimFile(tx, next));
    // Another process has claimed the message, so the next one is claimed.
    if (email !== null) return email;
  }
}

/** Writes an e-mail to its file. */
export async function fileOutgoing(
  ctx: Context,
  { organizationId, id, kind }: Email,
  email: OutgoingEmail,
): Promise<void> {
  const file = await writeEmailFile(ctx, organizationId, id, await asFile(email));
  ctx.log.debug({ organizationId, emailId: id, kind, file }, "an e-mail is kept");
}

async function writeFile(ctx: Context, email: Email): Promise<void> {
  const { organizationId, invoiceId, recipient, subject, text, html } = email;
  if (recipient === null || subject === null || text === null || html === null) return;
  const [organization, customer] = await Promise.all([
    organizations.find(ctx.db.read, organizationId),
    email.customerId === null ? null : customers.find(ctx.db.read, organizationId, email.customerId),
  ]);
  const readers = [customer?.locale ?? null];
  const found = email.kind === "receipt" ? await readInvoiceDocument(ctx, organizationId, invoiceId!, readers) : null;
  const message = { subject, text, html };
  const composed = {
    organization: organization!,
    name: customer?.name ?? "",
    recipient,
    message,
    document: found?.document ?? null,
  };
  await fileOutgoing(ctx, email, await outgoing(ctx, email, composed));
}

/**
 * Writes one kept e-mail to its file. Returns false if the file can't be written now. The e-mail is then put behind the
 * other waiting e-mails.
 */
export async function fileEmail(ctx: Context, email: Email): Promise<boolean> {
  try {
    await writeFile(ctx, email);
    return true;
  } catch (error) {
    ctx.log.error({ err: error, emailId: email.id }, "an e-mail could not be written to a file, and waits on");
    await ctx.db.tx((tx) => returnFile(tx, email));
    return false;
  }
}
