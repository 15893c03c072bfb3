import type { Context } from "../../context.ts";
import { entryOf, type Entry, type Invitation, type User } from "../../domain/team/user.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { findInvitation } from "../../store/invitations.ts";
import { membershipsOf } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import { findUserByEmail } from "../../store/users.ts";
import { openInvitationUrl, type LinkWay } from "../links.ts";

/** An open invitation, the way of its link, and the person's way in. */
export type OpenInvitation = { invitation: Invitation; way: LinkWay; entry: Entry };

/** The way in of a person by this invitation. `user` null: the address has no account. */
export async function readEntry(db: Queryable, { organizationId }: Invitation, user: User | null): Promise<Entry> {
  const [organization, memberships] = await Promise.all([
    organizations.find(db, organizationId),
    user === null ? [] : membershipsOf(db, user.id),
  ]);
  return entryOf(organization!.mode, user, memberships);
}

/** The open invitation of a link; null: the link is used, too old, withdrawn or unknown. */
export async function openInvitation(ctx: Context, secret: string): Promise<OpenInvitation | null> {
  const named = openInvitationUrl(ctx, secret);
  const invitation = named && (await findInvitation(ctx.db.read, named.organizationId, named.id));
  if (!invitation) return null;
  const user = await findUserByEmail(ctx.db.read, invitation.emailKey);
  return { invitation, way: named.way, entry: await readEntry(ctx.db.read, invitation, user) };
}
