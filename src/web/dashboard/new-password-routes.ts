import type { Hono } from "hono";
import { askForNewPassword } from "../../actions/team/forgotten-password.ts";
import { openNewPassword, resetPassword } from "../../actions/team/new-password.ts";
import type { Context } from "../../context.ts";
import { wordsOfPassword } from "./read-user.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { hasUser } from "../../store/users.ts";
import { basePath } from "../assets.ts";
import { shownAgain } from "../components/field.ts";
import type { PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import type { DashboardGuard } from "./guard.ts";
import { askedPage, forgottenPage, resetPage } from "./new-password.ts";
import { SAID_LATER } from "./refusal-texts.ts";
import { goneLinkPage, noUserPage } from "./set-up.ts";

const FORGOTTEN = "/dashboard/forgotten-password";
const LINK = "/dashboard/new-password/:secret";

/** `/dashboard/forgotten-password`: sends a link for a new password to the person's e-mail address. */
function forgottenPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const byClient = new RequestLimit();
  app.get(FORGOTTEN, async (c) => {
    if (!(await hasUser(ctx.db.read))) return c.html(noUserPage(ctx));
    return c.html(forgottenPage(ctx, { email: "" }));
  });
  app.post(FORGOTTEN, async (c) => {
    byClient.count(c.env.client);
    const typed = (await readForm(c)).get("email") ?? "";
    const read = emailSchema.safeParse(typed);
    const email = shownAgain(typed);
    if (!read.success) {
      const fault = "Enter an e-mail address like name@example.com.";
      return c.html(forgottenPage(ctx, { email, fault }), 422);
    }
    const refused = await askForNewPassword(ctx, { email: read.data, client: c.env.client });
    if (refused !== null) return c.html(forgottenPage(ctx, { email, alert: SAID_LATER }), 429);
    return c.html(askedPage(ctx, read.data));
  });
}

/** Links for a new password: those of `billow team password`, and those of e-mails. */
export function newPasswordPages(ctx: Context, app: Hono<PageEnvironment>, { cookie }: DashboardGuard): void {
  forgottenPages(ctx, app);
  const byClient = new RequestLimit();
  app.get(LINK, async (c) => {
    const opened = await openNewPassword(ctx, c.req.param("secret"));
    if (!opened) return c.html(goneLinkPage(ctx, "password"), 410);
    return c.html(resetPage(ctx, opened.user.email));
  });
  app.post(LINK, async (c) => {
    byClient.count(c.env.client);
    const wanted = (await readForm(c)).get("newPassword") ?? "";
    const opened = await openNewPassword(ctx, c.req.param("secret"));
    if (!opened) return c.html(goneLinkPage(ctx, "password"), 410);
    const { user } = opened;
    const weak = wordsOfPassword(wanted, [user.name, user.email]);
    if (weak !== null) return c.html(resetPage(ctx, user.email, weak), 422);
    const secret = await resetPassword(ctx, opened, wanted, c.env.clientAddress);
    if (secret === null) return c.html(goneLinkPage(ctx, "password"), 410);
    cookie.write(c, secret);
    return c.redirect(`${basePath(ctx)}/dashboard`, 303);
  });
}
