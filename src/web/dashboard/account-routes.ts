import type { Hono } from "hono";
import { changePassword } from "../../actions/team/change-password.ts";
import { addSecondFactor, newFactorKey, removeSecondFactor } from "../../actions/team/second-factor.ts";
import { checkOwnPassword } from "../../actions/team/sign-in.ts";
import type { Context } from "../../context.ts";
import { fromBase32 } from "../../domain/team/totp.ts";
import { faultOfPassword, type User } from "../../domain/team/user.ts";
import { identityOfUser } from "../../store/user-identities.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { accountPage, addFactorPage, passwordPage, removeFactorPage } from "./account.ts";
import type { DashboardGuard } from "./door.ts";
import { SAID } from "./refusal-texts.ts";
import type { Person } from "./request.ts";

const DONE: Record<string, string> = {
  password: "Your password has been changed. You are signed out everywhere else.",
  on: "The second factor is on.",
  off: "The second factor is off.",
  connected: "The account is connected. You can sign in with it from now on.",
  disconnected: "The account is no longer connected.",
};

const aboutOf = ({ name, email }: User) => [name, email];

/** A person without a password has to give it at the OpenID provider once more before setting one here. */
function passwordPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardGuard): void {
  const path = "/dashboard/account/password";
  const admitted = (answer: (c: PageContext, person: Person) => Promise<Response>) =>
    door.known(async (c, person) => {
      const isAsked = person.user.passwordHash === null && !person.isConfirmed;
      return isAsked
        ? c.redirect(`${person.base}/confirm?${new URLSearchParams({ next: path })}`, 303)
        : answer(c, person);
    });
  app.get(
    path,
    admitted(async (c, person) => c.html(passwordPage(ctx, person))),
  );
  app.post(
    path,
    admitted(async (c, person) => {
      const { user, secret, form, base } = person;
      const wanted = form.get("newPassword") ?? "";
      const weak = faultOfPassword(wanted, aboutOf(user));
      if (weak !== null) return c.html(passwordPage(ctx, person, { newPassword: weak }), 422);
      const own = { user, secret, client: c.env.client };
      const hasPassword = user.passwordHash !== null;
      const refused = hasPassword ? await checkOwnPassword(ctx, own, form.get("password") ?? "") : null;
      if (refused === "too_many") return c.html(passwordPage(ctx, person, { password: SAID.too_many }), 429);
      if (refused) return c.html(passwordPage(ctx, person, { password: "This is not your password." }), 422);
      const changed = await changePassword(ctx, user, wanted, c.env.clientAddress);
      if (changed === null) return c.redirect(`${base}/account/password`, 303);
      door.cookie.write(c, changed);
      return c.redirect(`${base}/account?done=password`, 303);
    }),
  );
}

function factorPages(ctx: Context, app: Hono<PageEnvironment>, { confirmedUser }: DashboardGuard): void {
  const path = "/dashboard/account/second-factor";
  app.get(
    path,
    confirmedUser(async (c, person) =>
      c.html(
        person.user.totpSealed === null ? addFactorPage(ctx, person, newFactorKey()) : removeFactorPage(ctx, person),
      ),
    ),
  );
  app.post(
    path,
    confirmedUser(async (c, person) => {
      const { user, form, base } = person;
      if (user.totpSealed !== null) {
        await removeSecondFactor(ctx, user, c.env.clientAddress);
        return c.redirect(`${base}/account?done=off`, 303);
      }
      const key = form.get("key") ?? "";
      if (fromBase32(key) === null) return c.redirect(`${base}/account/second-factor`, 303);
      if (await addSecondFactor(ctx, user, key, form.get("code") ?? "", c.env.clientAddress))
        return c.redirect(`${base}/account?done=on`, 303);
      const fault = "This is not the current code of the app. Check that the clock of your device is right.";
      return c.html(addFactorPage(ctx, person, key, fault), 422);
    }),
  );
}

/** `/dashboard/account`: the password and the second factor of the person. */
export function accountPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardGuard): void {
  app.get(
    "/dashboard/account",
    door.known(async (c, person) => {
      const done = DONE[c.req.query("done") ?? ""] ?? null;
      const identity = await identityOfUser(ctx.db.read, person.user.id);
      return c.html(accountPage(ctx, person, { done, identity }));
    }),
  );
  passwordPages(ctx, app, door);
  factorPages(ctx, app, door);
}
