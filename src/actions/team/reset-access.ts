import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant, formatInstant } from "../../domain/calendar.ts";
import type { User } from "../../domain/team/user.ts";
import type { Tx } from "../../store/driver/db.ts";
import { deleteIdentity, type ConnectedIdentity } from "../../store/user-identities.ts";
import { dropUserSessions } from "../../store/user-sessions.ts";
import { users } from "../../store/users.ts";
import { noteOfPerson } from "./audit.ts";
import { newId } from "../../ids.ts";
import { writeAccessResetEmail, type AccessResetFacts } from "../../mail/access-reset.ts";
import { queueWritten } from "../../store/email-queue.ts";
import { findMailMembership } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import { dashboardUrl } from "../links.ts";

/** The account at a provider in words: the provider's host, and the e-mail address or else the subject. */
const identityInWords = ({ issuer, subject, email }: ConnectedIdentity): string =>
  `${email ?? subject} at ${new URL(issuer).host}`;

/** The link that opened the account. */
type ResetWay = AccessResetFacts["way"];

/** E-mails the person about the end of all former access. A person without an Organization gets no e-mail. */
async function queueResetEmail(
  ctx: Context,
  tx: Tx,
  user: User,
  { way, identity }: { way: ResetWay; identity: ConnectedIdentity | null },
): Promise<void> {
  const membership = await findMailMembership(tx, user.emailKey);
  const organization = membership && (await organizations.find(tx, membership.organizationId));
  if (!organization) return;
  const base = dashboardUrl(ctx);
  const urls = { signInUrl: `${base}/sign-in`, forgottenUrl: `${base}/forgotten-password` };
  const ended = { factor: user.totpSealed !== null, openId: identity && identityInWords(identity) };
  const at = formatInstant(instant(realNow()));
  const message = writeAccessResetEmail({ way, at, ...ended, ...urls }, organization);
  const own = { organizationId: organization.id, id: newId("eml"), recipient: user.email };
  queueWritten(tx, { ...own, kind: "team_access_reset", ...message });
}

/**
 * A new beginning of an account. `passwordHash` null: the person signs in through the OpenID provider. `isProven`: the
 * person has just proved that the mailbox is the person's own.
 */
export type NewAccess = {
  way: ResetWay;
  name: string;
  passwordHash: string | null;
  isProven: boolean;
  clientAddress: string;
};

/**
 * Gives a person new access, and ends all access of before: password, sessions, second factor and the account at the
 * OpenID provider. A stranger with the former access is out then. `user`: the locked row, with its memberships.
 */
export async function resetAccess(ctx: Context, tx: Tx, user: User, access: NewAccess): Promise<User> {
  const { way, name, passwordHash, isProven, clientAddress } = access;
  const now = instant(realNow());
  const proven = isProven ? { emailProvenAt: now } : {};
  const next = { ...user, name, passwordHash, ...proven, totpSealed: null, totpStep: null, updatedAt: now };
  users.update(tx, next);
  dropUserSessions(tx, user.id);
  const identity = await deleteIdentity(tx, user.id);
  const by = { userId: user.id, clientAddress };
  await noteOfPerson(tx, by, "changePassword");
  if (user.totpSealed !== null) await noteOfPerson(tx, by, "removeSecondFactor");
  if (identity !== null) await noteOfPerson(tx, by, "disconnectOpenId");
  await queueResetEmail(ctx, tx, user, { way, identity });
  return next;
}
