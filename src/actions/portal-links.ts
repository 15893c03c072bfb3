import { randomBytes } from "node:crypto";
import type { Context } from "../context.ts";
import { emailKey, type Customer } from "../domain/customer.ts";
import { MOST_LINKS_AN_EMAIL, MOST_SIGN_IN_EMAILS_AN_HOUR } from "../domain/portal.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { presentPortalSession, type CreatePortalSessionParams } from "../resources/portal-session.ts";
import { findAnyByEmail, listByEmail } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import * as emails from "../store/emails.ts";
import { insertLink } from "../store/portal.ts";
import { digestOf } from "./api-keys.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { portalLinkUrl } from "./links.ts";
import { workOn } from "./work.ts";

const SECRET_BYTES = 32;

/** What nobody can guess, and what of it is stored. */
export function newSecret(): { secret: string; digest: Uint8Array } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, digest: digestOf(secret) };
}

type Purpose = { returnUrl: string | null; emailId: string | null };

/** A link that signs a Customer in once, and until when it does; `url` is all there ever is of its secret. */
async function createLink(ctx: Context, tx: Tx, { organizationId, id }: Customer, purpose: Purpose) {
  const { secret, digest } = newSecret();
  const expiresAt = await insertLink(tx, { organizationId, digest, customerId: id, ...purpose });
  return { url: portalLinkUrl(ctx, organizationId, secret), expiresAt };
}

/** `POST /customers/{id}/portal-sessions`: a link for a Customer whom the caller has signed in by itself. @throws AppError 404 */
export async function createPortalSession(ctx: Context, call: Call, id: string, params: CreatePortalSessionParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const work = await workOn(ctx, tx, call.organizationId, id);
    if (!work) throw new AppError("not_found");
    const link = await createLink(ctx, tx, work.customer, { returnUrl: params.returnUrl, emailId: null });
    return { ...answer(201, presentPortalSession(link)), secret: true };
  });
}

/** Writes to whoever has this address. Nobody learns here whether there is such a Customer, or whether they had enough e-mails. */
export async function requestSignIn(ctx: Context, organizationId: string, address: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const known = await findAnyByEmail(tx, organizationId, emailKey(address));
    const work = known && (await workOn(ctx, tx, organizationId, known.id));
    if (!work) return;
    const kind = "portal_sign_in";
    const sent = await emails.countLately(tx, organizationId, known.id, kind);
    if (sent >= MOST_SIGN_IN_EMAILS_AN_HOUR) return;
    const about = { subscriptionId: null, invoiceId: null, paymentId: null, announcedAt: null };
    emails.queue(tx, { ...about, organizationId, id: newId("eml"), kind, customerId: known.id, createdAt: work.now });
  });
}

/** By which somebody with several accounts tells them apart. */
function nameOf({ name, externalId, email }: Customer): string {
  if (externalId === null) return name ?? email;
  return name === null ? externalId : `${name} (${externalId})`;
}

/** A link for each Customer who has this one's address, oldest first; they are made as the e-mail is, so that none lies about. */
export async function mailPortalLinks(
  ctx: Context,
  tx: Tx,
  { organizationId, emailKey: key }: Customer,
  emailId: string,
): Promise<{ name: string; url: string }[]> {
  const accounts: { name: string; url: string }[] = [];
  for (const customer of await listByEmail(tx, organizationId, key, MOST_LINKS_AN_EMAIL)) {
    // Nobody who is being deleted at this moment.
    if (!(await workOn(ctx, tx, organizationId, customer.id))) continue;
    const { url } = await createLink(ctx, tx, customer, { returnUrl: null, emailId });
    accounts.push({ name: nameOf(customer), url });
  }
  return accounts;
}
