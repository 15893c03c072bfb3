import type { Hono } from "hono";
import { acceptAs, acceptByPassword } from "../../actions/team/accept.ts";
import { openInvitation, type OpenInvitation } from "../../actions/team/open-invitation.ts";
import { openSession } from "../../actions/team/sign-in.ts";
import type { Context } from "../../context.ts";
import { organizations } from "../../store/organizations.ts";
import { basePath } from "../assets.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import type { DashboardGuard } from "./guard.ts";
import {
  acceptPage,
  goneInvitationPage,
  newMemberPage,
  otherPersonPage,
  signInFirstPage,
  type InvitationFormState,
} from "./invitation.ts";
import { readUser } from "./read-user.ts";

const PATH = "/dashboard/invitations/:secret";

/** `/dashboard/invitations/{secret}`: an invited person joins an Organization. */
export function invitationPages(ctx: Context, app: Hono<PageEnvironment>, { cookie, requestOf }: DashboardGuard): void {
  const byClient = new RequestLimit();
  const shownOf = async (c: PageContext, { invitation, entry }: OpenInvitation): Promise<InvitationFormState> => {
    const organization = await organizations.find(ctx.db.read, invitation.organizationId);
    const secret = c.req.param("secret") ?? "";
    return { invitation, entry, organization: organization!, secret, path: c.req.path };
  };
  const to = (organizationId: string) => `${basePath(ctx)}/dashboard/${organizationId}`;
  const gone = (c: PageContext) => c.html(goneInvitationPage(ctx), 410);

  app.get(PATH, async (c) => {
    const found = await openInvitation(ctx, c.req.param("secret"));
    if (!found) return gone(c);
    const [shown, person] = [await shownOf(c, found), await requestOf(c)];
    if (person && person.user.emailKey !== found.invitation.emailKey)
      return c.html(otherPersonPage(ctx, shown, person));
    if (found.entry !== "sign_in") return c.html(newMemberPage(ctx, shown));
    return c.html(person ? acceptPage(ctx, shown, person) : signInFirstPage(ctx, shown));
  });

  /** The address has an account, so the owner of the account has to be signed in. */
  const acceptKnown = async (c: PageContext, found: OpenInvitation) => {
    const person = await requestOf(c);
    if (!person) return c.redirect(basePath(ctx) + c.req.path, 303);
    if (await acceptAs(ctx, found.invitation, person.user, c.env.clientAddress))
      return c.redirect(to(found.invitation.organizationId), 303);
    return c.html(otherPersonPage(ctx, await shownOf(c, found), person), 422);
  };
  app.post(PATH, async (c) => {
    byClient.count(c.env.client);
    const found = await openInvitation(ctx, c.req.param("secret"));
    if (!found) return gone(c);
    if (found.entry === "sign_in") return acceptKnown(c, found);
    const form = await readForm(c);
    form.set("email", found.invitation.email);
    const { typed, faults, user: wanted } = readUser(form);
    if (!wanted) return c.html(newMemberPage(ctx, await shownOf(c, found), typed.name, faults), 422);
    const user = await acceptByPassword(ctx, found, wanted, c.env.clientAddress);
    if (!user) return gone(c);
    cookie.write(c, await openSession(ctx, user.id, { former: cookie.read(c) }));
    return c.redirect(to(found.invitation.organizationId), 303);
  });
}
