import type { Hono } from "hono";
import { changePassword, openNewPassword } from "../../actions/team/new-password.ts";
import { addSecondFactor, newFactorKey, removeSecondFactor } from "../../actions/team/second-factor.ts";
import { checkOwnPassword } from "../../actions/team/sign-in.ts";
import type { Context } from "../../context.ts";
import { fromBase32 } from "../../domain/team/totp.ts";
import { faultOfPassword, type User } from "../../domain/team/user.ts";
import { basePath } from "../assets.ts";
import type { PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { accountPage, addFactorPage, passwordPage, removeFactorPage, resetPage } from "./account.ts";
import type { DashboardDoor } from "./door.ts";
import { SAID } from "./refused.ts";
import { goneLinkPage } from "./set-up.ts";

const DONE: Record<string, string> = {
  password: "Your password has been changed. You are signed out everywhere else.",
  on: "The second factor is on.",
  off: "The second factor is off.",
};

const aboutOf = ({ name, email }: User) => [name, email];

function passwordPages(ctx: Context, app: Hono<PageEnvironment>, { known, cookie }: DashboardDoor): void {
  app.get(
    "/dashboard/account/password",
    known(async (c, person) => c.html(passwordPage(ctx, person))),
  );
  app.post(
    "/dashboard/account/password",
    known(async (c, person) => {
      const { user, secret, form, base } = person;
      const wanted = form.get("newPassword") ?? "";
      const weak = faultOfPassword(wanted, aboutOf(user));
      if (weak !== null) return c.html(passwordPage(ctx, person, { newPassword: weak }), 422);
      const refused = await checkOwnPassword(ctx, { user, secret, client: c.env.client }, form.get("password") ?? "");
      if (refused === "too_many") return c.html(passwordPage(ctx, person, { password: SAID.too_many }), 429);
      if (refused) return c.html(passwordPage(ctx, person, { password: "This is not your password." }), 422);
      const opened = await changePassword(ctx, user, wanted);
      if (opened === null) return c.redirect(`${base}/account/password`, 303);
      cookie.write(c, opened);
      return c.redirect(`${base}/account?done=password`, 303);
    }),
  );
}

/** A link of `billow team password`. */
function resetPages(ctx: Context, app: Hono<PageEnvironment>, { cookie }: DashboardDoor): void {
  const byClient = new RequestLimit();
  app.get("/dashboard/new-password/:secret", async (c) => {
    const user = await openNewPassword(ctx, c.req.param("secret"));
    return user ? c.html(resetPage(ctx, user.email)) : c.html(goneLinkPage(ctx, "password"), 410);
  });
  app.post("/dashboard/new-password/:secret", async (c) => {
    byClient.count(c.env.client);
    const wanted = (await readForm(c)).get("newPassword") ?? "";
    const user = await openNewPassword(ctx, c.req.param("secret"));
    if (!user) return c.html(goneLinkPage(ctx, "password"), 410);
    const weak = faultOfPassword(wanted, aboutOf(user));
    if (weak !== null) return c.html(resetPage(ctx, user.email, weak), 422);
    const opened = await changePassword(ctx, user, wanted, { withoutFactor: true });
    if (opened === null) return c.html(goneLinkPage(ctx, "password"), 410);
    cookie.write(c, opened);
    return c.redirect(`${basePath(ctx)}/dashboard`, 303);
  });
}

function factorPages(ctx: Context, app: Hono<PageEnvironment>, { confirmedPerson }: DashboardDoor): void {
  const path = "/dashboard/account/second-factor";
  app.get(
    path,
    confirmedPerson(async (c, person) =>
      c.html(
        person.user.totpSealed === null ? addFactorPage(ctx, person, newFactorKey()) : removeFactorPage(ctx, person),
      ),
    ),
  );
  app.post(
    path,
    confirmedPerson(async (c, person) => {
      const { user, form, base } = person;
      if (user.totpSealed !== null) {
        await removeSecondFactor(ctx, user);
        return c.redirect(`${base}/account?done=off`, 303);
      }
      const key = form.get("key") ?? "";
      if (fromBase32(key) === null) return c.redirect(`${base}/account/second-factor`, 303);
      if (await addSecondFactor(ctx, user, key, form.get("code") ?? ""))
        return c.redirect(`${base}/account?done=on`, 303);
      const fault = "This is not the app's current code. Check that the clock of your device is right.";
      return c.html(addFactorPage(ctx, person, key, fault), 422);
    }),
  );
}

/** `/dashboard/account`: the password and the second factor of the person. */
export function accountPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  app.get(
    "/dashboard/account",
    door.known(async (c, person) => c.html(accountPage(ctx, person, DONE[c.req.query("done") ?? ""] ?? null))),
  );
  passwordPages(ctx, app, door);
  resetPages(ctx, app, door);
  factorPages(ctx, app, door);
}
