import type { Hono } from "hono";
import { isFirstRunOpen, setUp } from "../../actions/team/set-up.ts";
import { openSession } from "../../actions/team/sign-in.ts";
import type { Context } from "../../context.ts";
import { basePath } from "../assets.ts";
import type { PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import type { DashboardGuard } from "./guard.ts";
import { readUser } from "./read-user.ts";
import { goneLinkPage, setUpPage } from "./set-up.ts";

/** `/dashboard/set-up/{secret}`: the first-run link makes the first user, and signs the person in. */
export function setUpPages(ctx: Context, app: Hono<PageEnvironment>, { cookie }: DashboardGuard): void {
  const byClient = new RequestLimit();
  app.get("/dashboard/set-up/:secret", async (c) => {
    const secret = c.req.param("secret");
    if (!(await isFirstRunOpen(ctx, secret))) return c.html(goneLinkPage(ctx, "set-up"), 410);
    return c.html(setUpPage(ctx, secret));
  });
  app.post("/dashboard/set-up/:secret", async (c) => {
    byClient.count(c.env.client);
    const form = await readForm(c);
    const secret = c.req.param("secret");
    if (!(await isFirstRunOpen(ctx, secret))) return c.html(goneLinkPage(ctx, "set-up"), 410);
    const { typed, faults, user: wanted } = readUser(form);
    if (!wanted) return c.html(setUpPage(ctx, secret, typed, faults), 422);
    const user = await setUp(ctx, wanted);
    if (!user) return c.html(goneLinkPage(ctx, "set-up"), 410);
    cookie.write(c, await openSession(ctx, user.id, { former: cookie.read(c) }));
    return c.redirect(`${basePath(ctx)}/dashboard`, 303);
  });
}
