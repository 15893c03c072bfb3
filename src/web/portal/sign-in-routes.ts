import type { Hono } from "hono";
import { findInvited, signIn } from "../../actions/customer/portal-sessions.ts";
import { requestSignIn } from "../../actions/portal-requests.ts";
import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/customer/customer.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { shownAgain } from "../components/field.ts";
import type { PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { confirmPage, sentPage, signInPage, usedPage } from "./sign-in.ts";
import { openPortal, ROOT, type Door } from "./visit.ts";

/**
 * The most sign-in requests a minute for one e-mail address by one client. Each client has its own count, so strangers
 * can't keep the owner of the e-mail address from signing in.
 */
const MOST_REQUESTS_AN_ADDRESS = 5;

/** The page that takes an e-mail address and sends a link, and the pages behind the links. */
export function signInPages(ctx: Context, app: Hono<PageEnvironment>, { session }: Door): void {
  const byClient = new RequestLimit();
  const byBoth = new RequestLimit(MOST_REQUESTS_AN_ADDRESS);
  app.post(ROOT, async (c) => {
    byClient.count(c.env.client);
    const { organization, self } = await openPortal(ctx, c);
    const typed = (await readForm(c)).get("email") ?? "";
    const read = emailSchema.safeParse(typed);
    const rejected = {
      typed: shownAgain(typed),
      fault: "Enter an e-mail address, such as ada@example.com.",
    };
    if (!read.success) return c.html(signInPage(ctx, organization, rejected), 422);
    const { client } = c.env;
    byBoth.count(`${client} ${organization.id} ${emailKey(read.data)}`);
    await requestSignIn(ctx, organization.id, read.data, client);
    return c.html(sentPage(ctx, organization, self));
  });
  app.get(`${ROOT}/sign-in/:secret`, async (c) => {
    const { organization, self } = await openPortal(ctx, c);
    const invited = await findInvited(ctx, organization.id, c.req.param("secret"));
    return invited ? c.html(confirmPage(ctx, organization, invited)) : c.html(usedPage(ctx, organization, self), 410);
  });
  app.post(`${ROOT}/sign-in/:secret`, async (c) => {
    byClient.count(c.env.client);
    const portal = await openPortal(ctx, c);
    const opened = await signIn(ctx, portal.organization.id, c.req.param("secret"));
    if (opened === null) return c.html(usedPage(ctx, portal.organization, portal.self), 410);
    session.write(c, portal, opened);
    return c.redirect(portal.self, 303);
  });
}
