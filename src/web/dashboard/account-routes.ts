import type { Hono } from "hono";
import { changePassword } from "../../actions/team/change-password.ts";
import { addSecondFactor, newFactorKey, removeSecondFactor } from "../../actions/team/second-factor.ts";
import { checkOwnPassword } from "../../actions/team/sign-in.ts";
import type { Context } from "../../context.ts";
import { fromBase32 } from "../../domain/team/totp.ts";
import type { User } from "../../domain/team/user.ts";
import { wordsOfPassword } from "./read-user.ts";
import { identityOfUser } from "../../store/user-identities.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { accountPage, addFactorPage, passwordPage, removeFactorPage } from "./account.ts";
import { doneNotice } from "./components/done-notice.ts";
import type { DashboardGuard } from "./guard.ts";
import { SAID } from "./refusal-texts.ts";
import type { UserRequest } from "./request.ts";

const DONE = {
  password: "Your password has been changed. You are signed out everywhere else.",
  on: "The second factor is on.",
  off: "The second factor is off.",
  connected: "The account is connected. You can sign in with it from now on.",
  disconnected: "The account is no longer connected.",
};

const aboutOf = ({ name, email }: User) => [name, email];

/** A person without a password has to give it at the OpenID provider once more before setting one here. */
function passwordPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  const path = "/dashboard/account/password";
  const admitted = (answer: (c: PageContext, request: UserRequest) => Promise<Response>) =>
    guard.known(async (c, request) => {
      const isAsked = request.user.passwordHash === null && !request.isConfirmed;
      return isAsked
        ? c.redirect(`${request.base}/confirm?${new URLSearchParams({ next: path })}`, 303)
        : answer(c, request);
    });
  app.get(
    path,
    admitted(async (c, request) => c.html(passwordPage(ctx, request))),
  );
  app.post(
    path,
    admitted(async (c, request) => {
      const { user, secret, form, base } = request;
      const wanted = form.get("newPassword") ?? "";
      const weak = wordsOfPassword(wanted, aboutOf(user));
      if (weak !== null) return c.html(passwordPage(ctx, request, { newPassword: weak }), 422);
      const own = { user, secret, client: c.env.client };
      const hasPassword = user.passwordHash !== null;
      const refused = hasPassword ? await checkOwnPassword(ctx, own, form.get("password") ?? "") : null;
      if (refused === "too_many") return c.html(passwordPage(ctx, request, { password: SAID.too_many }), 429);
      if (refused) return c.html(passwordPage(ctx, request, { password: "This is not your password." }), 422);
      const changed = await changePassword(ctx, user, wanted, c.env.clientAddress);
      if (changed === null) return c.redirect(`${base}/account/password`, 303);
      guard.cookie.write(c, changed);
      return c.redirect(`${base}/account?done=password`, 303);
    }),
  );
}

function factorPages(ctx: Context, app: Hono<PageEnvironment>, { confirmedUser }: DashboardGuard): void {
  const path = "/dashboard/account/second-factor";
  app.get(
    path,
    confirmedUser(async (c, request) =>
      c.html(
        request.user.totpSealed === null ? addFactorPage(ctx, request, newFactorKey()) : removeFactorPage(ctx, request),
      ),
    ),
  );
  app.post(
    path,
    confirmedUser(async (c, request) => {
      const { user, form, base } = request;
      if (user.totpSealed !== null) {
        await removeSecondFactor(ctx, user, c.env.clientAddress);
        return c.redirect(`${base}/account?done=off`, 303);
      }
      const key = form.get("key") ?? "";
      if (fromBase32(key) === null) return c.redirect(`${base}/account/second-factor`, 303);
      if (await addSecondFactor(ctx, user, key, form.get("code") ?? "", c.env.clientAddress))
        return c.redirect(`${base}/account?done=on`, 303);
      const fault = "This is not the current code of the app. Check that the clock of your device is right.";
      return c.html(addFactorPage(ctx, request, key, fault), 422);
    }),
  );
}

/** `/dashboard/account`: the password and the second factor of the person. */
export function accountPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  app.get(
    "/dashboard/account",
    guard.known(async (c, request) => {
      const identity = await identityOfUser(ctx.db.read, request.user.id);
      return c.html(accountPage(ctx, request, { done: doneNotice(c, DONE), identity }));
    }),
  );
  passwordPages(ctx, app, guard);
  factorPages(ctx, app, guard);
}
