import { LINK_MILLISECONDS, LINK_MINUTES } from "../../domain/model/portal-session.ts";
import { displayName } from "../../domain/model/organization.ts";
import type { SignInFacts } from "../../mail/sign-in.ts";
import { mailPortalLinks } from "../customer/portal-links.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

/**
 * Makes sign-in links for all Customers with the e-mail address. If the e-mail is older than `LINK_MILLISECONDS`, it is
 * skipped, because the visitor no longer waits for a link (rule E8).
 */
export async function loadSignIn(occasion: EmailContext): Promise<LoadedFacts<SignInFacts> | Skip> {
  const { ctx, email, organization, customer, realNow } = occasion;
  if (realNow - email.queuedAt >= LINK_MILLISECONDS) return { skip: "past" };
  const accounts = await ctx.db.tx((tx) => mailPortalLinks(ctx, tx, customer, email.id));
  if (accounts.length === 0) return { skip: "changed_meanwhile" };
  return { facts: { seller: displayName(organization), minutes: LINK_MINUTES, accounts } };
}
