import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { formatInstant, instant } from "../../domain/calendar.ts";
import type { User } from "../../domain/team/user.ts";
import { newId } from "../../ids.ts";
import { writeAccessResetEmail, type AccessResetFacts } from "../../mail/access-reset.ts";
import type { Tx } from "../../store/driver/db.ts";
import { queueWritten } from "../../store/email-queue.ts";
import { findMailMembership } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import type { ConnectedIdentity } from "../../store/user-identities.ts";
import { dashboardUrl } from "../links.ts";

/** The account at a provider in words: the provider's host, and the e-mail address or else the subject. */
const identityInWords = ({ issuer, subject, email }: ConnectedIdentity): string =>
  `${email ?? subject} at ${new URL(issuer).host}`;

/** The link that opened the account. */
export type ResetWay = AccessResetFacts["way"];

/** E-mails the person about the end of all former access. A person without an Organization gets no e-mail. */
export async function queueResetEmail(
  ctx: Context,
  tx: Tx,
  user: User,
  { way, identity }: { way: ResetWay; identity: ConnectedIdentity | null },
): Promise<void> {
  const place = await findMailMembership(tx, user.emailKey);
  const organization = place && (await organizations.find(tx, place.organizationId));
  if (!organization) return;
  const base = dashboardUrl(ctx);
  const urls = { signInUrl: `${base}/sign-in`, forgottenUrl: `${base}/forgotten-password` };
  const ended = { factor: user.totpSealed !== null, openId: identity && identityInWords(identity) };
  const at = formatInstant(instant(realNow()));
  const message = writeAccessResetEmail({ way, at, ...ended, ...urls }, organization);
  const own = { organizationId: organization.id, id: newId("eml"), recipient: user.email };
  queueWritten(tx, { ...own, kind: "team_access_reset", ...message });
}
