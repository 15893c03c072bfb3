import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import type { Email } from "../../domain/model/email.ts";
import { FORGOTTEN_MILLISECONDS } from "../../domain/team/user.ts";
import { writePasswordEmail } from "../../mail/new-password.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findUserByEmail } from "../../store/users.ts";
import { dashboardUrl } from "../links.ts";
import { forgottenPasswordUrl } from "../team/new-password.ts";
import type { Composed } from "./compose-email.ts";
import type { Skip } from "./email-context.ts";

/**
 * Writes the e-mail with a link for a new password. A person without a password gets the address of the sign-in
 * instead: an administrator of the OpenID provider may have closed the person's account there.
 */
export async function composeNewPassword(ctx: Context, email: Email): Promise<Composed | Skip> {
  const { organizationId, kind, queuedAt } = email;
  const recipient = email.recipient ?? "";
  const [{ organization, realNow }, user] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    findUserByEmail(ctx.db.read, emailKey(recipient)),
  ]);
  if (!user) return { skip: "changed_meanwhile" };
  if (realNow - queuedAt >= FORGOTTEN_MILLISECONDS) return { skip: "past" };
  const url = user.passwordHash === null ? null : forgottenPasswordUrl(ctx, user, queuedAt);
  const message = writePasswordEmail({ url, signInUrl: `${dashboardUrl(ctx)}/sign-in` }, organization);
  return { kind, organization, realNow, name: user.name, recipient, message, document: null };
}
